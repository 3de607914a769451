-- Each person's newest word on each verdict that was labelled, beside the verdict itself.
WITH newest AS (
    SELECT run_id, record_id, "check", labeller,
           arg_max(outcome, labelled_at) AS said, arg_max(coalesce(blind, TRUE), labelled_at) AS blind
    FROM labels
    WHERE app = $app
    GROUP BY ALL
)
SELECT v."check", coalesce(v.judge_model, ''), coalesce(v.rubric, ''), coalesce(v.rubric_version, v.check_version, ''),
       v.run_id, v.record_id, v.outcome, v.weight, {flagged}, n.labeller, n.said, n.blind
FROM newest AS n
JOIN verdicts AS v USING (run_id, record_id, "check")
WHERE v.app = $app AND (v.check_kind = 'rule' OR v.judge_model IS NOT NULL)
ORDER BY ALL
