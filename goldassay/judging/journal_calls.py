"""From the journal's lines of one record to its rows: what was asked more than once becomes one row.

A call stands in one line when it has ended; each paid reply before it that could not be read stands in a line of
its own. Repeats and the two orders of a pairwise call are calls of their own. Called by the journal's reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from goldassay.judging.journal_rows import verdict_from_json
from goldassay.judging.parsing_rows import merge_orders
from goldassay.judging.repeats import merged
from goldassay.judging.rows_together import other_replies, totals
from goldassay.judging.rubric_model import Rubric
from goldassay.verdicts import Category, Outcome, Verdict

__all__ = ["FinishedCall", "Line", "rows_of"]

Line = dict[str, Any]


class FinishedCall(NamedTuple):
    """One call that has ended."""

    line: Line
    """Its `part` line."""
    unread: list[Line]
    """Its `spent` lines: replies that were paid for and asked again, whichever process did."""


def rows_of(calls: Sequence[FinishedCall], rubric: Rubric | None) -> list[Verdict]:
    """One row per check: repeats of the same call are merged, then the two orders of a pairwise call."""
    by_check: dict[str, list[Verdict]] = {}
    for call in calls:
        for row in _rows_of_call(call):
            by_check.setdefault(row.check, []).append(row)
    return [_one_row(rows, rubric) for rows in by_check.values()]


def _rows_of_call(call: FinishedCall) -> list[Verdict]:
    line = call.line
    shared = {"reply": line["reply"]} if line.get("reply") is not None else {}
    rows = [verdict_from_json({**shared, **row}) for row in line["rows"]]
    return [_with_unread(row, call.unread, first=row is rows[0]) for row in rows] if call.unread else rows


def _with_unread(row: Verdict, lines: Sequence[Line], *, first: bool) -> Verdict:
    """The row with what was asked before it; a call about several criteria was paid for once, on its first row."""
    tries = [*(_unread_row(row, line) for line in lines), row]
    row = replace(row, other_replies=other_replies(tries, row, "asked_again"))
    if not first:
        return row
    return replace(row, **totals(tries), extra={**row.extra, "reasked": str(len(lines))})


def _unread_row(row: Verdict, line: Line) -> Verdict:
    return replace(
        row,
        outcome=Outcome.ERROR,
        category=Category.UNREADABLE_REPLY,
        score=None,
        reason=line.get("reason", ""),
        reply=line["reply"],
        finish_reason=line.get("finish_reason", "stop"),
        attempts=line.get("attempts", 1),
        latency_ms=None,
        tokens_in=line["tokens_in"],
        tokens_cached=line["tokens_cached"],
        tokens_out=line["tokens_out"],
        cost_usd=line["cost_usd"],
    )


def _one_row(rows: list[Verdict], rubric: Rubric | None) -> Verdict:
    by_order: dict[str, list[Verdict]] = {}
    for row in rows:
        by_order.setdefault(row.extra.get("order", ""), []).append(row)
    per_order = [merged(same) for same in by_order.values()]
    return per_order[0] if len(per_order) == 1 or rubric is None else merge_orders(per_order, rubric)
