-- How often each mending was needed before a reply could be read.
SELECT judge_model, repair, count(*)
FROM (
    SELECT judge_model, unnest(repairs) AS repair
    FROM verdicts
    WHERE {where} AND check_kind = 'judge' AND NOT reused AND outcome IN ('pass', 'fail')
)
GROUP BY judge_model, repair
ORDER BY count(*) DESC, repair
