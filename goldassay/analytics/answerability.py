"""The two ways to be wrong about answerability, apart: refused what could be answered, answered what could not."""

from __future__ import annotations

import duckdb

from goldassay.analytics.models_reports import AnswerabilityTable
from goldassay.analytics.scope import MOMENT, Scope, load_sql, rows_of
from goldassay.analytics.statistics import wilson_interval

__all__ = ["answerability", "answerability_table"]


def answerability(
    connection: duckdb.DuckDBPyConnection, scope: Scope, *, version: str, rows: str | None = None
) -> list[AnswerabilityTable]:
    """Two-by-two tables by version.

    Args:
        connection: Over the store's views.
        scope: Which verdicts; only those of the rule `refusal` on golden questions count.
        version: SQL expression of the version (our own); over the columns of `rows` where that is given.
        rows: A table of our own with rows like those of sql/rollup.sql; default the verdicts in scope.

    Returns:
        One table a version, oldest first; none without golden questions.
    """
    plain = f"(SELECT *, 1 AS n, {MOMENT} AS first_seen FROM verdicts WHERE {scope.where()})"  # noqa: S608 - our own pieces
    sql = load_sql("answerability", version=version, rows=rows or plain)
    return [answerability_table(row[0], *row[2:]) for row in rows_of(connection, sql, scope.values())]


def answerability_table(
    version: str,
    answerable_answered: int,
    answerable_refused: int,
    unanswerable_answered: int,
    unanswerable_refused: int,
) -> AnswerabilityTable:
    """Add rates and Wilson intervals to the four counts."""
    answerable = answerable_answered + answerable_refused
    unanswerable = unanswerable_answered + unanswerable_refused
    return AnswerabilityTable(
        version=version,
        answerable_answered=answerable_answered,
        answerable_refused=answerable_refused,
        unanswerable_answered=unanswerable_answered,
        unanswerable_refused=unanswerable_refused,
        refused_answerable_rate=answerable_refused / answerable if answerable else None,
        refused_answerable_interval=wilson_interval(answerable_refused, answerable),
        answered_unanswerable_rate=unanswerable_answered / unanswerable if unanswerable else None,
        answered_unanswerable_interval=wilson_interval(unanswerable_answered, unanswerable),
    )
