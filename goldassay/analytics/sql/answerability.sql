-- Answered or refused, by whether the sources could hold the answer; the rule `refusal` knows both.
SELECT
    {version} AS version, min(first_seen) AS first_seen,
    coalesce(sum(n) FILTER (answerable AND outcome = 'pass'), 0)::BIGINT AS answerable_answered,
    coalesce(sum(n) FILTER (answerable AND outcome = 'fail'), 0)::BIGINT AS answerable_refused,
    coalesce(sum(n) FILTER (NOT answerable AND outcome = 'fail'), 0)::BIGINT AS unanswerable_answered,
    coalesce(sum(n) FILTER (NOT answerable AND outcome = 'pass'), 0)::BIGINT AS unanswerable_refused
FROM {rows}
WHERE "check" = 'refusal' AND answerable IS NOT NULL AND outcome IN ('pass', 'fail')
GROUP BY 1
ORDER BY 2, 1
