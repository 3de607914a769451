-- Rows for sql/rates.sql out of the rollup: those that repeat nothing.
SELECT
    {group} AS grp, "check", check_kind, outcome, NULL::VARCHAR AS cluster,
    coalesce(weight, 1) AS weight, first_seen, last_seen, n
FROM rollup
WHERE {where}
