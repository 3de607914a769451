-- The light columns of both sides, read from the store once; every count of a comparison is over these rows.
SELECT
    {side} AS is_head, run_id, run_at, month, app_version, record_id, question_id, stratum, asked_at,
    "check", check_kind, check_version, outcome, category, severity, score, weight, reused,
    -- Long, and only needed to see which log answers were judged by one paid reply.
    CASE WHEN reused AND question_id IS NULL THEN request_hash END AS request_hash,
    judge_provider, judge_model, judge_model_reported, rubric, rubric_version
FROM verdicts
WHERE {where} AND {only}
