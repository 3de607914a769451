-- What stands behind each side: runs, versions, and per check who judged it and by which version.
-- Verdicts that needed no call (an empty answer) name no judge.
WITH kinds AS (
    SELECT
        is_head, "check", check_kind, run_id, app_version, check_version,
        judge_provider, judge_model, judge_model_reported, rubric, rubric_version,
        min(coalesce(asked_at, run_at)) AS first_seen, max(coalesce(asked_at, run_at)) AS last_seen
    FROM side_verdicts
    WHERE outcome IN ('pass', 'fail', 'error')
    GROUP BY ALL
)
SELECT
    is_head, "check", check_kind,
    list(DISTINCT run_id), list(DISTINCT coalesce(app_version, '')),
    list(DISTINCT check_version),
    list(DISTINCT {'provider': judge_provider, 'model': judge_model, 'reported': judge_model_reported,
                   'rubric': rubric, 'version': rubric_version}) FILTER (judge_model IS NOT NULL),
    min(first_seen), max(last_seen)
FROM kinds
GROUP BY ALL
ORDER BY ALL
