-- How many failures and errors in scope are alike; grouped by bare columns, as in sql/rollup.sql.
SELECT
    {column} AS version, "check", outcome, category,
    count(*) AS n, min({moment}) AS first_seen, max({moment}) AS last_seen
FROM verdicts
WHERE {where} AND outcome IN ('fail', 'error')
GROUP BY ALL
