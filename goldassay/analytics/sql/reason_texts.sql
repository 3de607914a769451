-- The wordings behind the category `other`, commonest first.
SELECT reason, count(*) AS times
FROM reasons
WHERE {where} AND category = 'other' AND reason <> ''
GROUP BY reason
ORDER BY times DESC, reason
LIMIT $limit
