"""A change that was graded is not graded twice, and asking again never opens a gate that is shut."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from goldassay.analytics.gate import GateConfig
from goldassay.analytics.models import Change, Example, GateResult, GateState, QuestionChange
from goldassay.analytics.models_reports import CompareReport, Side
from goldassay.stages.golden import already_graded, baseline_of, graded_words, verdict_words
from goldassay.stages.plan import RunPlan
from goldassay.store import RunManifest, Store, open_store

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path / "store")


def _graded(store: Store, run_id: str, at: datetime = NOW, **fields: Any) -> RunManifest:
    known = {"intent": "i", "golden_digest": "g", **fields}
    return store.publish(run_id, RunManifest(run_id=run_id, run_kind="golden", run_at=at, app="a", **known))


def _plan(**fields: Any) -> RunPlan:
    known = {"run_id": "new", "run_at": NOW + timedelta(hours=1), "intent": "i", "app_version": "2", **fields}
    return RunPlan(run_kind="golden", app="a", project=".", store="store", settings={}, **known)


def test_the_same_version_against_the_same_golden_set_was_graded(store: Store) -> None:
    """By intent and golden set, within hours."""
    run = _graded(store, "r1")

    assert already_graded(store, _plan(), golden_digest="g") == run


@pytest.mark.parametrize(
    ("plan", "digest"),
    [
        pytest.param({"intent": "other"}, "g", id="other-settings"),
        pytest.param({}, "edited", id="golden-set-edited"),
        pytest.param({"app_version": None}, "g", id="no-version-named"),
        pytest.param({"run_at": NOW + timedelta(hours=30)}, "g", id="long-ago"),
        pytest.param({"run_id": "r1"}, "g", id="itself"),
    ],
)
def test_anything_else_is_graded(store: Store, plan: dict[str, Any], digest: str) -> None:
    """A gate's answer holds for exactly what was asked."""
    _graded(store, "r1")

    assert already_graded(store, _plan(**plan), golden_digest=digest) is None


def test_a_run_without_baseline_stays_not_evaluable_until_it_is_accepted(store: Store) -> None:
    """Asking twice is no answer; accepting is."""
    run = _graded(store, "r1")

    before = graded_words(store, run, None)
    store.accept("r1")
    after = graded_words(store, run, None)

    assert (before["state"], after["state"]) == ("not_evaluable", "pass")
    assert before["run_id"] == after["run_id"] == "r1"
    assert "already graded by r1" in before["sentence"]


def test_a_run_is_compared_with_what_came_before_it(store: Store) -> None:
    """A run that is looked at once more is not compared with its successor."""
    _graded(store, "r0", NOW - timedelta(days=1))
    _graded(store, "r1")
    _graded(store, "r2", NOW + timedelta(hours=2))

    assert baseline_of(store, _plan(run_id="r1", run_at=NOW), GateConfig()) == "r0"


def _compared(state: GateState, **gate: Any) -> CompareReport:
    sides = Side(label="r0", run_ids=("r0",), app_versions=("1",), answers=2)
    example = Example(record_id="x", question_id="q1", question="Q?", answer="A", check="cites", outcome="fail",
                      category=None, reason="")  # fmt: skip
    broken = [
        QuestionChange(question_id=f"q{n}", question="Q?", check="cites", stratum=None, kind="broken", base=example,
                       head=example, is_answer=n < 7)
        for n in range(8)
    ]  # fmt: skip
    return CompareReport(
        by="run", base=sides, head=sides, common_questions=8, only_base=0, only_head=0, checks=(),
        broken=tuple(broken), answers=Change(check="answers", common=8, broken=7, fixed=1),
        gate=GateResult(state=state, **gate),
    )  # fmt: skip


def test_the_gate_tells_one_sentence_and_a_line_for_each_reason() -> None:
    """Read in a worker's log and in an alert: what it says, what to do, then why; each once."""
    reasons = ("whole answers may not fall: it fell by 0.75", "cites may not fall: it fell by 0.75")
    report = _compared(
        GateState.FAIL,
        reasons=reasons,
        conditions=tuple((reason.split(": ")[0], GateState.FAIL, reason.split(": ")[1]) for reason in reasons),
        doubts=("numbers",),
    )

    words = verdict_words(report, "r1")

    assert words["sentence"] == (
        "gate failed: 2 of 2 conditions do not hold; 7 answers broke, 1 was fixed. See: goldassay compare r0 r1"
    )
    assert words["lines"] == [
        *reasons,
        "fell, but it may be chance: numbers",
        "broken: q0, q1, q2, q3, q4 and 2 more",
    ]
    assert (words["state"], words["broken"], words["fixed"]) == ("fail", 7, 1)


def test_a_gate_that_passed_says_how_to_accept() -> None:
    """The next step, and nothing to explain."""
    words = verdict_words(replace(_compared(GateState.PASS), broken=(), answers=None), "r1")

    assert words["sentence"] == "gate passed. Make it the baseline: goldassay accept r1"
    assert words["lines"] == []


def test_too_few_answered_questions_are_told_with_what_to_do_about_them() -> None:
    """Read in an alert: comparing the few that were answered is no help, having the others asked is."""
    unanswered = "only 7 of 20 golden questions answered, 16 needed"
    found = (("golden questions answered >= 16 of 20", GateState.NOT_EVALUABLE, "only 7 of 20"),)
    gate = _compared(GateState.NOT_EVALUABLE, unanswered=unanswered, conditions=found)
    report = replace(gate, broken=(), answers=None)

    words = verdict_words(report, "r1")

    assert words["sentence"] == (
        f"gate not evaluable: {unanswered}. Have the rest asked ([assistant]) or logged, then: goldassay golden --again"
    )
