"""What stands behind the two sides of a comparison, and whether they were graded alike.

A side is described by all its verdicts; whether it was graded alike is asked of the verdicts that
pair, so that old verdicts which a later judging replaced raise no alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import duckdb

from goldassay.analytics.models import Notice
from goldassay.analytics.models_reports import Side
from goldassay.analytics.scope import load_sql, rows_of
from goldassay.analytics.sentences import counted

__all__ = ["AboutSides", "OtherMeasure", "golden_notices", "measure_notices", "other_measures"]

_NAMED = 5
"""Questions named in a notice."""
_GOLDEN_SETS = """
SELECT count(DISTINCT coalesce(golden_digest, '')) FROM runs
WHERE run_id IN (SELECT base_run FROM pairs UNION SELECT head_run FROM pairs)
"""


class AboutSides:
    """Rows of sql/sides.sql: per side and check the runs, versions and judges."""

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.rows = list(rows)

    def side(self, label: str, answers: int, *, head: bool) -> Side:
        """Describe one side."""
        rows = [row for row in self.rows if bool(row[0]) is head]
        moments = [row[7] for row in rows if row[7]], [row[8] for row in rows if row[8]]
        return Side(
            label=label,
            run_ids=tuple(sorted({run for row in rows for run in row[3]})),
            app_versions=tuple(sorted({version for row in rows for version in row[4]})),
            answers=answers,
            first_seen=min(moments[0], default=None),
            last_seen=max(moments[1], default=None),
            judges=tuple(sorted({judge for row in rows for judge in _judges(row)})),
            rule_versions=tuple(sorted(f"{row[1]} {v}" for row in rows if row[2] == "rule" for v in row[5])),
        )


class OtherMeasure(NamedTuple):
    """One check that the two sides were not graded alike on."""

    check: str
    base: frozenset[str]
    """Judges or versions in the base, in words."""
    head: frozenset[str]
    is_judged: bool
    """True: a judge graded it on one side at least."""


def other_measures(connection: duckdb.DuckDBPyConnection) -> list[OtherMeasure]:
    """Find the checks whose pairs were graded by different judges, rubrics or rule versions; in a `paired` block."""
    found: dict[str, dict[bool, set[str]]] = {}
    judged: set[str] = set()
    for is_head, check, kind, versions, judges in rows_of(connection, load_sql("pair_measures")):
        measures = {_judge_text(judge) for judge in judges or ()} if kind == "judge" else set(map(_rule_text, versions))
        found.setdefault(check, {False: set(), True: set()})[bool(is_head)] |= measures
        judged |= {check} if kind == "judge" else set()
    return [
        OtherMeasure(check, frozenset(sides[False]), frozenset(sides[True]), check in judged)
        for check, sides in found.items()
        # A side where no verdict needed a call names no judge: nothing speaks against it.
        if sides[False] and sides[True] and sides[False] != sides[True]
    ]


def measure_notices(measures: Sequence[OtherMeasure]) -> list[Notice]:
    """Say loudly where the sides were not graded alike; checks with the same two judges share a notice."""
    names: dict[tuple[bool, str], list[str]] = {}
    for measure in measures:
        base, head = ("; ".join(sorted(side)) for side in (measure.base, measure.head))
        names.setdefault((measure.is_judged, f"{base} in the base, {head} in the head"), []).append(measure.check)
    return [
        _notice(checks, text, is_judged=is_judged) for (is_judged, text), checks in sorted(names.items(), reverse=True)
    ]


def golden_notices(connection: duckdb.DuckDBPyConnection) -> list[Notice]:
    """Say where common questions were held against another entry of the golden set; in a `paired` block."""
    ((sets,),) = rows_of(connection, _GOLDEN_SETS)
    rows = list(rows_of(connection, load_sql("pair_golden"))) if sets > 1 else []
    if not rows:
        return []
    shown = ", ".join(f"{question} ({' and '.join(parts)})" for question, parts in rows[:_NAMED])
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    stand = "stands" if len(rows) == 1 else "stand"
    text = (
        f"{counted(len(rows), 'common question')} {stand} otherwise in the golden sets of the two sides: "
        f"{shown}{more}. A change of theirs may come from the set, not from the assistant"
    )
    return [Notice("golden_changed", "warning", text)]


def _notice(checks: Sequence[str], text: str, *, is_judged: bool) -> Notice:
    names = ", ".join(checks)
    if is_judged:
        words = f"{names}: judged by {text}; a change may come from the judge, not from the assistant"
        return Notice("judge_version_differs", "alarm", words)
    words = f"{names}: {text}; a change may come from the rule, not from the assistant"
    return Notice("rule_version_differs", "alarm", words)


def _rule_text(version: str) -> str:
    return f"version {version}"


def _judges(row: Sequence[Any]) -> set[str]:
    return {_judge_text(judge) for judge in row[6] or ()}


def _judge_text(judge: Mapping[str, Any]) -> str:
    reported = judge["reported"]
    model = f"{judge['provider']}/{judge['model']}"
    if reported and reported != judge["model"]:
        model += f" (as {reported})"
    rubric = " ".join(part for part in (judge["rubric"], judge["version"]) if part)
    return f"{model}, rubric {rubric}" if rubric else model
