-- People's newest label of each verdict against the judge's, by check and by who judged.
WITH newest AS (
    SELECT run_id, record_id, "check", labeller, arg_max(outcome, labelled_at) AS said
    FROM labels
    WHERE app = $app
    GROUP BY ALL
)
SELECT v."check", v.judge_model, coalesce(v.rubric_version, ''), n.said, v.outcome, count(*)
FROM newest AS n
JOIN verdicts AS v USING (run_id, record_id, "check")
WHERE v.check_kind = 'judge' AND n.said IN ('pass', 'fail') AND v.outcome IN ('pass', 'fail')
GROUP BY ALL
ORDER BY ALL
