-- The wordings behind the category `other`, commonest first.
SELECT reason, count(*) AS times
FROM verdicts
WHERE {where} AND outcome IN ('fail', 'error') AND coalesce(category, 'other') = 'other' AND reason <> ''
GROUP BY reason
ORDER BY times DESC, reason
LIMIT $limit
