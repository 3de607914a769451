"""A comparison of versions as a page: gate, checks, both answers to each question that changed; it runs no script."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from goldassay.analytics.models import GateResult, GateState
from goldassay.reporting.html.compare import compare_html


def plain(report) -> str:
    """What the page says, without its markup."""
    body = compare_html(report).partition("<body>")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_the_page_tells_what_the_terminal_tells(make_compare) -> None:
    """Headline, sentence, gate with what it found, alarm, table, both answers, and how to grade both sides alike."""
    report = make_compare()
    told = plain(report)

    assert report.answers is not None
    assert f"{report.answers.broken} answers broke, {report.answers.fixed} were fixed." in told
    assert "Faithful fell from 0.91 to 0.84 on 212 common questions" in told
    assert "Gate failed: 1 of 2 conditions does not hold" in told
    assert "✗ max_drop faithful 0.03 dropped by 0.07" in told
    assert "Alarm Rubric rag 2 graded the base" in told
    assert (
        "19 answers broke Do I get my money back if I cancel? numbers before, 1.4.0 ✓ pass Yes, up to 2 hours" in told
    )
    assert "faithful 212 0.91 0.84 -0.07 [-0.12, -0.03] 19 4 0.003 0.012 ▼ worse" in told
    assert "relevant 212 0.91 0.84 +0.02 [-0.12, -0.03] 19 4 0.003 0.012 cannot tell about 340 more needed" in told
    assert "goldassay compare 1.3.1 1.4.0 --rejudge" in told
    assert "2 only in 1.3.1 and 1 only in 1.4.0 left out" in told


def test_the_page_runs_no_script_and_asks_nobody(make_compare) -> None:
    """The policy forbids every script, and nothing links to another place."""
    text = compare_html(make_compare())

    assert "script-src 'none'" in text
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", text)


def test_sides_are_named_as_they_were_asked_for(make_compare) -> None:
    """Of app versions each answer tells its own; of models the page has to."""
    versions = plain(make_compare(by="app_version"))
    models = make_compare(by="model")
    named = plain(replace(models, base=replace(models.base, label="llm-1"), head=replace(models.head, label="llm-2")))

    assert "before, " in versions
    assert "now, " in versions
    assert "llm-1, " in named
    assert "llm-2, " in named


@pytest.mark.parametrize("kind", ["broken", "fixed", "still_failing"])
def test_a_list_that_is_cut_says_so(make_compare, kind) -> None:
    """The headline counts all answers, the page shows the first."""
    report = make_compare()
    assert report.answers is not None
    many = replace(report.answers, **{kind: 300})

    assert "300 answers" in plain(replace(report, answers=many))
    assert "The first of them." in plain(replace(report, answers=many))


def test_a_comparison_without_changes_or_gate(make_compare) -> None:
    """Nothing broke: the page says so and has no empty table."""
    report = make_compare(
        gate=None, broken=(), fixed=(), still_failing=(), checks=(), notices=(), rejudge_command=None, answers=None,
        sentences=(),
    )  # fmt: skip
    told = plain(report)

    assert "Nothing to compare." in told
    assert "No question changed its outcome." in told
    assert "Gate" not in told
    assert "<table" not in compare_html(report)


def test_a_gate_that_passed_with_doubts_names_them(make_compare) -> None:
    """A pass that saw a fall is no proof of being good."""
    gate = GateResult(
        state=GateState.PASS, conditions=(("cites may not fall", GateState.PASS, "fell"),), doubts=("cites",)
    )

    assert "Fell, but it may be chance: cites." in plain(make_compare(gate=gate))


def test_texts_from_the_log_are_shown_and_never_run(make_compare, hostile) -> None:
    """Questions, answers, reasons and version names are data."""
    report = make_compare()
    change = report.broken[0]
    head = replace(change.head, answer=hostile, reason=hostile, evidence=(), app_version=hostile)
    text = compare_html(
        replace(
            report,
            base=replace(report.base, label=hostile),
            broken=(replace(change, question=hostile, head=head),),
        )
    )

    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
