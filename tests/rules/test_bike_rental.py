"""The worked example of the first-line rules: five answers of a bike rental's assistant, with fixed totals."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Category, Finding, Outcome

_SOURCES = (
    Source(id="D1", text="The monthly pass costs 25 dollars. With the pass, each ride of up to 45 minutes is free."),
    Source(id="D2", text="You get your money back if you cancel at least 2 hours before the ride begins."),
    Source(id="D3", text="A helmet is included with every bike. Please bring it back to the station."),
)
_REFUSAL = "I could not find this in our documents."


class _Case(NamedTuple):
    question: str
    answer: str
    answerable: bool
    failing: frozenset[str]


_CASES = {
    "monthly_pass": _Case(
        "What does the monthly pass cost?",
        "The monthly pass costs 25 dollars and covers rides of up to 45 minutes [D1].",
        answerable=True,
        failing=frozenset(),
    ),
    "money_back": _Case(
        "Do I get my money back if I cancel?",
        "Yes, if you cancel at least 4 hours before the ride begins [D2].",
        answerable=True,
        failing=frozenset({"numbers"}),
    ),
    "helmet": _Case(
        "Is a helmet included?",
        "Yes, a helmet is included with every bike.",
        answerable=True,
        failing=frozenset({"cites"}),
    ),
    "scooters": _Case(
        "Do you rent scooters?",
        "Yes, scooters cost 15 dollars an hour [D8].",
        answerable=False,
        failing=frozenset({"cites", "numbers", "refusal"}),
    ),
    "dog": _Case("Can I bring my dog?", _REFUSAL, answerable=False, failing=frozenset()),
}
_RULES = ("cites", "numbers", "refusal", "length")


def _check(case: _Case) -> dict[str, Finding]:
    record = AnswerRecord(record_id="r", question=case.question, answer=case.answer, sources=_SOURCES)
    golden = GoldenQuestion(question_id="q", question=case.question, answerable=case.answerable)
    settings = {"enabled": _RULES, "length": {"max_words": 120}}
    return dict(load_rules(RulesConfig.model_validate(settings)).check(record, golden))


@pytest.mark.parametrize("name", _CASES)
def test_each_answer_fails_exactly_the_rules_it_should(name: str):
    """The rest is ok."""
    findings = _check(_CASES[name])

    assert {rule for rule, finding in findings.items() if finding.outcome is not Outcome.PASS} == _CASES[name].failing


def test_totals_are_three_three_four_five():
    """Cites 3/5, numbers 3/5, refusal 4/5, length 5/5."""
    findings = [_check(case) for case in _CASES.values()]

    passed = {rule: sum(finding[rule].outcome is Outcome.PASS for finding in findings) for rule in _RULES}

    assert passed == {"cites": 3, "numbers": 3, "refusal": 4, "length": 5}


def test_failures_say_why():
    """Each with its category."""
    scooters = _check(_CASES["scooters"])

    assert scooters["cites"].category is Category.BAD_CITATION
    assert scooters["numbers"].category is Category.WRONG_NUMBER
    assert scooters["refusal"].category is Category.MISSED_REFUSAL
    assert _check(_CASES["helmet"])["cites"].category is Category.MISSING_CITATION
