"""Golden: which run a version is compared with, whether it was graded before, and what the gate says in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from goldassay.analytics.models import CompareReport, GateState
from goldassay.stages.plan import RunPlan
from goldassay.store import Store

__all__ = ["already_graded", "baseline_of", "verdict_words"]

_SAME_CHANGE = timedelta(hours=20)
"""Two requests for the same version, settings and golden set within this time are one change told twice."""
_NAMED = 5


def already_graded(store: Store, plan: RunPlan) -> str | None:
    """Id of a finished golden run that was asked for in the same words a short while ago; None when there is none."""
    for run in reversed(store.runs(plan.app, "golden")):
        if run.intent == plan.intent and run.run_id != plan.run_id and plan.run_at - run.run_at <= _SAME_CHANGE:
            return run.run_id
    return None


def baseline_of(store: Store, plan: RunPlan) -> str | None:
    """Id of the accepted run; before the first was accepted, of the golden run before this one; None without either."""
    accepted = store.baseline(plan.app)
    if accepted is not None and accepted.run_id != plan.run_id:
        return accepted.run_id
    earlier = [run for run in store.runs(plan.app, "golden") if run.run_id != plan.run_id]
    return earlier[-1].run_id if earlier else None


def verdict_words(report: CompareReport | None, run_id: str) -> dict[str, Any]:
    """The gate's answer as small data: state, sentence, counts, and the first questions that broke.

    Args:
        report: The comparison; None: there is nothing to compare with yet.
        run_id: The golden run.
    """
    if report is None or report.gate is None:
        sentence = (
            f"not evaluable: {run_id} is the first golden run, so there is nothing to compare it with. "
            f"Read it, then make it the baseline: goldassay accept {run_id}"
        )
        return {"state": GateState.NOT_EVALUABLE.value, "run_id": run_id, "base": None, "sentence": sentence}
    broken = [change.question_id or change.question[:60] for change in report.broken]
    state = report.gate.state
    reasons = "; ".join(report.gate.reasons) or "every condition holds"
    named = f" Broken: {', '.join(broken[:_NAMED])}{', ...' if len(broken) > _NAMED else ''}." if broken else ""
    todo = {
        GateState.PASS: f" Make it the baseline: goldassay accept {run_id}",
        GateState.FAIL: f" See: goldassay compare {report.base.label} {run_id}",
        GateState.NOT_EVALUABLE: f" See: goldassay compare {report.base.label} {run_id}",
    }[state]
    return {
        "state": state.value,
        "run_id": run_id,
        "base": report.base.label,
        "broken": len(report.broken),
        "fixed": len(report.fixed),
        "sentence": f"gate {state.value.replace('_', ' ')}: {reasons}.{named}{todo}",
    }
