"""One verdict a record, version and check, where a golden run graded answers of the log a second time.

A history that counted both would count one answer twice. Nightly runs and backfills leave out
what was taken before (`stages.planning.known_records`), so only golden runs need a look; which
answers they share with other runs is found out from the few columns that name a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import duckdb

from goldassay.analytics.scan import quote_literal
from goldassay.analytics.scope import Scope, VersionColumn, load_sql, rows_of, used_values, version_column

__all__ = ["newest_only"]


@contextmanager
def newest_only(connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: VersionColumn) -> Iterator[Scope]:
    """Hold a view of the verdicts without those that a later run replaced, for the length of a block.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        by: Column of the version: an answer counts once under each.

    Yields:
        The scope over that view; the scope as given where no answer was graded twice.
    """
    runs = _runs_that_share(connection, scope)
    try:
        yield replace(scope, table=_create_view(connection, runs, by)) if runs else scope
    finally:
        connection.execute("DROP VIEW IF EXISTS counted")
        connection.execute("DROP TABLE IF EXISTS graded_again")
        connection.execute("DROP TABLE IF EXISTS shared_records")


def _runs_that_share(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[str]:
    """Runs with an answer that another run graded too; makes the table `shared_records`."""
    golden = list(rows_of(connection, load_sql("golden_runs"), {"app": scope.app}))
    if not golden:
        return []
    graded = Scope(run_ids=[run for run, _ in golden], months=sorted({month for _, month in golden}))
    sql = load_sql("shared_records", where=graded.where())
    connection.execute(f"CREATE OR REPLACE TEMP TABLE shared_records AS {sql}", used_values(sql, graded.values()))
    return [run for (run,) in rows_of(connection, "SELECT DISTINCT run_id FROM shared_records ORDER BY run_id")]


def _create_view(connection: duckdb.DuckDBPyConnection, runs: list[str], by: VersionColumn) -> str:
    # Literals, since a view binds no values: they reach the statistics of the files, so other runs cost nothing more.
    names = ", ".join(map(quote_literal, runs))
    again = load_sql("graded_again", version=version_column(by), runs=names)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE graded_again AS {again}")
    connection.execute(f"CREATE OR REPLACE TEMP VIEW counted AS {load_sql('counted', runs=names)}")
    return "counted"
