-- The verdicts of one check in one run that a person may label.
SELECT v.record_id, v.outcome, {flagged}
FROM verdicts AS v
WHERE v.run_id = $run_id AND v."check" = $check AND v.outcome <> 'skip'
ORDER BY v.record_id
