-- Failures and errors in scope; the text is read for `other` alone.
SELECT
    run_id, month, record_id, question_id, {version} AS version, "check", outcome, category, severity,
    CASE WHEN category = 'other' THEN reason END AS reason, length(reason) AS reason_chars,
    coalesce(asked_at, run_at) AS moment
FROM reasons
WHERE {where}
