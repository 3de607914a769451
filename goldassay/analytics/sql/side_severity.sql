-- Whether a check holds an answer back, by side: told by the verdicts that graded one. And how many there are.
SELECT is_head, "check", bool_or(severity = 'gate'), count(*)
FROM side_verdicts
WHERE outcome IN ('pass', 'fail', 'error')
GROUP BY ALL
