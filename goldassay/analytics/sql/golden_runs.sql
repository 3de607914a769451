-- The golden runs, with the month their files lie in.
SELECT run_id, strftime(run_at, '%Y-%m')
FROM runs
WHERE run_kind = 'golden' AND ($app IS NULL OR app = $app)
ORDER BY ALL
