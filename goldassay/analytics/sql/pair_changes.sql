-- Questions of one kind of change, those whose whole answer changed alike first, then those that broke most gate checks.
WITH told AS (
    SELECT
        *, count(*) FILTER (severity = 'gate' AND base_outcome = $base_outcome AND head_outcome = $head_outcome)
            OVER (PARTITION BY question) AS gates,
        -- As in sql/pair_answers.sql: passed where every gate check readable on both sides passed.
        CASE WHEN bool_and(base_outcome = 'pass') FILTER (severity = 'gate') OVER (PARTITION BY question)
             THEN 'pass' ELSE 'fail' END AS base_answer,
        CASE WHEN bool_and(head_outcome = 'pass') FILTER (severity = 'gate') OVER (PARTITION BY question)
             THEN 'pass' ELSE 'fail' END AS head_answer
    FROM pairs
)
SELECT
    question, "check", stratum, base_run, base_record, base_month, head_run, head_record, head_month,
    gates > 0 AND base_answer = $base_outcome AND head_answer = $head_outcome AS is_answer
FROM told
WHERE base_outcome = $base_outcome AND head_outcome = $head_outcome
ORDER BY is_answer DESC, gates DESC, question, severity <> 'gate', "check"
LIMIT $limit
