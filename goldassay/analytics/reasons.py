"""Why answers failed: the closed categories and the free texts of `other`, in one list of causes.

Counting happens in SQL; Python sees only the distinct wordings of `other` (the commonest ones,
grouped by `goldassay.analytics.likeness`) and the few examples shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from goldassay.analytics.examples import Ref, load_examples
from goldassay.analytics.likeness import group_texts, name_of
from goldassay.analytics.models import ReasonGroup
from goldassay.analytics.scope import MOMENT, Scope, VersionColumn, load_sql, rows_of, version_column
from goldassay.analytics.shares import Graded, ShareChange, adjusted, change_of_share

__all__ = ["category_counts", "reason_groups"]

MAX_WORDINGS = 100_000
"""Wordings of `other` that are grouped (about four seconds of work); rarer ones stay in one rest group."""
_WORDING = r"trim(regexp_replace(lower(left(reason, 400)), '[^\p{L}]+', ' ', 'g'))"
"""SQL: a reason without figures and marks, so that "2 hours, not 4" and "5 hours, not 7" are one wording."""
_EXAMPLES = 3


class _Cause(NamedTuple):
    category: str
    group: int | None
    is_error: bool


def category_counts(
    connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: VersionColumn = "app_version", rows: str | None = None
) -> list[tuple[Any, ...]]:
    """Failures and errors by category, check and version.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        by: Column of the version.
        rows: A table of our own with rows like those of sql/failure_rows.sql; default the verdicts in scope.

    Returns:
        Rows (category, check, is error, version, count, weight, first seen, last seen).
    """
    version_column(by)  # refuses anything but a version column
    alone = load_sql("failure_rows", column=by, moment=MOMENT, table=scope.table, where=scope.where())
    source = rows or f"({alone})"
    return list(rows_of(connection, load_sql("category_trends", rows=source), scope.values()))


def reason_groups(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    *,
    by: str = "app_version",
    versions: Sequence[str] = (),
    graded: Mapping[str, Mapping[str, Graded]] | None = None,
    newest_only: Scope | None = None,
    examples: int = _EXAMPLES,
) -> tuple[ReasonGroup, ...]:
    """Failures and judge errors by cause, most first.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        by: Column of the version.
        versions: Known versions, oldest first; the order of `by_version`.
        graded: What was graded by check and version, for the trend; None: no trend.
        newest_only: Scope of the examples and of "N answers would pass"; default `scope`.
        examples: Examples per cause.

    Returns:
        Causes of failure, then causes of error, each most first.
    """
    names = _register_wordings(connection, scope)
    try:
        rows = list(_rows(connection, scope, by, "reason_groups"))
        answers = {_key(row): row[3] for row in _rows(connection, scope, by, "reason_answers")}
        shown = {_Cause(*row[:3]): row[3:] for row in _rows(connection, newest_only or scope, by, "reason_examples")}
    finally:
        connection.unregister("wordings")
    by_cause: dict[_Cause, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        by_cause[_Cause(*row[:3])].append(row[3:])
    refs = {cause: [Ref(**ref) for ref in (found[1] or [])[:examples]] for cause, found in shown.items()}
    texts = load_examples(connection, [ref for found in refs.values() for ref in found])
    trends = _trends(by_cause, graded or {}, versions)
    groups = [
        _group(cause, found, names, versions)
        | trends[cause]
        | {
            "answers": answers[cause],
            "of_answers": answers[cause.is_error],
            "would_pass": 0 if cause.is_error else shown.get(cause, (0, None))[0],
            "examples": tuple(texts[ref] for ref in refs.get(cause, ()) if ref in texts),
        }
        for cause, found in by_cause.items()
    ]
    made = [ReasonGroup(**group) for group in groups]
    return tuple(sorted(made, key=lambda g: (g.is_error, -g.answers, -g.count, g.category, g.name)))


def _key(row: Sequence[Any]) -> _Cause | bool:
    """The cause of a row of sql/reason_answers.sql; for the row over all causes only whether they are errors."""
    return bool(row[2]) if row[0] is None else _Cause(*row[:3])


def _rows(connection: duckdb.DuckDBPyConnection, scope: Scope, by: str, query: str) -> list[tuple[Any, ...]]:
    where = scope.where()
    source = load_sql("reason_rows", version=version_column(by), wording=_WORDING, table=scope.table, where=where)
    return list(rows_of(connection, load_sql(query, source=source), scope.values()))


def _register_wordings(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[str]:
    """Group the texts of `other` and let SQL join them; returns the names of the groups."""
    sql = load_sql("reason_texts", wording=_WORDING, table=scope.table, where=scope.where())
    found = [(str(row[0]), int(row[1])) for row in rows_of(connection, sql, {**scope.values(), "limit": MAX_WORDINGS})]
    numbers = group_texts([text for text, _ in found])
    members: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for row, number in zip(found, numbers, strict=True):
        members[number].append(row)
    table = pa.table({"wording": pa.array([t for t, _ in found], pa.string()), "grp": pa.array(numbers, pa.int32())})
    connection.register("wordings", table)
    return [name_of(members[number]) for number in range(len(members))]


def _group(
    cause: _Cause, rows: Sequence[tuple[Any, ...]], names: Sequence[str], versions: Sequence[str]
) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    for version, _, times, *_ in rows:
        counts[version] += times
    order = [*versions, *(sorted(set(counts) - set(versions)))]
    return {
        "category": cause.category,
        "name": cause.category if cause.group is None else f"other: {names[cause.group]}",
        "checks": tuple(sorted({row[1] for row in rows})),
        "count": sum(counts.values()),
        "is_error": cause.is_error,
        "by_version": tuple((version, counts[version]) for version in order),
        "first_seen": _first(row[4] for row in rows),
        "last_seen": _last(row[5] for row in rows),
    }


def _trends(
    by_cause: Mapping[_Cause, Sequence[tuple[Any, ...]]],
    graded: Mapping[str, Mapping[str, Graded]],
    versions: Sequence[str],
) -> dict[_Cause, dict[str, Any]]:
    """The change of each cause between the newest two versions, as in the table of categories."""
    changes = [_change(rows, graded, versions) for rows in by_cause.values()]
    return {
        cause: {"trend": None if change is None else change.difference, "trend_p": p_value}
        for cause, change, p_value in zip(by_cause, changes, adjusted(changes), strict=True)
    }


def _change(
    rows: Sequence[tuple[Any, ...]], graded: Mapping[str, Mapping[str, Graded]], versions: Sequence[str]
) -> ShareChange | None:
    failed: Counter[str] = Counter()
    for version, _, _, weight, *_ in rows:
        failed[version] += weight
    return change_of_share(failed, [graded[check] for check in {row[1] for row in rows} & graded.keys()], versions)


def _first(moments: Iterator[datetime | None]) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


def _last(moments: Iterator[datetime | None]) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
