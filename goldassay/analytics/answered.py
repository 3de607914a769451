"""Counts the golden questions that a run has an answer to, for the gate of a comparison."""

from __future__ import annotations

import duckdb

from goldassay.analytics.coverage import ANSWERED_CHECK, Coverage
from goldassay.analytics.scope import Scope, load_sql, rows_of
from goldassay.store.manifest import RunManifest

__all__ = ["golden_coverage"]


def golden_coverage(connection: duckdb.DuckDBPyConnection, run: RunManifest) -> Coverage | None:
    """Count the golden questions that a run has an answer to; those the assistant failed to give are left out.

    Args:
        connection: Over the store the run is in.
        run: The run.

    Returns:
        None for a run that was not put the whole golden set.
    """
    if run.golden_questions is None:
        return None
    scope = Scope.of_runs(run)
    sql = load_sql("golden_answered", where=scope.where())
    ((answered,),) = rows_of(connection, sql, {**scope.values(), "answered": ANSWERED_CHECK})
    return Coverage(int(answered), run.golden_questions)
