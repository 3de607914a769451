-- What each judge model did: replies read, mended and reused, what it cost, and the canaries put before it.
-- A canary is a right refusal that the judge must call supported, under whatever name its rubric asks for that (the
-- flags canary_... mark such a row); an invented answer is rightly failed, and whether a refusal is relevant is for the
-- rubric to say. The row passes by law whatever the judge said; the flag keeps that.
SELECT
    coalesce(judge_provider, ''), judge_model, coalesce(rubric, ''), coalesce(rubric_version, ''),
    list_sort(list(DISTINCT judge_model_reported) FILTER (judge_model_reported IS NOT NULL)),
    count(*),
    count(*) FILTER (outcome = 'error'),
    -- A reply that was asked again was unreadable and paid for, whatever came of asking again.
    count(*) FILTER (NOT reused AND outcome = 'error'
                     AND category IN ('unreadable_reply', 'out_of_scale', 'cut_off', 'judge_refused'))
        + coalesce(sum(reasked), 0)::BIGINT,
    count(*) FILTER (NOT reused AND (reply IS NOT NULL OR outcome <> 'error')) + coalesce(sum(reasked), 0)::BIGINT,
    count(*) FILTER (NOT reused AND outcome IN ('pass', 'fail')),
    count(*) FILTER (NOT reused AND outcome IN ('pass', 'fail') AND len(repairs) > 0),
    count(*) FILTER (reused),
    coalesce(sum(attempts), 0)::BIGINT, coalesce(sum(tokens_in), 0)::BIGINT, coalesce(sum(tokens_cached), 0)::BIGINT,
    coalesce(sum(tokens_out), 0)::BIGINT,
    -- A call without a price makes the sum unknown; a reply used again costs nothing and proves nothing.
    CASE WHEN count(*) FILTER (reused IS NOT TRUE AND coalesce(attempts, 1) > 0 AND outcome IN ('pass', 'fail')
                               AND cost_usd IS NULL) = 0
         THEN coalesce(sum(cost_usd), 0) END,
    quantile_cont(latency_ms, 0.5) FILTER (NOT reused), quantile_cont(latency_ms, 0.95) FILTER (NOT reused),
    count(*) FILTER (is_canary AND outcome = 'pass' AND NOT list_contains(flags, 'canary_failed')),
    count(*) FILTER (is_canary AND (outcome = 'fail' OR list_contains(flags, 'canary_failed'))),
    count(*) FILTER (is_canary AND outcome = 'error'),
    list_sort(list(DISTINCT "check")),
    coalesce(sum(reasked), 0)::BIGINT,
    coalesce(sum(repeats) FILTER (outcome IN ('pass', 'fail')), 0)::BIGINT,
    coalesce(sum(repeats - agreeing) FILTER (outcome IN ('pass', 'fail')), 0)::BIGINT
FROM (
    SELECT *, TRY_CAST(extra['reasked'] AS BIGINT) AS reasked, list_has_all(flags, ['canary', 'refusal']) AND (
        "check" = 'faithful' OR list_has_any(flags, ['canary_passed', 'canary_failed', 'canary_error'])
    ) AS is_canary
    FROM verdicts
)
WHERE {where} AND check_kind = 'judge' AND judge_model IS NOT NULL
GROUP BY ALL
ORDER BY ALL
