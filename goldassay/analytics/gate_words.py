"""The gate's answer in one sentence, the same on the terminal, on the page and in a flow's log."""

from __future__ import annotations

from goldassay.analytics.models import Change, GateResult, GateState
from goldassay.analytics.sentences import counted

__all__ = ["gate_sentence"]


def gate_sentence(gate: GateResult, answers: Change | None = None) -> str:
    """Say what the gate answers and on how much; its reasons are told one by one elsewhere.

    Args:
        gate: The answer.
        answers: The change of whole answers it rests on.

    Returns:
        Without a full stop, e.g. "failed: 2 of 14 conditions are broken; 13 answers broke, 6 were fixed". A pass that
        saw a fall says that none is proven: chance may have hidden a bad version. Too few answered questions are
        told in so many words: no other condition can make up for them.
    """
    found = _found(gate) if gate.conditions else ""
    words = ": ".join(part for part in (_STATES[gate.state], found) if part)
    return words if answers is None else f"{words}; {_flips(answers)}"


_STATES = {GateState.PASS: "passed", GateState.FAIL: "failed", GateState.NOT_EVALUABLE: "not evaluable"}


def _found(gate: GateResult) -> str:
    if gate.unanswered:
        return gate.unanswered
    if gate.state is not GateState.PASS:
        return _unmet(gate)
    total = len(gate.conditions)
    return "no fall is proven" if gate.doubts else f"{counted(total, 'condition')} {'holds' if total == 1 else 'hold'}"


def _unmet(gate: GateResult) -> str:
    """How many conditions were broken; where none was, how many cannot be told."""
    unmet = sum(state is gate.state for _, state, _ in gate.conditions)
    verb = "does not hold" if unmet == 1 else "do not hold"
    if gate.state is GateState.NOT_EVALUABLE:
        verb = "cannot be told"
    return f"{unmet} of {counted(len(gate.conditions), 'condition')} {verb}"


def _flips(answers: Change) -> str:
    """Return '13 answers broke, 6 were fixed'."""
    if not answers.broken and not answers.fixed:
        return f"no answer changed on {counted(answers.common, 'common question')}"
    return f"{counted(answers.broken, 'answer')} broke, {answers.fixed} {'was' if answers.fixed == 1 else 'were'} fixed"
