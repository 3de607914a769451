-- The two-by-two table of each check, over all strata and within each.
SELECT
    "check", stratum, grouping(stratum) = 0 AS is_stratum,
    count(*) FILTER (base_outcome = 'pass' AND head_outcome = 'pass') AS both_pass,
    count(*) FILTER (base_outcome = 'pass' AND head_outcome = 'fail') AS broken,
    count(*) FILTER (base_outcome = 'fail' AND head_outcome = 'pass') AS fixed,
    count(*) FILTER (base_outcome = 'fail' AND head_outcome = 'fail') AS both_fail,
    max(CASE WHEN severity = 'gate' THEN 1 ELSE 0 END) = 1 AS is_gate
FROM pairs
GROUP BY GROUPING SETS (("check"), ("check", stratum))
HAVING NOT (grouping(stratum) = 0 AND stratum IS NULL)
ORDER BY ALL
