-- The questions that failed a gate check in one run.
SELECT DISTINCT a.question_id, a.question
FROM answers AS a
SEMI JOIN (
    SELECT record_id FROM verdicts
    WHERE run_id = $run_id AND month = $month AND outcome = 'fail' AND severity = 'gate'
) USING (record_id)
WHERE a.run_id = $run_id AND a.month = $month
ORDER BY ALL
