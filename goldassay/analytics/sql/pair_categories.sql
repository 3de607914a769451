-- Failure categories of the common questions on both sides.
SELECT "check", category, sum(in_base)::BIGINT, sum(in_head)::BIGINT
FROM (
    SELECT "check", coalesce(base_category, 'other') AS category, 1 AS in_base, 0 AS in_head
    FROM pairs WHERE base_outcome = 'fail'
    UNION ALL
    SELECT "check", coalesce(head_category, 'other'), 0, 1 FROM pairs WHERE head_outcome = 'fail'
)
GROUP BY "check", category
ORDER BY sum(in_head) + sum(in_base) DESC, "check", category
