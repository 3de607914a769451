-- Failure and error categories by check and version, with the first and last time they were seen. The weight tells how
-- many answers of the log the verdicts stand for.
SELECT
    coalesce(category, 'other') AS category, "check", outcome = 'error' AS is_error, coalesce(version, '') AS version,
    sum(n)::BIGINT, sum(n * coalesce(weight, 1)), min(first_seen), max(last_seen)
FROM {rows}
WHERE outcome IN ('fail', 'error')
GROUP BY coalesce(category, 'other'), "check", outcome = 'error', coalesce(version, '')
ORDER BY ALL
