-- The verdicts and answers of a few wanted rows, with what each answer cites; texts are cut here, not in Python.
WITH cited AS (
    SELECT run_id, record_id, any_value(evidence) AS marks
    FROM verdicts SEMI JOIN wanted USING (run_id, record_id)
    WHERE "check" = 'cites' AND list_contains($months, month) AND list_contains($run_ids, run_id)
    GROUP BY run_id, record_id
),
told AS (
    SELECT
        run_id, record_id, question, left(answer, $chars) AS answer, length(answer) > $chars AS is_cut,
        list_transform(sources, lambda s: {'id': s.id, 'title': s.title, 'url': s.url}) AS sent
    FROM answers SEMI JOIN wanted USING (run_id, record_id)
    WHERE list_contains($months, month) AND list_contains($run_ids, run_id)
)
SELECT
    w.position, v.record_id, v.question_id, t.question, t.answer, t.is_cut, v."check", v.outcome, v.category, v.reason,
    v.score, v.evidence, v.app_version, v.run_id, left(v.reply, $chars), c.marks, t.sent
FROM wanted AS w
JOIN verdicts AS v ON v.run_id = w.run_id AND v.record_id = w.record_id AND v."check" = w."check"
LEFT JOIN told AS t ON t.run_id = w.run_id AND t.record_id = w.record_id
LEFT JOIN cited AS c ON c.run_id = w.run_id AND c.record_id = w.record_id
WHERE list_contains($months, v.month) AND list_contains($run_ids, v.run_id)
ORDER BY w.position
