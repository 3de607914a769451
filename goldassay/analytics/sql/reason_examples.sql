-- For each cause: how many answers fail a gate check for it alone, and the clearest failures to show.
-- Clear is a failure that stands alone in its answer and says why in few words; each question is shown once.
WITH named AS (
    SELECT r.*, w.grp, coalesce(r.question_id, r.record_id) AS question
    FROM ({source}) AS r
    LEFT JOIN wordings AS w ON r.category = 'other' AND r.wording = w.wording
),
gates AS (
    SELECT run_id, record_id, count(DISTINCT (category, grp, outcome)) AS causes
    FROM named
    WHERE severity = 'gate'
    GROUP BY run_id, record_id
),
ranked AS (
    SELECT
        n.*, g.causes = 1 AND n.severity = 'gate' AS alone,
        row_number() OVER (
            PARTITION BY n.category, n.grp, n.outcome, n.question
            ORDER BY g.causes = 1 DESC, n.reason_chars > 0 DESC, n.reason_chars, n.moment DESC, n.record_id, n."check"
        ) AS nth
    FROM named AS n
    LEFT JOIN gates AS g USING (run_id, record_id)
)
SELECT
    category, grp, outcome = 'error' AS is_error,
    count(DISTINCT record_id) FILTER (alone) AS would_pass,
    list({'run_id': run_id, 'record_id': record_id, 'check': "check", 'month': month}
         ORDER BY alone DESC, reason_chars > 0 DESC, reason_chars, moment DESC, record_id) FILTER (nth = 1) AS shown
FROM ranked
GROUP BY category, grp, outcome
ORDER BY ALL
