-- The question, and how many different answers were given to it, for each wanted group of rows.
SELECT w.position, any_value(a.question), count(DISTINCT a.answer)
FROM wanted AS w
JOIN answers AS a USING (run_id, record_id)
WHERE list_contains($months, a.month)
GROUP BY w.position
