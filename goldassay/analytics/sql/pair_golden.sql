-- Common questions whose entry in the golden set is another on the two sides, and in what.
WITH asked AS (
    SELECT DISTINCT question, base_run, base_record, base_month, head_run, head_record, head_month FROM pairs
)
SELECT
    p.question,
    list_filter([
        CASE WHEN b.golden_question IS DISTINCT FROM h.golden_question THEN 'question' END,
        CASE WHEN b.answerable IS DISTINCT FROM h.answerable THEN 'answerable' END,
        CASE WHEN b.key_facts IS DISTINCT FROM h.key_facts THEN 'key facts' END,
        CASE WHEN b.reference IS DISTINCT FROM h.reference THEN 'reference' END,
        CASE WHEN b.expected_sources IS DISTINCT FROM h.expected_sources THEN 'expected sources' END
    ], lambda part: part IS NOT NULL) AS parts
FROM asked AS p
JOIN answers AS b ON b.run_id = p.base_run AND b.record_id = p.base_record AND b.month = p.base_month
JOIN answers AS h ON h.run_id = p.head_run AND h.record_id = p.head_record AND h.month = p.head_month
WHERE b.golden_question IS NOT NULL AND h.golden_question IS NOT NULL AND len(parts) > 0
ORDER BY ALL
