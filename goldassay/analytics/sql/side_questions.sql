-- How many questions (and answers) each side has, and how many both have.
WITH chosen AS (
    SELECT DISTINCT {side} AS is_head, question_id, run_id, record_id
    FROM verdicts
    WHERE {where}
),
asked AS (
    SELECT v.is_head, coalesce(v.question_id, k.question, v.record_id) AS question
    FROM chosen AS v
    {keys}
),
questions AS (
    SELECT question, bool_or(is_head) AS in_head, bool_or(NOT is_head) AS in_base FROM asked GROUP BY question
)
SELECT
    (SELECT count(*) FROM asked WHERE NOT is_head), (SELECT count(*) FROM asked WHERE is_head),
    count(*) FILTER (in_base AND NOT in_head), count(*) FILTER (in_head AND NOT in_base)
FROM questions
