-- The two-by-two table of whole answers: passed where every gate check readable on both sides passed.
WITH answers AS (
    SELECT question, bool_and(base_outcome = 'pass') AS base, bool_and(head_outcome = 'pass') AS head
    FROM pairs
    WHERE severity = 'gate'
    GROUP BY question
)
SELECT
    count(*) FILTER (base AND head), count(*) FILTER (base AND NOT head),
    count(*) FILTER (NOT base AND head), count(*) FILTER (NOT base AND NOT head)
FROM answers
