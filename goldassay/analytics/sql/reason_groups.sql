-- Failures and errors by cause and version: counts, first and last time. `wordings` maps texts of `other` to a group.
SELECT
    r.category, w.grp, r.outcome = 'error' AS is_error, r.version,
    count(*) AS times, list_sort(list(DISTINCT r."check")) AS checks, min(r.moment), max(r.moment)
FROM ({source}) AS r
LEFT JOIN wordings AS w ON r.category = 'other' AND r.wording = w.wording
GROUP BY ALL
ORDER BY ALL
