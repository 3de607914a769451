-- All verdicts of the checks and runs that labels were drawn from: what the labels stand for. Those given by law
-- (an empty answer fails, a refusal claims nothing) are no judge's.
WITH drawn AS (SELECT DISTINCT run_id, "check" FROM labels WHERE app = $app)
SELECT v."check", coalesce(v.judge_model, ''), coalesce(v.rubric, ''), coalesce(v.rubric_version, v.check_version, ''),
       v.outcome, {flagged}, v.weight, count(*)
FROM drawn
JOIN verdicts AS v USING (run_id, "check")
WHERE v.app = $app AND v.outcome <> 'skip'
  AND (v.check_kind = 'rule' OR v.judge_model IS NOT NULL)
GROUP BY ALL
ORDER BY ALL
