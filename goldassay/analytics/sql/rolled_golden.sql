-- Verdicts that tell of answerability; inside a rollup.
SELECT coalesce(sum(n), 0)::BIGINT
FROM rollup
WHERE "check" = 'refusal' AND answerable IS NOT NULL
