"""What the page of a run and that of a comparison share: changed questions, the gate's conditions, notices in order."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.analytics.models import GateResult, GateState, Notice, QuestionChange
from goldassay.reporting.changes import ChangedQuestion, besides_text, by_question

__all__ = ["besides", "notices_by_level", "of_answers", "unmet_conditions"]

_LEVELS = {"alarm": 0, "warning": 1, "info": 2}


def unmet_conditions(gate: GateResult | None) -> list[tuple[str, str, str]]:
    """(sign's class, condition, found) of the gate's conditions that do not hold; where it has none, its reasons."""
    if gate is None:
        return []
    names = {GateState.FAIL: "fail", GateState.NOT_EVALUABLE: "unsure"}
    rows = [(names[state], condition, found) for condition, state, found in gate.conditions if state in names]
    return rows or [(names[gate.state], reason, "") for reason in gate.reasons]


def notices_by_level(notices: Sequence[Notice]) -> list[Notice]:
    """Alarms first."""
    return sorted(notices, key=lambda notice: _LEVELS[notice.level])


def of_answers(changes: Sequence[QuestionChange]) -> list[ChangedQuestion]:
    """The questions whose answer changed as a whole."""
    return [row for row in by_question(changes) if row.is_answer]


def besides(changes: Sequence[QuestionChange], kind: str) -> str:
    """A line for the questions of which only some check changed; '' without any."""
    rest = [row for row in by_question(changes) if not row.is_answer]
    return besides_text(rest, kind) if rest else ""
