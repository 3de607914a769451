-- Per check: kind, versions, severity and scores.
SELECT
    "check", check_kind,
    list_sort(list(DISTINCT CASE WHEN check_kind = 'judge' THEN coalesce(rubric_version, check_version)
                                 ELSE check_version END)),
    bool_or(severity = 'gate'), avg(score), min(scale_min), max(scale_max)
FROM verdicts
WHERE {where}
GROUP BY "check", check_kind
ORDER BY ALL
