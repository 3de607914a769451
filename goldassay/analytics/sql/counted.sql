-- All verdicts, without those of an answer that a later run graded again.
SELECT * FROM verdicts WHERE run_id NOT IN ({runs})
UNION ALL
SELECT v.* REPLACE (coalesce(g.weight, v.weight) AS weight)
FROM verdicts AS v
LEFT JOIN graded_again AS g USING (run_id, record_id, "check")
WHERE v.run_id IN ({runs}) AND coalesce(g.counts, TRUE)
