"""A golden run that answered too few of the golden questions: what the gate says, and that every report shows it."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest

from goldassay.analytics.compare import compare
from goldassay.analytics.coverage import Coverage
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.golden import golden_base
from goldassay.analytics.models import GateState
from goldassay.analytics.summary import run_summary
from goldassay.reporting.html import render_html
from goldassay.reporting.junit import compare_junit
from goldassay.reporting.markdown import summary_markdown
from goldassay.reporting.terminal import print_summary
from goldassay.reporting.theme import make_console

GATE = GateConfig()
CONDITION = "golden questions answered >= 16 of 20"
WHAT_TO_DO = "have the rest asked ([assistant]) or logged, then: goldassay golden --again"
FOUND = f"only 7 of 20 have an answer of this version; {WHAT_TO_DO}"


@pytest.fixture
def graded(store, verdict, publish_run):
    """Publishes a golden run over a set of twenty questions: the first so many answered, the last of those failing."""

    def publish(run_id: str, answered: int = 20, failing: int = 0, **fields: object):
        rows = [
            verdict(run_id, f"{run_id}-{q}", "numbers", "fail" if q >= answered - failing else "pass",
                    question_id=f"q{q}", **fields)
            for q in range(answered)
        ]  # fmt: skip
        return publish_run(store, run_id, rows, kind="golden", golden_questions=20)

    return publish


@pytest.mark.parametrize(
    ("answered", "failing", "state", "place"),
    [
        pytest.param(20, 0, GateState.PASS, -1, id="all"),
        pytest.param(16, 0, GateState.PASS, -1, id="just-enough"),
        pytest.param(15, 0, GateState.NOT_EVALUABLE, 0, id="one-too-few"),
        pytest.param(7, 0, GateState.NOT_EVALUABLE, 0, id="a-third"),
        pytest.param(7, 7, GateState.FAIL, -1, id="a-third-and-all-wrong"),
        pytest.param(2, 0, GateState.NOT_EVALUABLE, 0, id="too-few-to-pair-as-well"),
    ],
)
def test_a_version_that_answered_a_third_of_the_questions_has_not_passed(
    store, graded, answered: int, failing: int, state: GateState, place: int
) -> None:
    """However well it answered those; what failed on them has failed all the same, and then leads."""
    graded("n1")
    graded("n2", answered, failing)

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.state is state
    assert gate.conditions[place][0] == CONDITION
    assert bool(gate.unanswered) is (place == 0)


@pytest.mark.parametrize(("most", "needed"), [(0.29, 71), (0.3, 70), (0.0, 100), (1.0, 0)])
def test_a_share_of_missing_questions_is_counted_exactly(most: float, needed: int) -> None:
    """0.29 * 100 is 28.999... in binary."""
    assert Coverage(0, 100).needed(most) == needed


def test_every_report_shows_first_what_decides_with_figures_and_what_to_do(store, graded, tmp_path) -> None:
    """Page, Markdown, terminal and JUnit have the same condition as the flow's sentence."""
    graded("n1")
    graded("n2", 7)
    summary = run_summary(store, "n2", gate=GATE)
    console = make_console(width=200)
    console.file = io.StringIO()

    print_summary(summary, console)
    page = unescape(render_html(store, "n2", tmp_path / "page.html", gate=GATE).read_text(encoding="utf-8"))
    markdown = unescape(summary_markdown(summary).replace("\\", ""))
    junit = unescape("".join(compare_junit(compare(store, "n1", "n2"))))

    told = re.search(r"<table><tbody>\s*<tr>(.*?)</tr>", page, re.DOTALL)
    assert told is not None
    assert CONDITION in told[1]
    assert FOUND in told[1]
    assert "Gate not evaluable: only 7 of 20 golden questions answered, 16 needed" in page
    assert f"| ❔ | {CONDITION} | {FOUND} |" in markdown
    assert f"{CONDITION}  {FOUND}" in re.sub(r"  +", "  ", console.file.getvalue())
    assert f'name="{CONDITION}"' in junit


def test_a_run_short_of_answers_is_no_measure_for_the_next(store, graded) -> None:
    """The gate refused it, so the next is held against the one before."""
    graded("n1")
    graded("n2", 7)
    last = graded("n3")

    base = golden_base(store, last, GATE)

    assert base is not None
    assert base.run_id == "n1"


def test_questions_the_baseline_left_unanswered_do_not_shut_the_gate(store, verdict, publish_run, graded) -> None:
    """They grade nothing, so no later answer can pair with them; the head's own count decides."""
    base = [verdict("n1", f"a{q}", "numbers", "pass", question_id=f"q{q}") for q in range(19)]
    base.append(verdict("n1", "unanswered-q19", "answered", "error", question_id="q19"))
    publish_run(store, "n1", base, kind="golden", golden_questions=20)
    graded("n2")

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.state is GateState.PASS


def test_a_question_that_was_asked_and_not_answered_is_not_answered(store, verdict, publish_run, graded) -> None:
    """It has a row, which says that the assistant fell over."""
    graded("n1")
    rows = [verdict("n2", f"b{q}", "numbers", "pass", question_id=f"q{q}") for q in range(15)]
    rows += [verdict("n2", f"unanswered-q{q}", "answered", "error", question_id=f"q{q}") for q in range(15, 20)]
    publish_run(store, "n2", rows, kind="golden", golden_questions=20)

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.unanswered == "only 15 of 20 golden questions answered, 16 needed"


def test_other_runs_are_not_asked_for_the_golden_set(store, verdict, publish_run) -> None:
    """A night answers what people ask; nothing is missing from it."""
    for night in ("n1", "n2"):
        rows = [verdict(night, f"{night}{q}", "numbers", "pass", question_id=f"q{q}") for q in range(10)]
        publish_run(store, night, rows)

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert not any("golden questions" in condition for condition, _, _ in gate.conditions)
