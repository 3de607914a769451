"""The reports on the terminal: complete, safe, and readable at 80 columns without colour."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace

import pytest
from rich.console import Console

from goldassay.analytics.models import Counts, GateResult, GateState, Interval, Notice, RejectedLine
from goldassay.reporting.headline import repeats_sentence
from goldassay.reporting.markdown import summary_markdown
from goldassay.reporting.terminal import print_check, print_compare, print_history, print_summary
from goldassay.reporting.theme import ASCII, TERMINAL_THEME, make_console, signs_for

COMMAND = "    "


def text_of(console: Console) -> str:
    """What was printed."""
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_the_nightly_report_tells_everything(make_summary, console):
    """Headline, rates with counts and intervals, errors apart, reasons with examples, changes, cost."""
    print_summary(make_summary(), console)

    printed = " ".join(text_of(console).split())
    for part in (
        "1,842 of 2,000 answers passed every gate check (0.92, [0.90, 0.94]); 6 could not be judged, so the true",
        "Worse than last time: faithful.",
        "171/200 0.85 [0.78, 0.93]",
        "▼ -0.07",
        "0.88 of the 194 readable verdicts; between 0.85 and 0.89 whatever the errors were",
        "WHY ANSWERS FAILED 360 answers, 214 failed verdicts",
        "104 wrong number 29 % of them, in numbers (120 verdicts)",
        "1 answer broke",
        "fix this once and 98 answers pass",
        "'4 hours' stands in no cited source; D2 says '2 hours'",
        "cites [2] Refunds and cancellation (source 2 of 4)",
        "cites [D8] (not among the 4 sources sent)",
        "WHAT THE JUDGE COULD NOT GRADE 6 answers, 6 judge errors",
        "faithful fell from 0.91 to 0.84 on 212 common questions; 19 broke, 4 were fixed; p = 0.003",
        "logs/2026-11-28.jsonl.gz 118 no field 'answer'",
        "321 calls, $1.43, 96 reused",
        "4.0 % of the replies had to be mended (fence removed 12, trailing comma 4)",
        "not calibrated",
        "24 of 24 refusals graded as supported",
        "goldassay compare 20261128T020000-77ff 20261129T020000-a1b2",
        "evals/store/verdicts/app=atlas/month=2026-11/20261129T020000-a1b2-0.parquet",
    ):
        assert part in printed


def test_replies_asked_again_and_repeats_that_flipped_are_told(make_summary, console):
    """A judge that is hard to read or unsteady is not hidden behind its rates."""
    summary = make_summary()

    print_summary(replace(summary, judges=(replace(summary.judges[0], reasked=3, flip_share=0.05),)), console)

    printed = " ".join(text_of(console).split())
    assert "1.1 % of the replies unreadable, 3 asked again" in printed
    assert "5.0 % of the repeats flipped" in printed


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(make_summary, make_history, make_compare, paper_of, width):
    """Only commands and paths, which must be copied whole, may run over."""
    console = paper_of(width)
    print_summary(make_summary(), console, verbose=True)
    print_history(make_history(), console, verbose=True)
    print_compare(make_compare(), console, verbose=True)
    print_check(make_summary(), console)

    wide = [line for line in text_of(console).splitlines() if len(line) > width]
    assert all(line.startswith(COMMAND) and ("goldassay" in line or "evals/store" in line) for line in wide)


def test_figures_are_never_cut_off(make_compare, paper_of):
    """In a narrow terminal names fold; a shortened number would be a wrong number."""
    console = paper_of(80)
    report = make_compare()
    long = replace(report.checks[0], overall=replace(report.checks[0].overall, check="a_very_long_check_name_of_ours"))
    print_compare(replace(report, checks=(long,)), console)

    assert "0.91 → 0.84" in text_of(console)
    assert "0.012" in text_of(console)


def test_without_a_terminal_there_is_no_escape_sequence(make_summary, console):
    """A log file holds plain text."""
    print_summary(make_summary(), console)

    assert "\x1b" not in text_of(console)


def test_hostile_text_stays_text(make_summary, hostile, paper_of):
    """Markup, escape sequences and direction overrides from data reach no terminal, in any field."""
    console = paper_of(100, color=True)
    summary = make_summary(app=hostile, sampling=hostile, app_versions=(hostile,), models=(hostile,), store=hostile)
    bad = replace(
        summary.reasons[0].examples[0],
        question=hostile,
        answer=hostile,
        reason=hostile,
        record_id=hostile,
        check=hostile,
        evidence=(),
        citations=(summary.reasons[0].examples[0].citations[0]._replace(marker=hostile, title=hostile),),
    )
    groups = (replace(summary.reasons[0], name=hostile, checks=(hostile,), examples=(bad,)),)
    checks = (replace(summary.checks[0], check=hostile),)
    change = replace(summary.broken[0], question=hostile, check=hostile, head=bad)
    summary = replace(
        summary,
        reasons=groups,
        checks=checks,
        broken=(change,),
        rejected_lines=(RejectedLine(hostile, 1, hostile),),
        notices=(Notice("x", "alarm", hostile),),
        judges=(replace(summary.judges[0], model=hostile, provider=hostile, rubric=hostile),),
    )
    print_summary(summary, console, verbose=True)

    printed = text_of(console)
    assert "\x1b[31mred" not in printed
    assert "\x07" not in printed
    assert "\u202e" not in printed
    assert "[red]x[/red]" in printed


def test_a_run_without_answers_says_so(make_summary, console):
    """Nothing graded is not a rate of zero, nor a passed night."""
    none = make_summary().answers
    empty = replace(none, counts=Counts(), headline=None, readable=None)
    print_summary(make_summary(answers=empty, records=5, compared_to=None, checks=(), reasons=(), judges=()), console)

    assert "5 answers read, none could be graded." in text_of(console)


def test_an_interval_that_repeated_questions_widen_says_why(make_summary, console):
    """36 of 42 right is [0.72, 0.93] elsewhere; here 42 answers are those to 7 questions."""
    first, *others = make_summary().checks
    rate = replace(first.rate, counts=Counts(36, 6), effective_n=7.3, weights_matter=False)
    summary = make_summary(checks=(replace(first, check="numbers", severity="gate", rate=rate), *others))

    print_summary(summary, console)

    told = "olden questions or verdicts repeat; the intervals are as wide as of fewer answers: numbers 7 of 42"
    assert told in " ".join(text_of(console).split())
    assert told in summary_markdown(summary)
    assert repeats_sentence(others) == ""
    assert repeats_sentence([replace(summary.checks[0], rate=replace(rate, weights_matter=True))]) == ""


def test_weighted_rates_are_named_as_such(make_summary, console):
    """Where sampling weighs, the rate of the whole log stands in front and the graded one beside it."""
    summary = make_summary()
    weighted = replace(summary.checks[4].rate, weighted=0.7, weights_matter=True)
    summary = replace(
        summary,
        checks=(replace(summary.checks[4], rate=weighted),),
        answers_judged=replace(summary.answers, counts=Counts(160, 40), weighted=0.7, weights_matter=True),
    )
    print_summary(summary, console)

    printed = " ".join(text_of(console).split())
    assert "weighted to the whole log; 0.85 among the 200 graded" in printed
    assert "160 of 200 judged answers passed every gate check (of the whole log 0.70," in printed
    assert "The judge did not see the other 1,800: by the rules alone, 1,682 of them passed." in printed


def test_the_history_shows_both_ways_to_be_wrong(make_history, paper_of):
    """The two-by-two table, rates by version, categories with their change, flaky questions."""
    console = paper_of(120)
    print_history(make_history(), console)

    printed = " ".join(text_of(console).split())
    assert "the sources hold an answer 160 ✓ 16 ✗ 0.09 [0.06, 0.14]" in printed
    assert "they hold none 5 ✗ 19 ✓ 0.21 [0.09, 0.41]" in printed
    assert "added claim faithful 8 6 7 19 9.5 % ▲ +0.06 1.2.0 to 1.4.0" in printed
    assert "contradicts source faithful 9 7 7 4 2.0 % -0.01" in printed
    assert "verdicts: 1.2.0 8, 1.3.0 6, 1.3.1 7, 1.4.0 19; share +0.06" in printed
    assert "same answer: the judge wavers" in printed
    assert "goldassay compare 1.3.1 1.4.0 --by app_version" in printed


def test_an_empty_history_says_what_to_do(make_history, console):
    """No verdicts: a sentence, not an empty screen."""
    print_history(
        make_history(versions=(), rates=(), days=(), categories=(), answerability=(), reasons=(), flaky=()), console
    )

    assert "No verdicts in this window." in text_of(console)


def test_a_comparison_shows_both_answers_and_the_gate(make_compare, paper_of):
    """Sentence, alarm, table, gate, and the two answers side by side where there is room."""
    console = paper_of(120)
    print_compare(make_compare(), console)

    printed = text_of(console)
    assert "faithful fell from 0.91 to 0.84 on 212 common questions" in printed
    assert "Rubric rag 2 graded the base, rag 3 the candidate." in printed
    assert "✗ failed: 1 of 2 conditions does not hold; 19 answers broke, 4 were fixed" in printed
    assert "BROKE  19 answers; 57 verdicts" in printed
    assert "and 18 more answers with --verbose" in printed
    assert "p  p adj." in printed
    assert "dropped by 0.07" in printed
    assert "wrong_number>0" not in printed
    assert "✓  1.3.1" in printed
    assert any("2 hours before" in line and "Yes. You get" in line for line in printed.splitlines())


def test_a_pass_that_saw_a_fall_says_that_none_is_proven(make_compare, console):
    """A tick alone below "fell from 0.81 to 0.69" would be believed."""
    gate = GateResult(
        state=GateState.PASS,
        conditions=(("whole answers may not fall", GateState.PASS, "it fell by 0.11"),),
        doubts=("whole answers",),
    )

    print_compare(make_compare(gate=gate), console)

    assert "✓ passed: no fall is proven; 19 answers broke, 4 were fixed" in text_of(console)
    assert "fell, but it may be chance: whole answers" in text_of(console)


def test_a_comparison_leaves_tiny_strata_out_and_names_judge_errors(make_compare, console):
    """One question of a stratum shows nothing; errors pair with nothing, and could hide a change."""
    report = make_compare()
    first = report.checks[0]
    tiny = replace(first.overall, stratum="contract", common=1)
    checks = (replace(first, overall=replace(first.overall, head_errors=11), strata=(tiny,)), *report.checks[1:])

    print_compare(replace(report, checks=checks), console)

    printed = text_of(console)
    assert "contract" not in printed
    assert "1 stratum of fewer than 5 questions left out" in printed
    assert "faithful 0 base, 11 head" in " ".join(printed.split())


def test_a_comparison_in_which_nothing_moved_names_the_checks_only(make_compare, console):
    """No table of zeros, no note on p-values, no list; and with one broken answer no word of more."""
    report = make_compare()
    still = [replace(check.overall, broken=0, fixed=0, p_adjusted=0.003) for check in report.checks]
    checks = tuple(
        replace(check, overall=change, strata=()) for check, change in zip(report.checks, still, strict=True)
    )
    one = replace(report.answers, broken=1)

    print_compare(replace(report, checks=checks, answers=one, fixed=(), still_failing=()), console)

    printed = text_of(console)
    assert "the same outcome on every question: faithful, numbers and relevant" in printed
    assert "p adj." not in printed
    assert "more answer" not in printed


def test_mean_scores_and_still_failing_answers_are_shown(make_compare, console):
    """The bootstrap's interval stands beside the mean; what still fails is named, not only counted."""
    report = make_compare()
    first = report.checks[0]
    scored = replace(first.overall, mean_difference=-0.5, mean_interval=Interval(-0.7, -0.3))

    print_compare(replace(report, checks=(replace(first, overall=scored), *report.checks[1:])), console)

    printed = text_of(console)
    assert "faithful   -0.50  [-0.70, -0.30]" in printed
    assert "STILL FAILING  11 answers; 33 verdicts" in printed
    assert "and 10 more answers with --verbose" in printed


def test_verdicts_that_change_no_answer_are_told_apart(make_compare, console):
    """An answer that failed before did not break; it is counted, and listed with --verbose alone."""
    report = make_compare()
    partly = replace(report.broken[0], is_answer=False, question="Failed before?")
    partly = replace(partly, head=replace(partly.head, record_id="other"))

    print_compare(replace(report, broken=(*report.broken, partly)), console)
    short = text_of(console)
    print_compare(replace(report, broken=(*report.broken, partly)), console, verbose=True)

    assert "in 1 more answer a check broke (numbers), but the answer as a whole" in " ".join(short.split())
    assert "Failed before?" not in short
    assert "Failed before?" in text_of(console)


def test_a_golden_report_has_the_gate_on_top(make_summary, console):
    """The sentence, and below it a line for each condition that does not hold."""
    gate = GateResult(
        state=GateState.FAIL,
        reasons=("whole answers may not fall: it fell by 0.38",),
        conditions=(("whole answers may not fall", GateState.FAIL, "it fell by 0.38"),),
    )

    print_summary(make_summary(gate=gate, run_kind="golden", compared_as="the baseline"), console)

    printed = " ".join(text_of(console).split())
    assert "Gate failed: 1 of 1 condition does not hold" in printed
    assert "Held against the baseline, run" in printed
    assert "✗ whole answers may not fall: it fell by 0.38" in printed
    assert printed.count("Gate failed") == 1


def test_a_gate_that_held_is_told_once(make_summary, console):
    """In the sentence on top: there is no condition to list."""
    gate = GateResult(state=GateState.PASS, conditions=(("whole answers may not fall", GateState.PASS, "it rose"),))

    print_summary(make_summary(gate=gate, run_kind="golden"), console)

    assert "GATE" not in text_of(console)
    assert "Gate passed: 1 condition holds" in text_of(console)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_check_names_and_findings_survive_a_narrow_terminal(make_compare, paper_of, width):
    """Counts and p-values give way first."""
    console = paper_of(width)
    print_compare(make_compare(), console)

    rows = [line for line in text_of(console).splitlines() if line.startswith("  relevant ")]
    assert rows
    assert rows[0].rstrip().endswith("cannot tell")


def test_a_console_that_knows_no_unicode_gets_ascii_signs(make_summary):
    """The report's own signs are ASCII there, and nothing breaks the run."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii", errors="replace", write_through=True)
    console = Console(file=file, width=80, theme=TERMINAL_THEME)
    print_summary(make_summary(), console)

    assert signs_for(console) == ASCII
    assert b"v -0.07" in raw.getvalue()
    assert b"########" in raw.getvalue()


def test_no_color_is_honoured(monkeypatch):
    """NO_COLOR switches colours off even on a terminal."""
    monkeypatch.setenv("NO_COLOR", "1")

    assert make_console().no_color


def test_the_terminal_report_loads_no_heavy_package():
    """`goldassay check` answers in under a second: no Arrow, no DuckDB, no charts, no scipy."""
    code = "import sys, goldassay.reporting.terminal, goldassay.reporting.junit; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert not {"pyarrow", "duckdb", "altair", "scipy", "jinja2", "httpx", "prefect"} & set(loaded)
