-- Whether a check holds an answer back, by side: told by the verdicts that graded one.
SELECT is_head, "check", bool_or(severity = 'gate')
FROM side_verdicts
WHERE outcome IN ('pass', 'fail', 'error')
GROUP BY ALL
