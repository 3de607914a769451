-- One row an answer: failed when a gate check failed, else error when one broke, else passed.
SELECT
    '' AS grp, 'answer' AS "check", 'answer' AS check_kind, coalesce(any_value(question_id), record_id) AS cluster,
    CASE
        WHEN bool_or(outcome = 'fail') FILTER (severity = 'gate') THEN 'fail'
        WHEN bool_or(outcome = 'error') FILTER (severity = 'gate') THEN 'error'
        WHEN bool_or(outcome = 'pass') FILTER (severity = 'gate') THEN 'pass'
        WHEN bool_or(outcome = 'unsure') FILTER (severity = 'gate') THEN 'unsure'
        ELSE 'skip'
    END AS outcome,
    {weight} AS weight,
    min(coalesce(asked_at, run_at)) AS first_seen, min(coalesce(asked_at, run_at)) AS last_seen, 1 AS n
FROM verdicts
WHERE {where}
GROUP BY run_id, record_id
HAVING {having}
