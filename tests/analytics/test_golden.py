"""What a golden run is held against, and that its report says what its gate says."""

from __future__ import annotations

import pytest

from goldassay.analytics.gate import GateConfig
from goldassay.analytics.golden import golden_base
from goldassay.analytics.models import GateState
from goldassay.analytics.summary import run_summary
from goldassay.reporting.headline import change_mood, headline

GATE = GateConfig()


@pytest.fixture
def graded(store, verdict, publish_run):
    """Publishes a golden run of twenty questions, of which the first so many fail."""

    def publish(run_id: str, failing: int, **fields: object):
        rows = [
            verdict(
                run_id, f"{run_id}-{q}", "numbers", "fail" if q < failing else "pass", question_id=f"q{q}", **fields
            )
            for q in range(20)
        ]
        return publish_run(store, run_id, rows, kind="golden")

    return publish


def base_of(store, run, *, newer_too: bool = False) -> str | None:
    """Id of the run that a golden run is held against."""
    base = golden_base(store, run, GATE, newer_too=newer_too)
    return None if base is None else base.run_id


def test_a_run_the_gate_refused_is_no_measure(store, graded) -> None:
    """The third run is held against the first: beside the second, which fell, it would look as good as ever."""
    graded("n1", 0)
    bad = graded("n2", 12)
    again = graded("n3", 12)

    assert base_of(store, bad) == "n1"
    assert base_of(store, again) == "n1"


def test_a_run_the_gate_let_through_is_the_next_measure(store, graded) -> None:
    """Without an accepted run the last good one counts."""
    graded("n1", 5)
    graded("n2", 0)
    last = graded("n3", 0)

    assert base_of(store, last) == "n2"


def test_the_accepted_run_comes_first(store, graded) -> None:
    """Whatever came between; a run older than it was held against something else, unless the gate is asked anew."""
    old = graded("n1", 0)
    graded("n2", 0)
    accepted = graded("n3", 3)
    new = graded("n4", 3)
    store.accept("n3")

    assert base_of(store, new) == "n3"
    assert base_of(store, old) is None
    assert base_of(store, old, newer_too=True) == "n3"
    assert base_of(store, accepted) == "n2"


def test_a_run_without_a_verdict_is_no_measure(store, graded, publish_run) -> None:
    """It cannot be compared, so nothing says that it was good."""
    graded("n1", 0)
    publish_run(store, "n2", [], kind="golden")
    last = graded("n3", 0)

    assert base_of(store, last) == "n1"


def test_a_golden_report_says_what_its_gate_says(store, graded) -> None:
    """Compared with the accepted run, with the gate's sentence on top, and none about 'last time'."""
    graded("n1", 0)
    graded("n2", 12)
    graded("n3", 12)
    store.accept("n1")

    summary = run_summary(store, "n3", gate=GATE)

    assert (summary.compared_to, summary.compared_as) == ("n1", "the baseline")
    assert summary.gate is not None
    assert summary.gate.state is GateState.FAIL
    assert headline(summary).endswith(
        "Gate failed: 2 of 3 conditions do not hold; 12 answers broke, 0 were fixed. Held against the baseline, run n1."
    )
    assert change_mood(summary) == "worse"
    assert summary.answers_change is not None
    assert len(summary.broken) == summary.answers_change.broken == 12


def test_a_measure_that_nobody_accepted_is_called_what_it_is(store, graded) -> None:
    """The first run passed no gate: there was none to pass."""
    graded("n1", 0)
    graded("n2", 0)
    graded("n3", 0)

    names = [run_summary(store, run, gate=GATE).compared_as for run in ("n2", "n3")]

    assert names == ["the first golden run (none is accepted)", "the last golden run that passed"]


def test_the_first_golden_run_says_what_to_do(store, graded) -> None:
    """Nothing to compare with is no pass; once accepted it says that it is the measure."""
    graded("n1", 0)

    before = headline(run_summary(store, "n1", gate=GATE))
    store.accept("n1")
    after = headline(run_summary(store, "n1", gate=GATE))

    assert "Gate not evaluable: this is the first golden run" in before
    assert before.endswith("goldassay accept n1")
    assert after.endswith("It is the accepted baseline.")


def test_a_base_without_a_verdict_leaves_the_gate_shut(store, graded, publish_run) -> None:
    """The report is shown all the same."""
    publish_run(store, "n1", [], kind="golden")
    graded("n2", 0)

    summary = run_summary(store, "n2", gate=GATE)

    assert summary.gate is not None
    assert summary.gate.state is GateState.NOT_EVALUABLE
    assert "no verdict with run 'n1'" in summary.gate.reasons[0]


@pytest.mark.parametrize(
    ("compare_to", "found", "name"),
    [("n2", "n2", "the run before"), ("baseline", "n1", "the baseline"), (None, None, "the run before")],
)
def test_a_named_run_is_compared_with_as_asked(store, graded, compare_to, found, name) -> None:
    """The settings may name another; without a gate none is told."""
    for run_id in ("n1", "n2", "n3"):
        graded(run_id, 0)
    store.accept("n1")

    summary = run_summary(store, "n3", compare_to=compare_to)

    assert (summary.compared_to, summary.compared_as, summary.gate) == (found, name, None)


def test_a_gate_over_another_judge_alarms_the_report(store, graded) -> None:
    """What the comparison says loudly stands in the report, too."""
    graded("n1", 0)
    graded("n2", 0, check_version="2")

    summary = run_summary(store, "n2", gate=GATE)

    assert "rule_version_differs" in {notice.code for notice in summary.notices}
