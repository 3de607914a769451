-- The latest readable verdict of each question and check on both sides, side by side. Only light columns.
WITH sided AS (
    SELECT
        v.is_head, coalesce(v.question_id, k.question, v.record_id) AS question, v."check", v.outcome, v.score, v.stratum,
        v.severity, v.category, v.check_kind, coalesce(v.weight, 1) AS weight, v.run_id, v.record_id, v.month, v.run_at,
        coalesce(v.asked_at, v.run_at) AS moment
    FROM side_verdicts AS v
    LEFT JOIN keys AS k ON v.question_id IS NULL AND v.run_id = k.run_id AND v.record_id = k.record_id
    WHERE v.outcome IN ('pass', 'fail')
),
common AS (
    -- Before any sorting out: in a log few questions come again, and the others cannot pair.
    SELECT question FROM sided GROUP BY question HAVING bool_or(is_head) AND NOT bool_and(is_head)
),
latest AS (
    SELECT
        is_head, question, "check",
        -- The newest answer wins, then its newest judging; the rest makes the choice the same each time.
        arg_max({'outcome': outcome, 'score': score, 'stratum': stratum, 'severity': severity, 'category': category,
                 'check_kind': check_kind, 'weight': weight, 'run_id': run_id, 'record_id': record_id, 'month': month},
                (moment, run_at, run_id, record_id)) AS v
    FROM sided SEMI JOIN common USING (question)
    GROUP BY is_head, question, "check"
)
SELECT
    question, h."check", coalesce(h.v.stratum, b.v.stratum) AS stratum, h.v.severity AS severity,
    h.v.check_kind AS check_kind,
    -- How many common questions the pair stands for. Two nights draw apart, so the chances multiply; an answer judged
    -- again was drawn once. Rounded, since products of the same weights are one group.
    round(CASE WHEN b.v.record_id = h.v.record_id THEN greatest(b.v.weight, h.v.weight)
               ELSE b.v.weight * h.v.weight END, 6) AS weight,
    h.v.weight AS head_weight,
    b.v.outcome AS base_outcome, h.v.outcome AS head_outcome,
    b.v.category AS base_category, h.v.category AS head_category, h.v.score - b.v.score AS difference,
    b.v.run_id AS base_run, b.v.record_id AS base_record, b.v.month AS base_month,
    h.v.run_id AS head_run, h.v.record_id AS head_record, h.v.month AS head_month
FROM (SELECT * FROM latest WHERE is_head) AS h
JOIN (SELECT * FROM latest WHERE NOT is_head) AS b USING (question, "check")
