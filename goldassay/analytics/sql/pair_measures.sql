-- By which judge, rubric or rule version the verdicts that pair were given, by side and check.
WITH used AS (
    SELECT DISTINCT FALSE AS is_head, "check", base_run AS run_id FROM pairs
    UNION ALL
    SELECT DISTINCT TRUE, "check", head_run FROM pairs
)
SELECT
    v.is_head, v."check", v.check_kind, list(DISTINCT v.check_version),
    -- Verdicts that needed no call (an empty answer) name no judge.
    list(DISTINCT {'provider': v.judge_provider, 'model': v.judge_model, 'reported': v.judge_model_reported,
                   'rubric': v.rubric, 'version': v.rubric_version}) FILTER (v.judge_model IS NOT NULL)
FROM side_verdicts AS v SEMI JOIN used USING (is_head, "check", run_id)
WHERE v.outcome IN ('pass', 'fail')
GROUP BY ALL
ORDER BY ALL
