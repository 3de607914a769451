-- The checks of a run that can be labelled: what a judge graded first, and `faithful` before all.
SELECT "check", count(*)
FROM verdicts AS v
WHERE run_id = $run_id AND outcome IN ('pass', 'fail') AND (v.check_kind = 'rule' OR v.judge_model IS NOT NULL)
GROUP BY "check"
ORDER BY bool_or("check" = 'faithful' AND check_kind = 'judge') DESC, bool_or(check_kind = 'judge') DESC, "check"
