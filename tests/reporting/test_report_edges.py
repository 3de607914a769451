"""Reports of runs that lack things: no golden set, no judge, no earlier run, odd answers, broken charts."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from goldassay.analytics.models import Counts, CriterionTrust, GateResult, GateState, JudgeUse, ReasonGroup
from goldassay.reporting.compare_markdown import compare_markdown
from goldassay.reporting.html import html_report
from goldassay.reporting.html.charts import trends
from goldassay.reporting.html.records import outcome_rank
from goldassay.reporting.html.svg import themed_svg
from goldassay.reporting.junit import compare_junit
from goldassay.reporting.markdown import summary_markdown
from goldassay.reporting.terminal import print_check, print_compare, print_history, print_summary
from goldassay.reporting.theme import make_console
from goldassay.reporting.words import short_labels
from goldassay.verdicts import Evidence, Outcome


def flat(console) -> str:
    """Everything printed, on one line."""
    return " ".join(console.file.getvalue().split())


@pytest.fixture
def bare(make_summary):
    """A run of rules alone, the first of its kind, in which nothing failed."""
    summary = make_summary()
    quiet = [replace(check, change=None, errors=(), failures=()) for check in summary.checks if check.kind == "rule"]
    idle = replace(
        quiet[0], check="banned_wording", rate=replace(quiet[0].rate, counts=Counts(skipped=9), headline=None)
    )
    return make_summary(
        app_versions=("",), models=(), window=(None, None), sampling="", judged_records=0,
        checks=(*quiet[:2], idle), reasons=(),
        error_reasons=(), answerability=None, compared_to=None, broken=(), fixed=(), judges=(), notices=(), rejected=0,
        rejected_lines=(), files=(), calls=0,
    )  # fmt: skip


def test_a_bare_run_has_no_empty_sections(bare, console):
    """What a run did not do is not mentioned, in any form of report."""
    print_summary(bare, console)
    page = "".join(html_report(bare, []))
    text = summary_markdown(bare)

    for title in ("WHY ANSWERS FAILED", "WHAT CHANGED", "SET ASIDE", "JUDGE", "ANSWERABILITY", "Parquet"):
        assert title not in flat(console)
    assert "applied to no answer: banned_wording" in flat(console)
    assert "Applied to no answer: banned_wording." in page
    assert 'id="trend"' not in page
    assert "###" not in text


def test_check_without_failures_ends_with_its_table(bare, console):
    """Nothing to explain, so no command to explain it."""
    print_check(bare, console)

    assert "goldassay" not in flat(console)


def test_improvements_corrections_and_open_questions_are_told(make_summary, console):
    """A rise is marked, a corrected rate named, a rule that cannot know counted."""
    summary = make_summary()
    change = summary.checks[4].change
    better = replace(summary.checks[0], change=replace(change, claim="improvement", difference=0.02))
    same = replace(summary.checks[1], change=replace(change, check="numbers", claim="no_change", difference=0.0))
    known = replace(
        summary.checks[2],
        corrected=0.93,
        corrected_interval=summary.checks[2].rate.interval,
        corrected_outside=1.02,
        labels=40,
        rate=replace(summary.checks[2].rate, counts=Counts(passed=9, failed=1, unsure=3)),
    )
    print_summary(replace(summary, checks=(better, same, known), broken=(), fixed=()), console)

    printed = flat(console)
    assert "▲ +0.02" in printed
    assert "no change: numbers" in printed
    assert "0.93 [0.97, 1.00] corrected for the judge's known mistakes, from 40 labels" in printed
    assert "the correction gave 1.02, which is no rate, and was set to 1.00" in printed
    assert "3 answers it cannot decide, left to the judge" in printed
    assert "No question changed its outcome." in printed


def test_a_silent_judge_and_several_judges(make_summary, console):
    """Only what is known is said; with two judges each has its own cost."""
    quiet = JudgeUse(provider="scripted", model="lexical", trust=(CriterionTrust("faithful", 30, 0),))
    priced = replace(quiet, model="other", calls=3, cost_usd=0.5, latency_p50_ms=8.0)
    print_summary(make_summary(judges=(quiet, priced)), console)

    printed = flat(console)
    assert "model scripted lexical, calibrated" in printed
    assert "calls 3, $0.50, half of them under 8 ms" in printed


def test_many_causes_are_cut_and_counted(make_summary, console):
    """The rest is named in one line; --verbose shows it all."""
    groups = tuple(
        ReasonGroup(category="other", name=f"cause {n}", checks=("relevant",), count=9, answers=9, of_answers=90)
        for n in range(9)
    )
    print_summary(make_summary(reasons=groups), console)

    assert "and 3 more causes: cause 6 9, cause 7 9, cause 8 9" in flat(console)


def test_odd_answers_are_shown_near_what_is_wrong(make_summary, paper_of):
    """An empty answer, one wrong late, overlapping marks, one endless word, many citations."""
    first = make_summary().reasons[0].examples[0]
    late = "word " * 200 + "until 9 o'clock. " + "more " * 60
    at = late.index("9 o'clock")
    marks = (Evidence("number", "9 o'clock", at, at + 9), Evidence("number", "clock", at + 4, at + 9))
    odd = (
        replace(first, answer=" ", evidence=()),
        replace(first, answer=late, evidence=marks, answer_cut=True),
        replace(first, answer="x" * 600, evidence=(Evidence("number", "x", 500, 501),), citations=first.citations * 7),
    )
    console = paper_of(100)
    print_summary(make_summary(reasons=(replace(make_summary().reasons[0], examples=odd),)), console, verbose=True)

    printed = flat(console)
    assert "A (empty answer)" in printed
    assert "until 9 o'clock. more" in printed
    assert "word…" not in printed
    assert "and 2 more" in printed


def test_a_comparison_without_changes_or_gate(make_compare, console):
    """No gate section, no lists, no command to judge again; the exits of JUnit and Markdown too."""
    report = make_compare(
        checks=(),
        broken=(),
        fixed=(),
        still_failing=(),
        gate=None,
        rejudge_command=None,
        only_base=0,
        only_head=0,
        notices=(),
    )
    print_compare(report, console)

    assert "GATE" not in flat(console)
    assert "left out" not in flat(console)
    assert "testcase" not in "".join(compare_junit(report))
    assert "|" not in compare_markdown(report)


def test_checks_without_any_change_share_a_line(make_compare, console):
    """The table shows what moved; a check that moved nowhere is named below."""
    report = make_compare()
    still = replace(report.checks[1], overall=replace(report.checks[1].overall, broken=0, fixed=0))
    print_compare(replace(report, checks=(report.checks[0], still)), console)

    assert "the same outcome on every question: numbers" in flat(console)


def test_a_gate_with_reasons_alone(make_compare, console):
    """What is missing for a decision is said in sentences."""
    gate = GateResult(state=GateState.NOT_EVALUABLE, reasons=("only 12 common questions, 50 are needed",))
    report = make_compare(gate=gate)
    twice = replace(report.broken[0], head=replace(report.broken[0].head, record_id="other"))
    print_compare(replace(report, broken=(*report.broken, twice)), console)

    assert "a gate that cannot know does not open" in flat(console)
    assert "only 12 common questions, 50 are needed" in flat(console)


def test_a_history_of_one_version(make_history, console):
    """No change without a version before; days, causes and flaky questions as far as they are known."""
    history = make_history()
    lonely = replace(history.categories[0], change=None)
    flaky = history.flaky[0]
    report = replace(
        history, versions=("1.4.0",), days=history.days[:1], until=datetime(2026, 12, 1, tzinfo=UTC), since=None,
        categories=(lonely,) * 17, rates=tuple(replace(row, first_seen=None) for row in history.rates),
        flaky=(replace(flaky, judge_changed=True), replace(flaky, same_answer=False), replace(flaky, same_answer=None)),
    )  # fmt: skip
    print_history(report, console)

    printed = flat(console)
    assert "until 2026-12-01 00:00 UTC" in printed
    assert "and 2 more with --verbose" in printed
    assert "judge or rubric changed" in printed
    assert "the answer changed" in printed
    assert "goldassay compare" not in printed


def test_a_check_that_never_knew_has_no_rate(make_summary, make_history, console):
    """Nothing graded is a dash: on the terminal, in the history, in Markdown and on the page."""
    summary = make_summary()
    unknown = replace(summary.checks[0].rate, counts=Counts(unsure=4), headline=None, readable=None)
    unsure = replace(summary, checks=(replace(summary.checks[0], rate=unknown),))
    history = make_history()
    print_summary(unsure, console)
    print_history(replace(history, rates=(replace(history.rates[0], rate=unknown),)), console)

    assert flat(console).count("0/0 –") == 1
    assert "applied to no answer: faithful" in flat(console)
    assert "| cites | 0/0 | – |  |" in summary_markdown(unsure)
    assert "nothing graded" in "".join(html_report(unsure, []))
    assert "| check | passed |" not in summary_markdown(replace(unsure, checks=()))


def test_marks_that_overlap_in_an_example_are_drawn_once(make_summary):
    """The page never shows a part of an answer twice."""
    first = make_summary().reasons[0].examples[0]
    at = first.answer.index("4 hours")
    marks = (*first.evidence, Evidence("number", "hours", at + 2, at + 7), Evidence("number", "x", 5000, 5001))
    summary = make_summary(reasons=(replace(make_summary().reasons[0], examples=(replace(first, evidence=marks),)),))

    assert '<mark class="bad">4 hours</mark> before the ride starts [2].' in "".join(html_report(summary, []))


def test_checks_that_never_failed_share_a_line(make_history, paper_of):
    """A history shows what moved; --verbose shows the rest."""
    history = make_history()
    spotless = replace(history.rates[4], rate=replace(history.rates[4].rate, counts=Counts(passed=200), headline=1.0))
    report = replace(history, rates=(*history.rates[:4], spotless))
    short, full = paper_of(120), paper_of(80)
    print_history(report, short)
    print_history(report, full, verbose=True)

    assert "never failed: numbers" in flat(short)
    assert "3 0.90-0.92" in flat(short)
    assert "NUMBERS rule" in flat(full)


def test_old_versions_are_counted(make_history, console):
    """The newest eight are listed, the others can be had."""
    history = make_history()
    print_history(replace(history, rates=tuple(replace(history.rates[0], version=f"v{n}") for n in range(11))), console)

    assert "and 3 older versions with --verbose" in flat(console)
    assert "v10" in flat(console)


def test_a_chart_that_cannot_be_drawn_is_left_out(make_history, monkeypatch, caplog):
    """A report without a picture is better than no report; the log says so."""

    def broken(spec):
        raise ValueError("Vega-Lite to SVG conversion failed")

    monkeypatch.setattr("goldassay.reporting.html.charts.vl_convert.vegalite_to_svg", broken)
    history = make_history()

    assert [trend.svg for trend in trends(history.days, history.rates)] == ["", "", ""]
    assert "a chart is left out of the report" in caplog.text


def test_labels_of_columns_stay_apart():
    """Long version names that begin alike are cut in the middle, equal ones are numbered."""
    assert short_labels(["1.0", "1.1"]) == ["1.0", "1.1"]
    assert short_labels(["release-2026-10-01", "release-2026-11-01"]) == ["re…026-10-01", "re…026-11-01"]
    assert len(set(short_labels(["aaaaaaaaa-same-end"] * 3))) == 3


def test_a_foreign_drawing_is_dropped_whole():
    """Only an SVG element is a drawing."""
    assert themed_svg('<html xmlns="http://www.w3.org/1999/xhtml"/>', label="x") == ""


def test_the_order_of_outcomes():
    """Failures first, then errors, what cannot be known, passes, and what does not apply."""
    order = [Outcome.FAIL, Outcome.ERROR, Outcome.UNSURE, Outcome.PASS, Outcome.SKIP]

    assert sorted(Outcome, key=outcome_rank) == order


def test_a_narrow_encoding_breaks_no_output(monkeypatch):
    """On a stream that is not UTF-8, signs that cannot be written become question marks."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1", errors="strict", write_through=True))

    make_console().print("ok ✓ 漢")

    assert raw.getvalue() == b"ok ? ?\n"
