-- The two-by-two table of whole answers: passed where every gate check readable on both sides passed. Apart by whether
-- the judge looked on both sides, and by how many questions of the log the pair stands for.
WITH answers AS (
    SELECT
        question, bool_and(base_outcome = 'pass') AS base, bool_and(head_outcome = 'pass') AS head,
        bool_or(check_kind = 'judge') AS is_judged, max(weight) AS weight, max(head_weight) AS head_weight
    FROM pairs
    WHERE severity = 'gate'
    GROUP BY question
)
SELECT
    is_judged, weight, max(head_weight),
    count(*) FILTER (base AND head), count(*) FILTER (base AND NOT head),
    count(*) FILTER (NOT base AND head), count(*) FILTER (NOT base AND NOT head)
FROM answers
GROUP BY is_judged, weight
ORDER BY ALL
