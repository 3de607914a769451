-- Answered or refused, by whether the sources could hold the answer; the rule `refusal` knows both.
SELECT
    {version} AS version, min(coalesce(asked_at, run_at)) AS first_seen,
    count(*) FILTER (answerable AND outcome = 'pass') AS answerable_answered,
    count(*) FILTER (answerable AND outcome = 'fail') AS answerable_refused,
    count(*) FILTER (NOT answerable AND outcome = 'fail') AS unanswerable_answered,
    count(*) FILTER (NOT answerable AND outcome = 'pass') AS unanswerable_refused
FROM verdicts
WHERE {where} AND "check" = 'refusal' AND answerable IS NOT NULL AND outcome IN ('pass', 'fail')
GROUP BY 1
ORDER BY first_seen, version
