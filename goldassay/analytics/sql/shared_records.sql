-- Answers that a golden run graded and another run graded too, once for each of their runs. A record is known by its
-- id and the moment it was given: some logs count from 1 every night.
WITH golden AS (
    SELECT DISTINCT app, record_id, asked_at FROM answers WHERE {where}
),
graded AS (
    SELECT a.run_id, a.app, a.record_id, a.asked_at
    FROM answers AS a
    JOIN golden AS g ON a.app = g.app AND a.record_id = g.record_id AND a.asked_at IS NOT DISTINCT FROM g.asked_at
    WHERE a.run_kind <> 'rejudge'
)
SELECT run_id, app, record_id, asked_at
FROM graded
QUALIFY count(*) OVER (PARTITION BY app, record_id, asked_at) > 1
