-- Failures and errors in scope; the text is read for `other` alone.
SELECT
    run_id, month, record_id, question_id, {version} AS version, "check", outcome,
    coalesce(category, 'other') AS category, severity,
    CASE WHEN coalesce(category, 'other') = 'other' THEN {wording} END AS wording, length(reason) AS reason_chars,
    coalesce(asked_at, run_at) AS moment, coalesce(weight, 1) AS weight
FROM {table}
WHERE {where} AND outcome IN ('fail', 'error')
