"""The worked examples of the documentation come out to the figure."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from goldassay.rules.engine import check_answer
from goldassay.sources import read_answers, read_golden

GRADED = "graded_against_what_the_model_saw"


@pytest.fixture
def examples(project_root: Path) -> Path:
    """The folder of examples."""
    return project_root / "examples"


def _records(path):
    return [record for batch in read_answers(path) for record in batch.records]


def _outcomes(folder, file="answers.jsonl"):
    """Outcome by record and check."""
    golden = read_golden(folder / "golden.yaml")
    verdicts = [v for record in _records(folder / file) for v in check_answer(record, golden.find(record))]
    return {(verdict.record_id, verdict.check): str(verdict.outcome) for verdict in verdicts}


def _not_failed(outcomes, check):
    return sum(outcome != "fail" for (_, name), outcome in outcomes.items() if name == check)


def test_bike_rental_totals_are_exact(examples):
    """Cites 3 of 5, numbers 3 of 5, refusal 4 of 5, length 5 of 5."""
    outcomes = _outcomes(examples / "bike_rental")

    totals = {check: _not_failed(outcomes, check) for check in ("cites", "numbers", "refusal", "length")}

    assert totals == {"cites": 3, "numbers": 3, "refusal": 4, "length": 5}


@pytest.mark.parametrize(
    ("case", "failed"),
    [
        ("case-1", set()),
        ("case-2", {"numbers"}),
        ("case-3", {"cites"}),
        ("case-4", {"cites", "numbers", "refusal"}),
        ("case-5", set()),
    ],
)
def test_each_bike_rental_answer_fails_what_is_wrong_with_it(examples, case, failed):
    """And nothing else."""
    outcomes = _outcomes(examples / "bike_rental")

    assert {check for (name, check), outcome in outcomes.items() if name == case and outcome == "fail"} == failed


def test_all_fourteen_document_questions_hold_their_key_fact_and_a_citation(examples):
    """14 questions, 14 with key fact, 14 with citation, 0 not found."""
    outcomes = _outcomes(examples / "key_facts")

    counts = Counter((check, outcome) for (_, check), outcome in outcomes.items())

    assert counts["key_fact", "pass"] == 14
    assert counts["cites", "pass"] == 14
    assert counts["refusal", "pass"] == 14
    assert "fail" not in outcomes.values()


def test_a_key_fact_is_no_piece_of_text(examples):
    """'20' is not in '2020', and '3 days' is not in '13 days'."""
    outcomes = _outcomes(examples / "key_facts", "traps.jsonl")

    assert outcomes["trap-year", "key_fact"] == "fail"
    assert outcomes["trap-13-days", "key_fact"] == "fail"


def test_the_cited_source_is_found_among_those_sent(examples):
    """Four sources sent, the first one cited."""
    folder = examples / "custom_roles"
    (record,) = _records(folder / "answers.jsonl")
    golden = read_golden(folder / "golden.yaml").find(record)
    (verdict,) = [verdict for verdict in check_answer(record, golden) if verdict.check == "cites"]

    assert len(record.sources) == 4
    assert verdict.outcome == "pass"
    assert {evidence.source_id for evidence in verdict.evidence if evidence.source_id} == {"1"}


def test_grading_against_the_reference_raises_three_false_alarms(examples):
    """15 correct and 4 unsupported against the article; 2 flagged against the sources sent, of which 1 remains."""
    folder = examples / GRADED
    replies = {name: json.loads((folder / f"replies_{name}.json").read_text()) for name in ("sent", "reference")}
    records = _records(folder / "answers.jsonl")
    against_article = [replies["reference"][record.question] for record in records]
    flagged = [record for record in records if replies["sent"][record.question]["score"] < 4]

    assert len(records) == 20
    assert sum(reply["score"] >= 4 for reply in against_article) == 15
    assert sum(reply["category"] == "added_claim" for reply in against_article) == 4
    assert len(flagged) == 2
    refused = {name for (name, check), outcome in _outcomes(folder).items() if (check, outcome) == ("refusal", "pass")}
    assert [record.record_id for record in flagged if record.record_id not in refused] == ["a20"]


def test_both_halves_of_the_story_hold_the_same_answers(examples):
    """Only the sources differ."""
    sent = _records(examples / GRADED / "answers.jsonl")
    article = _records(examples / GRADED / "answers_against_reference.jsonl")

    assert [(r.record_id, r.answer) for r in sent] == [(r.record_id, r.answer) for r in article]


def test_the_demo_logs_hold_two_nights_and_one_bad_line(examples):
    """The new version breaks more than it cures, and the cut line is set aside, not lost."""
    golden = read_golden(examples / "data" / "golden.yaml")
    batches = list(read_answers(examples / "data" / "logs"))
    records = [record for batch in batches for record in batch.records]
    (rejected,) = [item for batch in batches for item in batch.rejected]

    matched = Counter(record.app_version for record in records if golden.find(record))

    assert matched == {"2026.10.1": len(golden), "2026.11.0": len(golden)}
    assert rejected.line == 32
    assert any(not question.answerable for question in golden)
