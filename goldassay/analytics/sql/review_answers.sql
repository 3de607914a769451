-- Whole rows of a few records of one run.
SELECT * FROM {table} WHERE run_id = $run_id AND record_id IN (SELECT unnest($records))
