-- How many verdicts ended how, by group and check, and the sums their weighted interval needs. A cluster is
-- what repeats: the same question again, or one paid reply used again; rows without one stand for themselves.
WITH clusters AS (
    SELECT
        grp, "check", check_kind, cluster IS NULL AS is_single,
        max(weight) AS stratum,
        count(*) AS n,
        count(*) FILTER (outcome = 'pass') AS passed,
        count(*) FILTER (outcome = 'fail') AS failed,
        count(*) FILTER (outcome = 'error') AS errors,
        count(*) FILTER (outcome = 'skip') AS skipped,
        count(*) FILTER (outcome = 'unsure') AS unsure,
        coalesce(sum(weight) FILTER (outcome = 'pass'), 0) AS a,
        coalesce(sum(weight) FILTER (outcome = 'error'), 0) AS e,
        coalesce(sum(weight) FILTER (outcome IN ('pass', 'fail', 'error')), 0) AS b,
        coalesce(sum(weight * weight) FILTER (outcome = 'pass'), 0) AS a2,
        coalesce(sum(weight * weight) FILTER (outcome IN ('pass', 'fail', 'error')), 0) AS b2,
        min(moment) AS first_seen, max(moment) AS last_seen
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
