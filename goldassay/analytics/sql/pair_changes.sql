-- Questions of one kind of change, those that broke most gate checks first.
WITH changed AS (
    SELECT *, count(*) FILTER (severity = 'gate') OVER (PARTITION BY question) AS gates
    FROM pairs
    WHERE base_outcome = $base_outcome AND head_outcome = $head_outcome
)
SELECT
    question, "check", stratum, base_run, base_record, base_month, head_run, head_record, head_month
FROM changed
ORDER BY gates DESC, question, severity <> 'gate', "check"
LIMIT $limit
