-- How many verdicts ended how, by group and check, and the sums their weighted interval needs. A cluster is
-- what repeats: the same question again, or one paid reply used again; rows without one stand for themselves,
-- and n of them that are alike may come as one row.
WITH clusters AS (
    SELECT
        grp, "check", check_kind, cluster IS NULL AS is_single,
        max(weight) AS stratum,
        sum(n) AS n,
        coalesce(sum(n) FILTER (outcome = 'pass'), 0) AS passed,
        coalesce(sum(n) FILTER (outcome = 'fail'), 0) AS failed,
        coalesce(sum(n) FILTER (outcome = 'error'), 0) AS errors,
        coalesce(sum(n) FILTER (outcome = 'skip'), 0) AS skipped,
        coalesce(sum(n) FILTER (outcome = 'unsure'), 0) AS unsure,
        coalesce(sum(weight * n) FILTER (outcome = 'pass'), 0) AS a,
        coalesce(sum(weight * n) FILTER (outcome = 'error'), 0) AS e,
        coalesce(sum(weight * n) FILTER (outcome IN ('pass', 'fail', 'error')), 0) AS b,
        coalesce(sum(weight * weight * n) FILTER (outcome = 'pass'), 0) AS a2,
        coalesce(sum(weight * weight * n) FILTER (outcome IN ('pass', 'fail', 'error')), 0) AS b2,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
    FROM ({source})
    GROUP BY grp, "check", check_kind, cluster, CASE WHEN cluster IS NULL THEN weight END
)
SELECT
    grp, "check", check_kind,
    sum(passed)::BIGINT, sum(failed)::BIGINT, sum(errors)::BIGINT, sum(skipped)::BIGINT, sum(unsure)::BIGINT,
    sum(CASE WHEN is_single THEN passed + failed + errors WHEN b > 0 THEN 1 ELSE 0 END)::BIGINT,
    sum(a), sum(b),
    sum(CASE WHEN is_single THEN a2 ELSE a * a END),
    sum(CASE WHEN is_single THEN a2 ELSE a * b END),
    sum(CASE WHEN is_single THEN b2 ELSE b * b END),
    sum(b2), sum(e), max(stratum), min(first_seen), max(last_seen),
    sum(CASE WHEN is_single THEN n ELSE 1 END)::BIGINT
FROM clusters
GROUP BY grp, "check", check_kind, stratum
ORDER BY ALL
