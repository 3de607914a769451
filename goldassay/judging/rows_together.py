"""What several calls about one verdict come to: what they cost together, and what those said that were not chosen.

Nothing that was paid for is lost: the row of a verdict keeps every reply. Called wherever rows are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from goldassay.verdicts import OtherReply, Verdict

__all__ = ["other_replies", "reasked_of", "totals"]

Number = TypeVar("Number", int, float)


def other_replies(
    rows: Sequence[Verdict], chosen: Verdict, kind: Literal["repeat", "order", "asked_again"]
) -> tuple[OtherReply, ...]:
    """All that was replied beside the chosen row's reply, in the order of asking.

    Args:
        rows: One row per call, the chosen one among them.
        chosen: The row whose reply stands for the verdict.
        kind: Why the calls of the other rows were made.
    """
    found: list[OtherReply] = []
    for row in rows:
        found += row.other_replies
        if row is not chosen:
            found.append(_told(row, kind))
    return tuple(found)


def _told(row: Verdict, kind: str) -> OtherReply:
    variant = row.extra.get("order")
    return OtherReply(kind, row.outcome.value, row.score, row.reason, row.reply, row.finish_reason, variant)


def totals(rows: Sequence[Verdict]) -> dict[str, Any]:
    """Attempts, tokens and cost of all the calls; the latency is the slowest one's."""
    return {
        "attempts": _sum([row.attempts for row in rows]),
        "latency_ms": max((row.latency_ms for row in rows if row.latency_ms is not None), default=None),
        "tokens_in": _sum([row.tokens_in for row in rows]),
        "tokens_cached": _sum([row.tokens_cached for row in rows]),
        "tokens_out": _sum([row.tokens_out for row in rows]),
        "cost_usd": _cost(rows),
    }


def _cost(rows: Sequence[Verdict]) -> float | None:
    """Unknown is not free: a reply without its price makes the whole unknown; a call that got no reply has none."""
    is_unknown = any(row.cost_usd is None and row.finish_reason is not None for row in rows)
    return None if is_unknown else _sum([row.cost_usd for row in rows])


def _sum(values: Sequence[Number | None]) -> Number | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def reasked_of(rows: Sequence[Verdict]) -> dict[str, str]:
    """How often the calls of several rows were asked again in all, as a part of `extra`; empty for never."""
    times = sum(int(row.extra.get("reasked", 0)) for row in rows)
    return {"reasked": str(times)} if times else {}
