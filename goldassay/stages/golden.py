"""Golden: which run a version is compared with, whether it was graded before, and what the gate says in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from goldassay.analytics.connect import connect
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.golden import golden_base
from goldassay.analytics.models import GateState
from goldassay.analytics.models_reports import CompareReport
from goldassay.stages.plan import RunPlan
from goldassay.store import RunManifest, Store

__all__ = [
    "already_graded",
    "answered_questions",
    "baseline_of",
    "graded_words",
    "verdict_words",
    "with_coverage",
]

_SAME_CHANGE = timedelta(hours=20)
"""Two requests for the same version, settings and golden set within this time are one change told twice."""
_NAMED = 5
_ANSWERED = """
SELECT count(DISTINCT question_id) FROM verdicts
WHERE run_id = $run AND question_id IS NOT NULL
  AND record_id NOT IN (
    SELECT record_id FROM verdicts WHERE run_id = $run AND "check" = 'answered' AND outcome = 'error'
  )
"""


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
    todo = f"See: goldassay compare {report.base.label} {run_id}"
    if gate.state is GateState.PASS:
        todo = f"Make it the baseline: goldassay accept {run_id}"
    return {
        "state": gate.state.value,
        "run_id": run_id,
        "base": report.base.label,
        "broken": answers.broken if answers else 0,
        "fixed": answers.fixed if answers else 0,
        "sentence": f"gate {gate_sentence(gate, answers)}. {todo}",
        "lines": [*gate.reasons, *_doubts(report), *_broken(report)],
    }


def answered_questions(store: Store, run_id: str) -> int:
    """Golden questions that the run has an answer of, those that the assistant failed to give left out."""
    with connect(store) as connection:
        found = connection.execute(_ANSWERED, {"run": run_id}).fetchone()
    return int(found[0]) if found else 0


def with_coverage(words: dict[str, Any], *, answered: int, asked: int, most_missing: float) -> dict[str, Any]:
    """The gate's answer, which is none where too few golden questions were answered to tell.

    Args:
        words: As `verdict_words` has them.
        answered: Questions with an answer.
        asked: Questions of the golden set.
        most_missing: Share of them that may be missing.
    """
    missing = asked - answered
    if words["state"] != GateState.PASS.value or missing <= most_missing * asked:
        return words
    sentence = (
        f"gate not evaluable: {missing} of the {asked} golden questions have no answer of this version, more than "
        f"gate.max_error_share ({most_missing:.0%}) allows. Have them asked ([assistant]) or logged, then: "
        "goldassay golden --again"
    )
    return {**words, "state": GateState.NOT_EVALUABLE.value, "sentence": sentence}


def _doubts(report: CompareReport) -> list[str]:
    names = ", ".join(report.gate.doubts) if report.gate is not None else ""
    return [f"fell, but it may be chance: {names}"] if names else []


def _broken(report: CompareReport) -> list[str]:
    """The first questions whose whole answer broke, on one line."""
    whole = [change.question_id or change.question[:60] for change in report.broken if change.is_answer]
    named = list(dict.fromkeys(whole))
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return [f"broken: {', '.join(named[:_NAMED])}{more}"] if named else []
