-- Failure and error categories by check and version, with the first and last time they were seen.
SELECT
    coalesce(category, 'other') AS category, "check", outcome = 'error' AS is_error, {version} AS version,
    count(*), min(coalesce(asked_at, run_at)), max(coalesce(asked_at, run_at))
FROM verdicts
WHERE {where} AND outcome IN ('fail', 'error')
GROUP BY ALL
ORDER BY ALL
