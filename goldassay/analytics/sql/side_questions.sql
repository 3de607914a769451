-- How many answers each side has, and how many questions only one of them has.
WITH chosen AS (
    SELECT DISTINCT is_head, question_id, run_id, record_id FROM side_verdicts
),
asked AS (
    SELECT v.is_head, coalesce(v.question_id, k.question, v.record_id) AS question
    FROM chosen AS v
    LEFT JOIN keys AS k ON v.question_id IS NULL AND v.run_id = k.run_id AND v.record_id = k.record_id
),
questions AS (
    SELECT question, bool_or(is_head) AS in_head, bool_or(NOT is_head) AS in_base FROM asked GROUP BY question
)
SELECT
    (SELECT count(*) FROM asked WHERE NOT is_head), (SELECT count(*) FROM asked WHERE is_head),
    count(*) FILTER (in_base AND NOT in_head), count(*) FILTER (in_head AND NOT in_base)
FROM questions
