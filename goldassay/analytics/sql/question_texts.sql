-- Question texts of the answers in scope; `is_known` rows bring the id under which a text is known.
SELECT question, run_id, record_id, question_id
FROM answers
WHERE {where} AND question_id IS {null}
