-- Failure and error categories of the verdicts in scope.
SELECT "check", category, outcome, count(*)
FROM reasons
WHERE {where}
GROUP BY ALL
ORDER BY ALL
