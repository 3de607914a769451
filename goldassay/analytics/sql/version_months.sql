-- The months of the runs that hold one of the versions, and whether every manifest names its versions.
SELECT
    bool_and(len(app_versions) > 0),
    list_sort(list(DISTINCT strftime(run_at, '%Y-%m')) FILTER (list_has_any(app_versions, $versions)))
FROM runs
