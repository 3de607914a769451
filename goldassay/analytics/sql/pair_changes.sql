-- Questions of one kind of change, those whose whole answer changed alike first, then those that broke most gate checks.
WITH told AS (
    SELECT
        *, count(*) FILTER (severity = 'gate' AND base_outcome = $base_outcome AND head_outcome = $head_outcome)
            OVER (PARTITION BY question) AS gates,
        -- As in sql/pair_answers.sql: passed where every gate check readable on both sides passed; NULL without one.
        bool_and(base_outcome = 'pass') FILTER (severity = 'gate') OVER (PARTITION BY question) AS base_passes,
        bool_and(head_outcome = 'pass') FILTER (severity = 'gate') OVER (PARTITION BY question) AS head_passes
    FROM pairs
)
SELECT
    question, "check", stratum, base_run, base_record, base_month, head_run, head_record, head_month,
    coalesce(base_passes = ($base_outcome = 'pass') AND head_passes = ($head_outcome = 'pass'), FALSE) AS is_answer
FROM told
WHERE base_outcome = $base_outcome AND head_outcome = $head_outcome
ORDER BY is_answer DESC, gates DESC, question, severity <> 'gate', "check"
LIMIT $limit
