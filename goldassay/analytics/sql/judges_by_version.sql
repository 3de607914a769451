-- Who judged which check under which version.
SELECT "check", {version} AS version, list_sort(list(DISTINCT judge_model || ' / ' || coalesce(rubric_version, '')))
FROM verdicts
WHERE {where} AND check_kind = 'judge' AND judge_model IS NOT NULL
GROUP BY ALL
