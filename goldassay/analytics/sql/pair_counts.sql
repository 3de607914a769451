-- The two-by-two table of each check, over all strata and within each, by how many questions of the log a pair stands for.
SELECT
    "check", stratum, grouping(stratum) = 0 AS is_stratum, weight,
    count(*) FILTER (base_outcome = 'pass' AND head_outcome = 'pass') AS both_pass,
    count(*) FILTER (base_outcome = 'pass' AND head_outcome = 'fail') AS broken,
    count(*) FILTER (base_outcome = 'fail' AND head_outcome = 'pass') AS fixed,
    count(*) FILTER (base_outcome = 'fail' AND head_outcome = 'fail') AS both_fail,
    max(CASE WHEN severity = 'gate' THEN 1 ELSE 0 END) = 1 AS is_gate,
    max(head_weight) AS head_weight
FROM pairs
GROUP BY GROUPING SETS (("check", weight), ("check", stratum, weight))
HAVING NOT (grouping(stratum) = 0 AND stratum IS NULL)
ORDER BY ALL
