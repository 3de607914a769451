"""Figures that claim nothing: labels and markers of the answer, and counts of what it shows itself."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, Source
from goldassay.rules.context import RuleContext
from goldassay.rules.numbers import numbers
from goldassay.rules.settings import NumbersConfig
from goldassay.verdicts import Outcome

_SOURCES = ("Open the app. Close it.", "It is red.", "It is blue.", "It is green.")


def _outcome(answer: str, *texts: str) -> Outcome:
    sources = tuple(Source(id=str(i), text=text) for i, text in enumerate(texts or _SOURCES, start=1))
    context = RuleContext(AnswerRecord(record_id="r", question="How?", answer=answer, sources=sources))
    return numbers(context, NumbersConfig()).outcome


@pytest.mark.parametrize(
    "answer",
    [
        "**Step 1** Open the app",
        "Step 1 is to open the app.",
        "In step 3, open the app.",
        "Schritt 1 Öffnen",
        "| 1 | Open |\n| 2 | Close |",
        "| # | Action |\n|---|---|\n| 1 | Open |\n| 2 | Close |",
        "First 1️⃣ open the app, then 2️⃣ close it.",
        "#1 Open the app",
        "#1: Open the app",
        "No. 1: Open the app",
        "Day 1: Open the app.\nDay 2: Close it.",
        "**Week 1:** Open the app.",
        "According to article 2, it is red.",
        "8) The app is opened.",
        "(1) open the app, (2) close it.",
    ],
)
def test_label_of_the_answer_claims_nothing(answer: str):
    """Steps, rows, days and list markers are the answer's own order."""
    assert _outcome(answer) is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Article 83 applies.", "Article 82 applies."),
        ("Article 1 applies.", "Article 2 applies."),
        ("Reference 12 applies.", "Reference 13 applies."),
        ("30: that is the limit.", "The limit is 40."),
        ("30) employees", "It has 40 employees."),
        ("30. That is the limit.", "The limit is 40."),
        ("In step 3, press red.", "In step 2, press red. In step 4, stop."),
        ("Day 3: arrive.", "Day 2: arrive. Day 4: leave."),
        ("It is ranked #1.", "It is ranked #3."),
        ("The | 30 | limit", "The limit is 40."),
    ],
)
def test_label_of_the_sources_is_a_claim(answer: str, source: str):
    """Articles of a law, and steps that the source numbers itself, must be right."""
    assert _outcome(answer, source) is Outcome.FAIL


@pytest.mark.parametrize(
    "answer",
    [
        "All 3 sources agree.",
        "All four sources agree.",
        "Based on the 3 passages provided, it is red.",
        "One of the four passages says it is red.",
    ],
)
def test_count_of_the_sources_sent_is_known(answer: str):
    """Nobody writes it into a source."""
    assert _outcome(answer) is Outcome.PASS
    assert _outcome(answer, "It is red.") is not Outcome.PASS


_NAMES = ["red", "blue", "green", "gold", "grey", "pink", "black", "white", "brown"]


@given(st.integers(min_value=2, max_value=9), st.sampled_from(["- ", "* ", "1. ", "inline", "and"]), st.booleans())
def test_items_are_counted(count: int, style: str, is_right: bool):  # noqa: FBT001 - drawn
    """'Four colours:' before four items passes; before another number of items it does not."""
    names = _NAMES[: count if is_right else count - 1]
    if style in {"inline", "and"}:
        joint = ", and " if style == "inline" and len(names) > 2 else " and "
        items = ", ".join(names[:-1]) + (joint if len(names) > 1 else "") + names[-1]
    else:
        items = "\n" + "\n".join(f"{style}{name}" for name in names)

    outcome = _outcome(f"It names {count} colours: {items}.", " ".join(_NAMES))

    assert (outcome is Outcome.PASS) is is_right


@pytest.mark.parametrize(
    "answer",
    [
        "Here are the top 10 colours:\n" + "\n".join(f"{i}. a" for i in range(1, 11)),
        "Five colours are named:\n\n* a\n  - x\n* b\n* c\n* d\n* e",
        "It names three people: A, B and C.",
        "There are two ways: (1) by rail, bus or tram, (2) on foot.",
    ],
)
def test_lists_of_every_kind_are_counted(answer: str):
    """Deeper items belong to those above them, and commas inside marked items part nothing."""
    assert _outcome(answer, "a b c d e x A B C rail bus tram foot") is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It has three exclusions: war, flood and fire.", "It has five exclusions: war, flood, fire, theft, rust."),
        ("There are 7 colours:\n- a\n- b", "a b"),
        ("You need 3 documents.", "You need 2 documents."),
    ],
)
def test_count_that_may_be_wrong_is_looked_up(answer: str, source: str):
    """Where the source counts such things, or the list has another length."""
    assert _outcome(answer, source) is not Outcome.PASS


@pytest.mark.parametrize("piece", ["2 a:\n", "- 2 a:\n", "2 a: b, ", "#1 ", "| 1 |\n", "step 2 ", "9) a\n"])
def test_hostile_answer_takes_little_time(piece: str):
    """Lists are counted up to a bound."""
    context_text = piece * (100_000 // len(piece))
    begin = time.process_time()

    _outcome(context_text, "x " * 1000)

    assert time.process_time() - begin < 10  # about 1 s; a pattern that is not linear takes many minutes


def test_top_ten_above_a_list_of_another_length_is_unsure():
    """The answer may have cut its own list short; without a list below it, "the top 10" is a claim like any other."""
    assert _outcome("The top 10 games are:\nRed\nBlue\nGold", "Red, Blue, Gold and many more.") is Outcome.UNSURE
    assert _outcome("It is among the top 10 games.", "It is a game.") is Outcome.FAIL
