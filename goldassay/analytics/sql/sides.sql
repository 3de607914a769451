-- What stands behind each side: runs, versions, and per check who judged it and by which version.
SELECT
    is_head, "check", check_kind,
    list(DISTINCT run_id), list(DISTINCT coalesce(app_version, '')),
    list(DISTINCT check_version),
    list(DISTINCT {'provider': judge_provider, 'model': judge_model, 'reported': judge_model_reported,
                   'rubric': rubric, 'version': rubric_version}) FILTER (check_kind = 'judge'),
    min(coalesce(asked_at, run_at)), max(coalesce(asked_at, run_at))
FROM side_verdicts
WHERE outcome IN ('pass', 'fail', 'error')
GROUP BY ALL
ORDER BY ALL
