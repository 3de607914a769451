-- The two-by-two table of whole answers: passed where every gate check readable on both sides passed. Beside it that of
-- the rules alone, and that of the judge: 'failed' where it alone failed the answer. Apart by whether the judge looked
-- on both sides, and by how many questions of the log such a pair stands for.
WITH checks AS (
    SELECT *, check_kind = 'judge' AS by_judge, base_outcome = 'pass' AS base, head_outcome = 'pass' AS head
    FROM pairs
    WHERE severity = 'gate'
),
answers AS (
    SELECT
        question, bool_or(by_judge) AS is_judged, bool_or(NOT by_judge) AS has_rules,
        max(weight) FILTER (by_judge) AS weight, max(head_weight) FILTER (by_judge) AS head_weight,
        bool_and(base) AS base, bool_and(head) AS head,
        coalesce(bool_and(base) FILTER (NOT by_judge), TRUE) AS base_rules,
        coalesce(bool_and(head) FILTER (NOT by_judge), TRUE) AS head_rules
    FROM checks
    GROUP BY question
),
told AS (
    SELECT *, base OR NOT base_rules AS base_judge, head OR NOT head_rules AS head_judge FROM answers
)
SELECT
    is_judged, weight, max(head_weight), bool_or(has_rules),
    count(*) FILTER (base AND head), count(*) FILTER (base AND NOT head),
    count(*) FILTER (NOT base AND head), count(*) FILTER (NOT base AND NOT head),
    count(*) FILTER (base_rules AND head_rules), count(*) FILTER (base_rules AND NOT head_rules),
    count(*) FILTER (NOT base_rules AND head_rules), count(*) FILTER (NOT base_rules AND NOT head_rules),
    count(*) FILTER (base_judge AND head_judge), count(*) FILTER (base_judge AND NOT head_judge),
    count(*) FILTER (NOT base_judge AND head_judge), count(*) FILTER (NOT base_judge AND NOT head_judge)
FROM told
GROUP BY is_judged, weight
ORDER BY ALL
