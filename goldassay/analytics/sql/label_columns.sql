-- Which of some labels stand in which version column.
SELECT
    list(DISTINCT app_version) FILTER (list_contains($labels, app_version)),
    list(DISTINCT model) FILTER (list_contains($labels, model)),
    list(DISTINCT prompt_version) FILTER (list_contains($labels, prompt_version)),
    list(DISTINCT index_version) FILTER (list_contains($labels, index_version))
FROM answers
WHERE $app IS NULL OR app = $app
