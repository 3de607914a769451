-- What the judge said in one run, by stratum: the weight that passed, and the weight of all that could be read.
SELECT {values} AS names, coalesce(sum(v.weight) FILTER (v.outcome = 'pass'), 0), sum(v.weight)
FROM verdicts AS v
JOIN answers AS a USING (run_id, record_id)
WHERE v.run_id = $run_id AND v.month = $month AND a.month = $month
    AND v.check_kind = 'judge' AND v.outcome IN ('pass', 'fail')
GROUP BY names
ORDER BY names
