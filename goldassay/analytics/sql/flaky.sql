-- Questions whose verdict flipped although nothing of the assistant changed, most flips first.
WITH seen AS (
    SELECT
        question_id, "check", check_kind, {version} AS version, model, prompt_version, index_version, outcome, run_id, record_id,
        month, check_version, judge_model, rubric_version,
        lag(outcome) OVER (
            PARTITION BY question_id, "check", app_version, model, prompt_version, index_version
            ORDER BY coalesce(asked_at, run_at), run_at, run_id, record_id
        ) AS outcome_before,
        app_version
    FROM {table}
    WHERE {where} AND question_id IS NOT NULL AND outcome IN ('pass', 'fail')
)
SELECT
    question_id, "check", any_value(check_kind), version,
    count(*) FILTER (outcome = 'pass') AS passed, count(*) FILTER (outcome = 'fail') AS failed,
    count(*) FILTER (outcome <> outcome_before) AS flips,
    count(DISTINCT (check_version, judge_model, rubric_version)) > 1 AS judge_changed,
    list({'run_id': run_id, 'record_id': record_id, 'month': month}) AS rows
FROM seen
GROUP BY question_id, "check", version, app_version, model, prompt_version, index_version
HAVING flips > 0
ORDER BY flips DESC, question_id, "check", version
LIMIT $limit
