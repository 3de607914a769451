-- Verdicts that could not be read, by check and side; they leave the pairs.
SELECT "check", is_head, count(*)
FROM side_verdicts
WHERE outcome = 'error'
GROUP BY "check", is_head
ORDER BY ALL
