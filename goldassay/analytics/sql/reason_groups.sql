-- Failures and errors by cause, version and check: verdicts, the answers of the log they stand for, first and last time.
-- `wordings` maps texts of `other` to a group.
SELECT
    r.category, w.grp, r.outcome = 'error' AS is_error, r.version, r."check",
    count(*) AS times, sum(r.weight) AS weight, min(r.moment), max(r.moment)
FROM ({source}) AS r
LEFT JOIN wordings AS w ON r.category = 'other' AND r.wording = w.wording
GROUP BY ALL
ORDER BY ALL
