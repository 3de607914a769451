"""The two ways to be wrong about answerability, apart: refused what could be answered, answered what could not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

import duckdb

from goldassay.analytics.models_reports import AnswerabilityTable
from goldassay.analytics.rates import RateRow, grouped, rate_summary, rates_by
from goldassay.analytics.scope import Scope, load_sql
from goldassay.analytics.statistics import Interval

__all__ = ["answerability"]


def answerability(connection: duckdb.DuckDBPyConnection, scope: Scope, *, group: str) -> list[AnswerabilityTable]:
    """Two-by-two tables by version; repeats of a question widen their intervals, as those of every rate.

    Args:
        connection: Over the store's views.
        scope: Which verdicts; only those of the rule `refusal` on golden questions count.
        group: SQL expression of the version (our own).

    Returns:
        One table a version, oldest first; none without golden questions.
    """
    source = load_sql("answerability", table=scope.table, where=scope.where())
    # Two groups a version: 'true v1' for what the sources can answer, 'false v1' for what they cannot.
    group = f"answerable::VARCHAR || ' ' || {group}"
    found: dict[str, dict[str, list[RateRow]]] = defaultdict(dict)
    for (name, _), rows in grouped(rates_by(connection, scope, by="app_version", group=group, table=f"({source})")):
        is_answerable, _, version = name.partition(" ")
        found[version][is_answerable] = rows
    tables = [(_first(sides), version, sides) for version, sides in found.items()]
    ordered = sorted(tables, key=lambda table: table[:2])
    return [_table(version, sides.get("true", ()), sides.get("false", ())) for _, version, sides in ordered]


def _first(sides: Mapping[str, Sequence[RateRow]]) -> datetime:
    return min(row.first_seen for rows in sides.values() for row in rows if row.first_seen is not None)


def _table(version: str, answerable: Sequence[RateRow], unanswerable: Sequence[RateRow]) -> AnswerabilityTable:
    could, could_not = rate_summary(answerable), rate_summary(unanswerable)
    return AnswerabilityTable(
        version=version,
        answerable_answered=could.counts.passed,
        answerable_refused=could.counts.failed,
        unanswerable_answered=could_not.counts.failed,
        unanswerable_refused=could_not.counts.passed,
        refused_answerable_rate=_wrong(could.shown),
        refused_answerable_interval=_turned(could.shown_interval),
        answered_unanswerable_rate=_wrong(could_not.shown),
        answered_unanswerable_interval=_turned(could_not.shown_interval),
    )


def _wrong(right: float | None) -> float | None:
    return None if right is None else 1 - right


def _turned(interval: Interval) -> Interval:
    return Interval(1 - interval.high, 1 - interval.low)
