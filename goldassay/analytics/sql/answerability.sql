-- Verdicts of the rule `refusal` on golden questions: it tells whether an answer was refused, and whether it should be.
SELECT *
FROM {table}
WHERE {where} AND "check" = 'refusal' AND answerable IS NOT NULL AND outcome IN ('pass', 'fail')
