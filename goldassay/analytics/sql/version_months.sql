-- The months of the runs that hold one of the versions; a run that names no version may hold any.
SELECT list_sort(list(DISTINCT strftime(run_at, '%Y-%m')))
FROM runs
WHERE len(app_versions) = 0 OR list_has_any(app_versions, $versions)
