"""Verdicts as journal lines and back: only what differs from a column's default is written."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any

from goldassay.verdicts import Category, Evidence, OtherReply, Outcome, Verdict

__all__ = ["verdict_from_json", "verdict_to_json"]

_DEFAULTS: tuple[tuple[str, Any], ...] = tuple(
    (field.name, field.default if field.default_factory is MISSING else field.default_factory())
    for field in fields(Verdict)
)
_DATES = ("run_at", "asked_at")
_TUPLES = ("repairs", "flags")
_STRUCTS = {"evidence": Evidence, "other_replies": OtherReply}


def verdict_to_json(verdict: Verdict, *, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The row as JSON values.

    Args:
        verdict: The row.
        leave_out: Columns that stand elsewhere in the line.
    """
    row: dict[str, Any] = {}
    for name, default in _DEFAULTS:
        value = getattr(verdict, name)
        if value != default and name not in leave_out:
            row[name] = _plain(name, value)
    return row


def _plain(name: str, value: Any) -> Any:
    if name in _STRUCTS:
        return [list(part) for part in value]
    return value.isoformat() if isinstance(value, datetime) else value


def verdict_from_json(row: dict[str, Any]) -> Verdict:
    """The row as it was."""
    row = dict(row)
    row["outcome"] = Outcome(row["outcome"])
    if row.get("category") is not None:
        row["category"] = Category(row["category"])
    for name in _DATES:
        if isinstance(row.get(name), str):
            row[name] = datetime.fromisoformat(row[name])
    for name in _TUPLES:
        row[name] = tuple(row.get(name, ()))
    for name, struct in _STRUCTS.items():
        row[name] = tuple(struct(*part) for part in row.get(name, ()))
    return Verdict(**row)
