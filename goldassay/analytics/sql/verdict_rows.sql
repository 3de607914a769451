-- The light columns of the verdicts in scope.
SELECT
    run_id, {version} AS version, "check", check_kind, question_id, request_hash, record_id, outcome,
    coalesce(weight, 1) AS weight, coalesce(asked_at, run_at) AS moment
FROM verdicts
WHERE {where}
