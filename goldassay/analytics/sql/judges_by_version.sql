-- Who judged which check under which version; inside a rollup.
SELECT
    "check", coalesce(version, '') AS version,
    list_sort(list(DISTINCT judge_model || ' / ' || coalesce(rubric_version, '')))
FROM rollup
WHERE check_kind = 'judge' AND judge_model IS NOT NULL
GROUP BY "check", coalesce(version, '')
