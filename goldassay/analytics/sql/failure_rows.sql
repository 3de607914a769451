-- How many failures and errors in scope are alike, with their mean weight; grouped by bare columns, as in sql/rollup.sql.
SELECT
    {column} AS version, "check", outcome, category, avg(coalesce(weight, 1)) AS weight,
    count(*) AS n, min({moment}) AS first_seen, max({moment}) AS last_seen
FROM {table}
WHERE {where} AND outcome IN ('fail', 'error')
GROUP BY {column}, "check", outcome, category
