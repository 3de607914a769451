-- The newest run that holds answers of a version; one that judged stored answers again is none of its own.
SELECT arg_max(run_id, (run_at, run_id))
FROM answers
WHERE {column} = $label AND run_kind <> 'rejudge' AND ($app IS NULL OR app = $app)
