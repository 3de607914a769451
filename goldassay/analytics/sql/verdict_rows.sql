-- The light columns of the verdicts in scope, with what each verdict repeats.
SELECT
    {group} AS grp, "check", check_kind, outcome, {cluster} AS cluster,
    coalesce(weight, 1) AS weight, coalesce(asked_at, run_at) AS first_seen, coalesce(asked_at, run_at) AS last_seen,
    1 AS n
FROM {table}
WHERE {where}
