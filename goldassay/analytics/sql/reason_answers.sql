-- How many answers each cause is about, and how many any cause is about (the row without a category), failures and
-- errors apart: one answer may fail for several causes, and for one of them in several checks.
SELECT category, grp, is_error, count(DISTINCT (run_id, record_id))
FROM (
    SELECT r.run_id, r.record_id, r.category, w.grp, r.outcome = 'error' AS is_error
    FROM ({source}) AS r
    LEFT JOIN wordings AS w ON r.category = 'other' AND r.wording = w.wording
)
GROUP BY GROUPING SETS ((category, grp, is_error), (is_error))
ORDER BY ALL
