-- How many answers of the log one verdict of the head stands for at most, by check and stratum: above 1 chance drew.
SELECT "check", stratum, max(coalesce(weight, 1))
FROM side_verdicts
WHERE is_head AND outcome IN ('pass', 'fail')
GROUP BY ALL
ORDER BY ALL
