-- The verdicts of answers graded more than once, and which of them counts: the newest that can be read, else the newest
-- error. It stands for as many answers as any of them did, so that the weights still add up to the log.
SELECT
    v.run_id, v.record_id, v."check",
    row_number() OVER (
        PARTITION BY v.app, v.record_id, v.asked_at, {version}, v."check"
        ORDER BY v.outcome IN ('pass', 'fail') DESC, v.outcome = 'error' DESC, v.run_at DESC, v.run_id DESC
    ) = 1 AS counts,
    max(v.weight) OVER (PARTITION BY v.app, v.record_id, v.asked_at, {version}, v."check") AS weight
FROM verdicts AS v
SEMI JOIN shared_records AS s ON v.run_id = s.run_id AND v.record_id = s.record_id
WHERE v.run_id IN ({runs})
