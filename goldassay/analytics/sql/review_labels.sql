-- What one person said last of each answer of a run, and whether the verdict was ever shown for it.
SELECT record_id, arg_max(outcome, labelled_at), coalesce(arg_max(coalesce(category, ''), labelled_at), ''),
       coalesce(arg_max(coalesce(comment, ''), labelled_at), ''), arg_max(coalesce(blind, TRUE), labelled_at),
       bool_or(outcome IN ('pass', 'fail'))
FROM labels
WHERE run_id = $run_id AND "check" = $check AND labeller = $labeller
GROUP BY record_id
ORDER BY record_id
