-- The verdicts of one check in one run that a person may label: what was given by law, no judge has said.
SELECT v.record_id, v.outcome, {flagged}
FROM verdicts AS v
WHERE v.run_id = $run_id AND v."check" = $check AND v.outcome <> 'skip'
  AND (v.check_kind = 'rule' OR v.judge_model IS NOT NULL)
ORDER BY v.record_id
