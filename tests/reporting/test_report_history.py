"""A history as Markdown and as a page: by version, by day, with what an outage of the judge leaves open."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from goldassay.analytics.models import Counts, Interval
from goldassay.reporting.history_markdown import history_markdown
from goldassay.reporting.html.history import history_html
from goldassay.reporting.terminal import print_history
from goldassay.reporting.theme import TERMINAL_THEME


def told(report, width: int = 120) -> str:
    """What the terminal shows, in one line."""
    console = Console(file=io.StringIO(), width=width, theme=TERMINAL_THEME, color_system=None)
    print_history(report, console)
    assert isinstance(console.file, io.StringIO)
    return " ".join(console.file.getvalue().split())


def with_outage(history):
    """The fourth day of the first check lost three quarters of its replies."""
    known = history.days[3].rate
    unread = replace(known, counts=Counts(4, 1, 15), headline=0.2, bounds=Interval(0.2, 0.95))
    return replace(history, days=(*history.days[:3], replace(history.days[3], rate=unread), *history.days[4:]))


def test_markdown_tells_versions_days_and_causes(make_history):
    """Rates with interval, bounds and dates; categories with share, change and versions; a row a day."""
    text = history_markdown(with_outage(make_history()))

    assert text.startswith("## atlas: history of 4 app versions")
    assert re.search(
        r"\| faithful \| 1\.4\.0 \| \S+ \| 0\.\d\d \| \[[^]]+\] \| 3 \| \[0\.\d\d, 0\.\d\d\] \| 2026", text
    )
    assert "| added claim | faithful | 8 | 6 | 7 | 19 | 9.5 % | **+0.06** | 1.2.0 to 1.4.0 |" in text
    assert "| contradicts source | faithful | 9 | 7 | 7 | 4 | 2.0 % | -0.01 | 1.2.0 to 1.4.0 |" in text
    assert "### Why answers failed: 120 answers" in text
    assert "| 2026-11-04 | ⚠️ [0.20, 0.95] |" in text
    assert "| 1.4.0 | 0.09 [0.06, 0.14] | 0.21 [0.09, 0.41] |" in text


def test_the_page_runs_no_script_and_shows_the_newest_first(make_history):
    """Trend, shaded table, rates, causes and days; the policy forbids every script."""
    text = history_html(with_outage(make_history()))

    assert "script-src 'none'" in text
    assert "<script" not in text
    assert text.index('<td class="check">1.4.0</td>') < text.index('<td class="check">1.2.0</td>')
    assert text.count('<figure class="card">') == 3
    assert '<span class="error">[0.20, 0.95]</span>' in text
    assert "120 answers with a failed check" in text


@pytest.mark.parametrize("write", [history_markdown, history_html])
def test_an_empty_history_and_hostile_names_do_no_harm(make_history, hostile, write):
    """Nothing made up; a version label is text whatever it holds."""
    empty = make_history(versions=(), rates=(), days=(), categories=(), answerability=(), reasons=(), flaky=())
    assert "No verdicts in this window." in write(empty)

    history = make_history()
    rates = tuple(replace(row, version=hostile) for row in history.rates)
    assert "<img" not in write(replace(history, rates=rates, app=hostile))


@pytest.mark.parametrize("width", [80, 120])
def test_a_log_without_versions_says_what_else_to_follow(make_history, width):
    """A blank label would look like a fault of the table."""
    history = make_history()
    rates = tuple(replace(row, version="") for row in history.rates[3:4])

    shown = told(replace(history, versions=("",), rates=rates, categories=(), reasons=()), width)

    assert "The log names no app version: all answers stand in one row. Try --by model, --by prompt_version" in shown
    assert "no version" in shown


def test_a_narrow_terminal_keeps_bounds_dates_and_says_what_it_leaves_out(make_history):
    """At 80 columns the bar gives way to the bounds, and an older version is not dropped in silence."""
    history = make_history()
    more = replace(history, versions=("1.1.0", *history.versions))

    shown = told(more, 80)

    assert "errors bounds seen" in shown
    assert re.search(r"0\.\d\d-0\.\d\d \d\d-\d\d to \d\d-\d\d", shown)
    assert "1 older version left out here; all stand in --json" in shown


def test_a_sparkline_has_a_scale_and_no_fall_where_the_judge_was_out(make_history):
    """The outage is an error's sign, and does not stretch the scale."""
    shown = told(with_outage(make_history()))

    assert "!" in shown.partition("FAITHFUL")[2][:40]
    assert re.search(r"0\.\d\d to 0\.\d\d, 2026-11-01 to 2026-11-29; ! judge outage", shown)
    assert "0.20 to" not in shown


@pytest.mark.parametrize(
    ("kind", "judge_changed", "same_answer", "said"),
    [
        ("judge", False, True, "same answer: the judge wavers"),
        ("judge", True, True, "judge or rubric changed"),
        ("rule", False, True, "same answer, other sources or facts"),
        ("rule", True, True, "the rule changed"),
        ("rule", False, False, "the answer changed"),
    ],
)
def test_no_judge_is_blamed_for_a_rule(make_history, kind, judge_changed, same_answer, said):
    """A rule never wavers over one and the same input."""
    history = make_history()
    flaky = replace(history.flaky[0], kind=kind, judge_changed=judge_changed, same_answer=same_answer)

    assert said in told(replace(history, flaky=(flaky,)))


@pytest.mark.parametrize(("by", "title"), [("app_version", "version"), ("model", "model")])
def test_a_history_calls_its_column_by_what_it_is_made_by(make_history, by, title):
    """Models under the word 'version' are no versions."""
    report = make_history(by=by)

    printed, written, page = told(report), history_markdown(report), history_html(report)

    assert f"WHY, BY {title.upper()}" in printed
    assert f" {title} passed rate" in printed
    assert f"### Rates by {title}" in written
    assert f"| check | {title} | passed" in written
    assert f"<th>{title.capitalize()}</th>" in page
