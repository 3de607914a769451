-- Questions of one kind of change: first those whose whole answer changed so, then those with most gate checks.
WITH answers AS (
    -- As in pair_answers.sql: passed where every gate check readable on both sides passed.
    SELECT question, bool_and(base_outcome = 'pass') AS base, bool_and(head_outcome = 'pass') AS head
    FROM pairs
    WHERE severity = 'gate'
    GROUP BY question
),
changed AS (
    SELECT
        p.*, count(*) FILTER (severity = 'gate') OVER (PARTITION BY question) AS gates,
        coalesce(a.base = ($base_outcome = 'pass') AND a.head = ($head_outcome = 'pass'), FALSE) AS whole
    FROM pairs AS p
    LEFT JOIN answers AS a USING (question)
    WHERE base_outcome = $base_outcome AND head_outcome = $head_outcome
)
SELECT
    question, "check", stratum, base_run, base_record, base_month, head_run, head_record, head_month, whole
FROM changed
ORDER BY whole DESC, gates DESC, question, severity <> 'gate', "check"
LIMIT $limit
