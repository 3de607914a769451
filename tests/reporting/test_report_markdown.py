"""Markdown for pull requests: complete, and inert whatever the data hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from goldassay.analytics.models import GateResult, GateState, Interval, Notice
from goldassay.reporting.compare_markdown import compare_markdown
from goldassay.reporting.markdown import summary_markdown
from goldassay.reporting.markdown_parts import LIMIT_BYTES, inline

LIVE = {"html_inline", "html_block", "link_open", "image", "code_inline", "fence", "code_block", "s_open"}


def tokens(markdown: str) -> list:
    """All tokens of a text, inner ones included."""
    outer = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    return [token for block in outer for token in (block, *(block.children or ()))]


def test_a_run_is_told_in_full(make_summary):
    """The sentence, the table, what broke, why answers failed, and what it cost."""
    text = summary_markdown(make_summary())

    assert "1,842 of 2,000 answers passed every gate check (0.92, \\[0.90, 0.94\\]); 6 could not be judged, so" in text
    assert "| faithful | 171/200 | 0.85 | [0.78, 0.93] | 6 (0.85 to 0.89) | **-0.07** |" in text
    assert "fix this once and 98 answers pass" in text
    assert "### 1 answer broke" in text
    assert "### Why answers failed: 360 answers" in text
    assert text.index("### 1 answer broke") < text.index("| faithful | 171/200")
    assert "(Refunds and cancellation, source 2 of 4)" in text
    assert "\\$1.43" in text


def test_a_comparison_is_told_in_full(make_compare):
    """The sentence, the gate with its conditions, the table, both answers."""
    text = compare_markdown(make_compare())

    assert "**❌ Gate failed: 1 of 2 conditions does not hold; 19 answers broke, 4 were fixed.**" in text
    assert "| faithful | 212 | 0.91 | 0.84 | -0.07 | [-0.12, -0.03] | 19 | 4 | 0.003 | 0.012 | ❌ worse |" in text
    assert "cannot tell, needs about 340 more" in text
    assert "✅ Yes, up to 2 hours" in text
    assert "### 19 answers broke (57 verdicts)" in text
    assert "The first of them." in text
    assert "### 11 answers still failing (33 verdicts)" in text


def test_a_golden_report_has_the_gate_on_top(make_summary):
    """Its sentence bold, what it was held against, and the conditions that do not hold."""
    gate = GateResult(
        state=GateState.NOT_EVALUABLE,
        conditions=(
            ("whole answers may not fall", GateState.NOT_EVALUABLE, "it fell by 0.38"),
            ("cites may not fall", GateState.PASS, "it rose"),
        ),
        doubts=("numbers",),
    )

    text = summary_markdown(make_summary(gate=gate, run_kind="golden", compared_as="the baseline"))

    assert "Held against the baseline, run" in text
    assert "**❔ Gate not evaluable: 1 of 2 conditions cannot be told" in text
    assert "Fell, but it may be chance: numbers." in text
    assert "| ❔ | whole answers may not fall | it fell by 0.38 |" in text
    assert "cites may not fall" not in text
    assert "last time" not in text


def test_verdicts_that_change_no_answer_are_told_apart(make_compare):
    """They stand last, and the table says what they are."""
    report = make_compare()
    partly = replace(report.broken[0], is_answer=False, head=replace(report.broken[0].head, record_id="other"))

    text = compare_markdown(replace(report, broken=(*report.broken, partly)))

    assert "in 1 more answer a check broke (numbers), but the answer as a whole fails or passes as before" in text


def test_a_comparison_tells_mean_scores_and_leaves_out_what_did_not_move(make_compare):
    """Rows without a change and strata of a question or two are noise in a pull request."""
    report = make_compare()
    first, still = report.checks[0], report.checks[2]
    scored = replace(first.overall, mean_difference=-0.5, mean_interval=Interval(-0.7, -0.3))
    tiny = replace(first.overall, stratum="contract", common=1)
    unmoved = replace(still, overall=replace(still.overall, broken=0, fixed=0))
    checks = (replace(first, overall=scored, strata=(tiny,)), unmoved)

    text = compare_markdown(replace(report, checks=checks))

    assert "| faithful | -0.50 | [-0.70, -0.30] |" in text
    assert "The same outcome on every question: relevant." in text
    assert "contract" not in text


def test_a_gate_that_cannot_know_says_so(make_compare):
    """Not evaluable is no pass."""
    text = compare_markdown(make_compare(gate=GateResult(state=GateState.NOT_EVALUABLE)))

    assert "❔ Gate not evaluable" in text
    assert "Gate" not in compare_markdown(make_compare(gate=None))


def test_hostile_data_is_inert(make_summary, hostile):
    """No HTML, link, image, code or struck text comes from data, and tables keep their columns."""
    bad = replace(
        make_summary().broken[0].head, question=hostile, answer=f"~~x~~ ![i](http://x) {hostile}", reason=hostile
    )
    change = replace(make_summary().broken[0], question=hostile, head=bad)
    text = summary_markdown(make_summary(app=hostile, broken=(change,), notices=(Notice("x", "alarm", hostile),)))

    kinds = {token.type for token in tokens(text)}
    assert not kinds & LIVE
    rows = [line for line in text.splitlines() if line.startswith("| ") and "alert" in line]
    assert [line.replace("\\|", "").count("|") for line in rows] == [6]
    assert "@team" not in text


PIECES = [*"<>[](){}`*_~|\\!#&:/@$=+-.\n\r\t ab1w", "www.", "http://", "&amp;"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_no_text_becomes_markup(text):
    """Whatever stands in a field, a reader sees that very text."""
    found = tokens(f"x {inline(text)}")

    assert not {token.type for token in found} & LIVE
    shown = "".join(token.content for token in found if token.type == "text").replace("\u2060", "")
    assert shown.split() == f"x {inline_source(text)}".split()


def inline_source(text: str) -> str:
    """What a reader should see: white space does not count, a lone return is shown."""
    return text.replace("\r\n", "\n").replace("\r", "\u240d")


@pytest.mark.parametrize("text", ["@team", "#12", "https://x.example", "www.x.example", "GH-12"])
def test_hosting_sites_link_nothing(text):
    """Mentions, issue numbers and bare addresses are broken by an invisible joiner."""
    assert text not in inline(text).replace("\\", "")


def test_a_large_report_is_cut_with_a_note(make_summary):
    """Under 60 kB in bytes, whole lines only, and where to find the rest."""
    change = replace(make_summary().broken[0], question="wörd " * 40)
    many = [replace(change, head=replace(change.head, record_id=str(number))) for number in range(400)]
    text = summary_markdown(make_summary(broken=tuple(many)))

    assert len(text.encode()) < LIMIT_BYTES
    assert "*Cut here to stay under 60 kB; all of it: `goldassay report 20261129T020000-a1b2 -o report.html`.*" in text
    assert all(line.endswith("|") for line in text.splitlines() if line.startswith("|"))


def test_the_small_print_tells_how_steady_and_readable_a_judge_is(make_summary):
    """Mended, unreadable and flipped replies stand in every report."""
    summary = make_summary()
    (judge,) = summary.judges
    steady = replace(judge, reasked=3, flip_share=0.05)

    text = summary_markdown(replace(summary, judges=(steady,)))

    assert "4.0 % of the replies mended, 1.1 % unreadable (3 asked again), 5.0 % of the repeats flipped" in text
