-- The wordings behind the category `other` without their figures and marks, commonest first.
SELECT {wording} AS wording, count(*) AS times
FROM {table}
WHERE {where} AND outcome IN ('fail', 'error') AND coalesce(category, 'other') = 'other' AND reason <> ''
GROUP BY wording
ORDER BY times DESC, wording
LIMIT $limit
