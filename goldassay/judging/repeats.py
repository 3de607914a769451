"""Several verdicts of the same call made one: the majority decides, a tie is an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from goldassay.verdicts import Category, Outcome, Verdict

__all__ = ["merged"]


def merged(rows: Sequence[Verdict]) -> Verdict:
    """One row of the repeats of a check.

    Readable verdicts vote; unreadable ones count as repeats that agreed with nobody,
    and decide only when nothing else was said. `repeats` and `agreeing` give the flip rate.
    """
    if len(rows) == 1:
        return rows[0]
    votes = [row for row in rows if row.outcome in {Outcome.PASS, Outcome.FAIL}]
    counts = {outcome: sum(row.outcome is outcome for row in votes) for outcome in (Outcome.PASS, Outcome.FAIL)}
    passed, failed = counts[Outcome.PASS], counts[Outcome.FAIL]
    totals = _totals(rows)
    if not votes:
        return replace(rows[0], repeats=0, agreeing=0, **totals)
    if passed == failed:
        reason = f"the repeats disagree: {passed} passed, {failed} failed"
        return replace(
            votes[0],
            outcome=Outcome.ERROR,
            score=None,
            category=Category.UNREADABLE_REPLY,
            reason=reason,
            repeats=len(votes),
            agreeing=passed,
            **totals,
        )
    winner = Outcome.PASS if passed > failed else Outcome.FAIL
    chosen = _middle([row for row in votes if row.outcome is winner])
    return replace(chosen, repeats=len(votes), agreeing=max(passed, failed), **totals)


def _middle(rows: list[Verdict]) -> Verdict:
    """The row of median score, so that its reason and score belong together."""
    return sorted(rows, key=lambda row: row.score if row.score is not None else 0.0)[(len(rows) - 1) // 2]


def _totals(rows: Sequence[Verdict]) -> dict[str, Any]:
    """What all the repeats cost together; latency is the slowest one's."""
    latencies = [row.latency_ms for row in rows if row.latency_ms is not None]
    return {
        "attempts": sum(row.attempts or 0 for row in rows),
        "latency_ms": max(latencies, default=None),
        "tokens_in": _sum([row.tokens_in for row in rows]),
        "tokens_cached": _sum([row.tokens_cached for row in rows]),
        "tokens_out": _sum([row.tokens_out for row in rows]),
        "cost_usd": _sum([row.cost_usd for row in rows]),
    }


def _sum(values: list[int | None] | list[float | None]) -> float | int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
