-- Versions and models of the answers, and how many answers the judge saw.
SELECT
    list_sort(list(DISTINCT app_version) FILTER (app_version <> '')),
    list_sort(list(DISTINCT model) FILTER (model <> '')),
    count(DISTINCT (run_id, record_id)) FILTER (check_kind = 'judge')
FROM verdicts
WHERE {where}
