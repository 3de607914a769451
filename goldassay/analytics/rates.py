"""Pass rates out of the store: from the sums DuckDB returns to rates with intervals and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

import duckdb

from goldassay.analytics.models import RateSummary
from goldassay.analytics.scope import Scope, load_sql, rows_of, version_column
from goldassay.analytics.statistics import Cell, Counts, rate_bounds, weighted_rate, wilson_interval

__all__ = ["RateRow", "answer_rate", "grouped", "may_repeat_records", "rate_summary", "rates_by", "rates_of"]


class RateRow(NamedTuple):
    """Verdicts of one group, one check and one weight, summed up by sql/rates.sql."""

    group: Any
    check: str
    kind: str
    passed: int
    failed: int
    errors: int
    skipped: int
    unsure: int
    clusters: int
    sum_a: float
    sum_b: float
    sum_aa: float
    sum_ab: float
    sum_bb: float
    sum_w2: float
    error_weight: float
    weight: float
    first_seen: datetime | None
    last_seen: datetime | None
    questions: int


def rate_summary(rows: Sequence[RateRow]) -> RateSummary:
    """Sum up the rows of one group and check into a rate with everything beside it."""
    counts = Counts(
        sum(row.passed for row in rows),
        sum(row.failed for row in rows),
        sum(row.errors for row in rows),
        sum(row.skipped for row in rows),
        sum(row.unsure for row in rows),
    )
    graded = [row for row in rows if row.sum_b > 0]
    weighted = weighted_rate(map(_cell, graded))
    uneven = _is_uneven(counts.graded, graded)
    passed, errors = sum(row.sum_a for row in graded), sum(row.error_weight for row in graded)
    failed = max(0.0, sum(row.sum_b for row in graded) - passed - errors)
    return RateSummary(
        counts=counts,
        headline=_share(counts.passed, counts.graded),
        # With even weights the weighted interval is the plain one, but knows which verdicts are repeats.
        interval=wilson_interval(counts.passed, counts.graded) if uneven else weighted.interval,
        readable=_share(counts.passed, counts.readable),
        readable_interval=wilson_interval(counts.passed, counts.readable),
        bounds=rate_bounds(counts.passed, counts.failed, counts.errors),
        weighted=weighted.rate,
        weighted_interval=weighted.interval,
        weighted_bounds=rate_bounds(passed, failed, errors),
        weighted_readable=_share(passed, passed + failed),
        effective_n=weighted.effective_n,
        weights_matter=uneven,
    )


def _cell(row: RateRow) -> Cell:
    graded = row.passed + row.failed + row.errors
    share = graded / (graded + row.skipped + row.unsure)
    return Cell(row.clusters, row.sum_a, row.sum_b, row.sum_aa, row.sum_ab, row.sum_bb, row.sum_w2, share)


def _is_uneven(number: int, graded: Sequence[RateRow]) -> bool:
    """Whether weights differ, also among repeats, which come as one row: then they spread around their mean."""
    total, squares = sum(row.sum_b for row in graded), sum(row.sum_w2 for row in graded)
    return number * squares > total * total * (1 + 1e-9)


def _share(passed: float, total: float) -> float | None:
    return passed / total if total else None


_MANY_ROWS = 5_000_000
"""Verdicts in the store above which only questions with an id and reused verdicts are looked at as repeats."""
_REPEATS = "coalesce(question_id, request_hash, record_id)"
_REPEATS_OF_MANY = "CASE WHEN question_id IS NOT NULL THEN question_id WHEN reused THEN request_hash END"


def rates_by(
    connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: str, group: str = "version", table: str | None = None
) -> list[RateRow]:
    """Sums by group, check and weight.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        by: Column of the version.
        group: 'version', or an SQL expression of our own over the columns of the verdicts.
        table: A table of our own with the rows in scope, taken for large; default the scope's.

    Returns:
        Rows sorted by group and check.
    """
    source = load_sql(
        "verdict_rows",
        group=version_column(by) if group == "version" else group,
        cluster=_REPEATS if table is None and may_repeat_records(connection, scope) else _REPEATS_OF_MANY,
        table=table or scope.table,
        where=scope.where() if table is None else "TRUE",
    )
    return rates_of(connection, source, scope)


def rates_of(connection: duckdb.DuckDBPyConnection, source: str, scope: Scope) -> list[RateRow]:
    """Sums over the rows of `source`, SQL of our own with the columns of sql/verdict_rows.sql."""
    return [RateRow(*row) for row in rows_of(connection, load_sql("rates", source=source), scope.values())]


def may_repeat_records(connection: duckdb.DuckDBPyConnection, scope: Scope) -> bool:
    """Whether any record is looked at as a possible repeat: not in a large store, but for the runs named."""
    return scope.run_ids is not None or _stored_rows(connection) <= _MANY_ROWS


def _stored_rows(connection: duckdb.DuckDBPyConnection) -> int:
    """Verdicts of all runs, as their manifests count them."""
    ((rows,),) = rows_of(connection, "SELECT coalesce(sum(verdicts), 0)::BIGINT FROM runs")
    return int(rows)


def answer_rate(connection: duckdb.DuckDBPyConnection, scope: Scope, *, judged: bool) -> RateSummary:
    """Rate of whole answers over their gate checks.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        judged: True: only answers the judge saw, weighted to the whole log; False: every answer once.

    Returns:
        The rate; without counts when there is no such answer.
    """
    source = load_sql(
        "answer_rows",
        where=scope.where(),
        weight="max(coalesce(weight, 1))" if judged else "1::DOUBLE",
        having="bool_or(check_kind = 'judge')" if judged else "TRUE",
    )
    return rate_summary(rates_of(connection, source, scope))


def grouped(rows: Sequence[RateRow]) -> list[tuple[tuple[Any, str], list[RateRow]]]:
    """Put the rows of one group and check together, in the order given."""

    def key(row: RateRow) -> tuple[Any, str]:
        return row.group, row.check

    return [(name, list(found)) for name, found in groupby(sorted(rows, key=key), key)]
