-- Golden questions that a run has an answer to; one the assistant was asked and did not answer has a row of its own.
SELECT count(DISTINCT question_id)
FROM verdicts
WHERE {where} AND question_id IS NOT NULL AND "check" <> $answered
