"""One pass over the verdicts for all counts over versions and days: alike rows become one row with a number.

Exact: only rows that no count could tell apart are put together. Rows that may repeat others
(a question with an id, a reused reply) are counted here too, and read again where repeats matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from goldassay.analytics.rates import RateRow, may_repeat_records, rates_by, rates_of
from goldassay.analytics.scope import DAY, MOMENT, Scope, VersionColumn, load_sql, used_values, version_column

__all__ = ["rolled_day_rates", "rolled_up", "rolled_version_rates"]


@contextmanager
def rolled_up(connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: VersionColumn) -> Iterator[None]:
    """Hold the temporary table `rollup` (sql/rollup.sql) for the length of a block.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        by: Column of the version.
    """
    version_column(by)  # refuses anything but a version column
    sql = load_sql("rollup", column=by, day=DAY, moment=MOMENT, table=scope.table, where=scope.where())
    try:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE rollup AS {sql}", used_values(sql, scope.values()))
        yield
    finally:
        connection.execute("DROP TABLE IF EXISTS rollup")


def rolled_version_rates(connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: VersionColumn) -> list[RateRow]:
    """As `rates_by` over versions; inside a `rolled_up` block of the same scope and column."""
    if may_repeat_records(connection, scope):
        return rates_by(connection, scope, by=by)
    version = version_column(by)
    sources = [
        load_sql("rollup_rows", group="coalesce(version, '')", where="is_unnamed AND NOT is_reused"),
        _verdict_rows(scope, version, "question_id", "question_id IS NOT NULL"),
        _verdict_rows(scope, version, "request_hash", "question_id IS NULL", "reused"),
    ]
    return rates_of(connection, "\nUNION ALL\n".join(sources), scope)


def rolled_day_rates(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[RateRow]:
    """Rates by UTC day; inside a `rolled_up` block of the same scope.

    Within a day a question seldom comes twice, so only a reply used again counts as a repeat: a group
    for each question would make the query ten times as slow.
    """
    sources = [
        load_sql("rollup_rows", group="day", where="NOT is_reused"),
        _verdict_rows(scope, DAY, "request_hash", "reused"),
    ]
    return rates_of(connection, "\nUNION ALL\n".join(sources), scope)


def _verdict_rows(scope: Scope, group: str, cluster: str, *extra: str) -> str:
    return load_sql("verdict_rows", group=group, cluster=cluster, table=scope.table, where=scope.where(*extra))
