"""One answer explained on the terminal, by the real rules."""

from __future__ import annotations

import io

from rich.console import Console

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.reporting.explain import print_explanation
from goldassay.rules.explain import Explanation, Mark, explain
from goldassay.verdicts import Category, Finding, Outcome

SOURCES = (
    Source(id="D1", title="Passes", text="A monthly pass costs 25 dollars."),
    Source(id="D2", title="Refunds", text="You get your money back if you cancel at least 2 hours before the ride."),
)


def printed(console: Console) -> str:
    """Everything on one line."""
    assert isinstance(console.file, io.StringIO)
    return " ".join(console.file.getvalue().split())


def test_each_number_and_citation_is_shown_with_its_place(console):
    """The right number with the words around it in its source, the wrong one with the reason."""
    record = AnswerRecord(
        record_id="case-2",
        question="Do I get my money back if I cancel?",
        answer="A pass costs 25 dollars [D1].\nYou get it back up to 4 hours before the ride [D2].",
        sources=SOURCES,
    )
    print_explanation(explain(record, GoldenQuestion(question_id="q", question="?")), console)

    text = printed(console)
    assert "4 hours✗" in text or "4✗ hours" in text
    assert "[D2]✓" in text
    assert "Passes (source 1 of 2)" in text
    assert "…A monthly pass costs 25 dollars.…" in text
    assert "RULES" in text
    assert "✗ numbers" in text
    assert "1 of 2 sentences in doubt" in text
    assert "Refunds (source 2 of 2)" in text


def test_an_empty_answer_and_no_sources_are_said(console):
    """Nothing to explain is explained too."""
    record = AnswerRecord(record_id="r", question="Why?", answer=" ")
    print_explanation(
        Explanation(record, GoldenQuestion(question_id="q", question="?", answerable=False), (), ()), console
    )

    assert "(empty answer)" in printed(console)
    assert "0 sources sent unanswerable: a refusal is right" in printed(console)


def test_hostile_answers_stay_text(paper_of, hostile):
    """No escape sequence of the answer, its sources or a custom rule reaches the terminal."""
    console = paper_of(100, color=True)
    record = AnswerRecord(record_id=hostile, question=hostile, answer=f"{hostile}\r\n{hostile * 400}", sources=SOURCES)
    marks = (
        Mark("number", 0, 8, hostile, Outcome.FAIL, hostile, "D1", hostile, 0, 4, hostile),
        Mark("sentence", 0, 20, hostile, Outcome.UNSURE, hostile),
        *(Mark("citation", at, at + 1, "[", Outcome.PASS, "", "D9") for at in range(10, 80)),
        *(Mark("sentence", at, at + 1, "[", Outcome.PASS, "", "D9", source_text=hostile) for at in range(80, 149)),
    )
    findings = ((hostile, Finding(Outcome.FAIL, Category.OTHER, hostile)),)
    print_explanation(Explanation(record, None, marks, findings), console)

    assert isinstance(console.file, io.StringIO)
    raw = console.file.getvalue()
    assert "\x1b[31mred" not in raw
    assert not set(raw) & set("\x07\u202e")
    assert raw.count("and 10 more") == 2
    assert "cut here" in raw
