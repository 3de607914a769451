-- Flags of judge verdicts, by the number of answers they stand on.
SELECT flag, count(DISTINCT record_id)
FROM (SELECT record_id, unnest(flags) AS flag FROM verdicts WHERE {where})
GROUP BY flag
ORDER BY flag
