"""Replies to a rubric in the forms of small judges: under whose name a grade stands, and how a category is written."""

from __future__ import annotations

import pytest

from goldassay.judging.parsing import parse_reply
from goldassay.judging.rubric import load_rubric
from goldassay.verdicts import Category, Outcome

RAG = load_rubric("rag")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ('{"faithful": {"reason": "r", "score": 5}}', Outcome.PASS),
        ('{"Faithful": {"reason": "r", "score": 2}}', Outcome.FAIL),
        ('{"faithful": 5, "reason": "r"}', Outcome.PASS),
        ('{"faithful": "2/5", "reason": "r"}', Outcome.FAIL),
        ('{"evaluation": {"reason": "r", "score": 5}}', Outcome.PASS),
        ('{"relevant": {"reason": "r", "score": 5}}', Outcome.ERROR),
        ('{"RELEVANT": {"reason": "r", "score": 5}}', Outcome.ERROR),
        ('{"relevant": 5, "reason": "r"}', Outcome.ERROR),
        ('{"faithful": 5, "score": true}', Outcome.ERROR),
        ('{"faithfulness": 5, "reason": "r"}', Outcome.ERROR),
        ('{"rating": 5, "reason": "r"}', Outcome.ERROR),
    ],
)
def test_a_grade_counts_under_its_own_name_alone(reply: str, outcome: Outcome) -> None:
    """What was asked about, or no name: the grade of another criterion is no grade of this one."""
    parsed = parse_reply(reply, RAG, criteria=("faithful",))

    assert parsed.outcome is outcome
    assert bool(parsed.scores) is (outcome is not Outcome.ERROR)


@pytest.mark.parametrize(
    "written", ["wrong_number", "Wrong number", "wrong-number", "WRONG_NUMBER.", "`wrong\\_number`"]
)
def test_a_category_is_known_however_it_is_written(written: str) -> None:
    """Blanks, hyphens, letter case and what stands around it change no category."""
    parsed = parse_reply(f'{{"reason": "r", "score": 2, "category": "{written}"}}', RAG, criteria=("faithful",))

    assert parsed.category is Category.WRONG_NUMBER


@pytest.mark.parametrize("written", ["hallucination", "none", "", "wrong_number or added_claim"])
def test_a_category_outside_the_list_is_other(written: str) -> None:
    """The score decides; a category nobody offered costs no verdict."""
    parsed = parse_reply(f'{{"reason": "r", "score": 2, "category": "{written}"}}', RAG, criteria=("faithful",))

    assert (parsed.outcome, parsed.category) == (Outcome.FAIL, Category.OTHER)
