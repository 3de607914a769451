-- The failures and errors of a run, one row each, what failed the answer first; texts are cut here, not in Python.
WITH failed AS (
    SELECT run_id, record_id, question_id, "check", outcome, coalesce(category, 'other') AS category, reason,
        app_version, row_number() OVER (
            ORDER BY (severity = 'gate') DESC, (outcome = 'fail') DESC, "check", record_id
        ) AS place
    FROM verdicts
    WHERE {where} AND outcome IN ('fail', 'error')
    ORDER BY place
    LIMIT $most
),
told AS (
    SELECT run_id, record_id, any_value(question) AS question
    FROM answers SEMI JOIN failed USING (run_id, record_id)
    GROUP BY run_id, record_id
)
SELECT
    f.record_id, coalesce(f.question_id, ''), left(coalesce(t.question, ''), $chars), f."check", f.outcome,
    f.category, left(coalesce(f.reason, ''), $chars), coalesce(f.app_version, '')
FROM failed AS f
LEFT JOIN told AS t ON t.run_id = f.run_id AND t.record_id = f.record_id
ORDER BY f.place
