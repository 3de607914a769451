-- Failure and error categories of the verdicts in scope.
SELECT "check", coalesce(category, 'other') AS category, outcome, count(*)
FROM {table}
WHERE {where} AND outcome IN ('fail', 'error')
GROUP BY ALL
ORDER BY ALL
