-- How many verdicts ended how, by group and check, and the sums their weighted interval needs.
-- A row of `clusters` is what repeats: the same question again, or one paid reply used again.
WITH clusters AS (
    SELECT
        {group} AS grp, "check", check_kind,
        coalesce(question_id, request_hash, record_id) AS cluster,
        max(weight) AS stratum,
        count(*) FILTER (outcome = 'pass') AS passed,
        count(*) FILTER (outcome = 'fail') AS failed,
        count(*) FILTER (outcome = 'error') AS errors,
        count(*) FILTER (outcome = 'skip') AS skipped,
        count(*) FILTER (outcome = 'unsure') AS unsure,
        coalesce(sum(weight) FILTER (outcome = 'pass'), 0) AS a,
        coalesce(sum(weight) FILTER (outcome = 'error'), 0) AS e,
        coalesce(sum(weight) FILTER (outcome IN ('pass', 'fail', 'error')), 0) AS b,
        coalesce(sum(weight * weight) FILTER (outcome IN ('pass', 'fail', 'error')), 0) AS w2,
        min(moment) AS first_seen, max(moment) AS last_seen
    FROM ({source})
    GROUP BY ALL
)
SELECT
    grp, "check", check_kind,
    sum(passed)::BIGINT, sum(failed)::BIGINT, sum(errors)::BIGINT, sum(skipped)::BIGINT, sum(unsure)::BIGINT,
    count(*) FILTER (b > 0), sum(a), sum(b), sum(a * a), sum(a * b), sum(b * b), sum(w2),
    sum(e), max(stratum), min(first_seen), max(last_seen), count(*)
FROM clusters
GROUP BY grp, "check", check_kind, stratum
ORDER BY ALL
