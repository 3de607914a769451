"""Golden: which run a version is compared with, whether it was graded before, and what the gate says in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from goldassay.analytics.coverage import WHAT_TO_DO
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.golden import golden_base
from goldassay.analytics.models import GateResult, GateState
from goldassay.analytics.models_reports import CompareReport
from goldassay.stages.plan import RunPlan
from goldassay.store import RunManifest, Store

__all__ = [
    "already_graded",
    "baseline_of",
    "graded_words",
    "verdict_words",
]

_SAME_CHANGE = timedelta(hours=20)
"""Two requests for the same version, settings and golden set within this time are one change told twice."""
_NAMED = 5


def already_graded(store: Store, plan: RunPlan, *, golden_digest: str | None) -> RunManifest | None:
    """The finished golden run that graded the same version against the same golden set a short while ago.

    Args:
        store: The store.
        plan: The golden run that is asked for now.
        golden_digest: Of the golden set as it is now: a set that was edited since is graded anew.

    Returns:
        None when there is none, or when no version was named: the newest one may be another by now.
    """
    if not any((plan.app_version, plan.model, plan.prompt_version, plan.index_version)):
        return None
    for run in reversed(store.runs(plan.app, "golden")):
        is_same = run.intent == plan.intent and run.golden_digest == golden_digest
        if is_same and run.run_id != plan.run_id and plan.run_at - run.run_at <= _SAME_CHANGE:
            return run
    return None


def graded_words(store: Store, run: RunManifest, report: CompareReport | None) -> dict[str, Any]:
    """The gate's answer for a run that had graded the change before: asking again does not open a gate that is shut.

    Args:
        store: The store.
        run: The run that graded it.
        report: Its comparison with the baseline, made now; None: there is nothing to compare with.
    """
    accepted = store.baseline(run.app)
    words = verdict_words(report, run.run_id)
    if accepted is not None and accepted.run_id == run.run_id:
        words = {**words, "state": GateState.PASS.value, "sentence": "it is the accepted baseline."}
    hint = "Grade it anew: goldassay golden --again"
    return {**words, "already_graded": True, "sentence": f"already graded by {run.run_id}: {words['sentence']} {hint}"}


def baseline_of(store: Store, plan: RunPlan, gate: GateConfig) -> str | None:
    """Id of the accepted run; before one was accepted, of the last golden run that was good; None without either."""
    run = RunManifest(run_id=plan.run_id, run_kind="golden", run_at=plan.run_at, app=plan.app)
    base = golden_base(store, run, gate, newer_too=True)
    return base.run_id if base is not None else None


def verdict_words(report: CompareReport | None, run_id: str) -> dict[str, Any]:
    """The gate's answer as small data: state, one sentence, counts, and a line for each condition that does not hold.

    Args:
        report: The comparison; None: there is nothing to compare with yet.
        run_id: The golden run.
    """
    if report is None or report.gate is None:
        sentence = (
            f"gate not evaluable: {run_id} is the first golden run, so there is nothing to compare it with. "
            f"Read it, then make it the baseline: goldassay accept {run_id}"
        )
        return {"state": GateState.NOT_EVALUABLE.value, "run_id": run_id, "base": None, "sentence": sentence}
    gate, answers = report.gate, report.answers
    return {
        "state": gate.state.value,
        "run_id": run_id,
        "base": report.base.label,
        "broken": answers.broken if answers else 0,
        "fixed": answers.fixed if answers else 0,
        "sentence": f"gate {gate_sentence(gate, answers)}. {_todo(report, gate, run_id)}",
        "lines": [*gate.reasons, *_doubts(report), *_broken(report)],
    }


def _todo(report: CompareReport, gate: GateResult, run_id: str) -> str:
    if gate.unanswered:
        return WHAT_TO_DO[0].upper() + WHAT_TO_DO[1:]
    if gate.state is GateState.PASS:
        return f"Make it the baseline: goldassay accept {run_id}"
    return f"See: goldassay compare {report.base.label} {run_id}"


def _doubts(report: CompareReport) -> list[str]:
    names = ", ".join(report.gate.doubts) if report.gate is not None else ""
    return [f"fell, but it may be chance: {names}"] if names else []


def _broken(report: CompareReport) -> list[str]:
    """The first questions whose whole answer broke, on one line."""
    whole = [change.question_id or change.question[:60] for change in report.broken if change.is_answer]
    named = list(dict.fromkeys(whole))
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return [f"broken: {', '.join(named[:_NAMED])}{more}"] if named else []
