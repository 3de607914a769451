-- How many verdicts in scope are alike in all that counts over versions and days ask for: one pass over the store.
-- Grouped by bare columns, which the reader hands over as dictionaries; days are UTC days.
SELECT
    {column} AS version, {day} AS day, "check", check_kind, outcome, category, weight, judge_model, rubric_version,
    answerable, question_id IS NULL AS is_unnamed, reused IS TRUE AS is_reused,
    count(*) AS n, min({moment}) AS first_seen, max({moment}) AS last_seen
FROM {table}
WHERE {where}
GROUP BY ALL
