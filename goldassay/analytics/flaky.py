"""Questions whose verdict flips although the version stayed the same: noise of the judge, or of the assistant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa

from goldassay.analytics.models_reports import FlakyQuestion
from goldassay.analytics.scope import Scope, load_sql, rows_of, version_column

__all__ = ["flaky_questions"]

_SHOWN = 50


def flaky_questions(
    connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: str, limit: int = _SHOWN
) -> tuple[FlakyQuestion, ...]:
    """Find flipping questions, most flips first.

    Args:
        connection: Over the store's views.
        scope: Which verdicts.
        by: Column of the version shown; flips are counted only where no version column changed.
        limit: Most rows.

    Returns:
        One row a question, check and version; questions without an id cannot be followed.
    """
    sql = load_sql("flaky", version=version_column(by), table=scope.table, where=scope.where())
    rows = list(rows_of(connection, sql, {**scope.values(), "limit": limit}))
    texts = _texts(connection, rows)
    return tuple(_flaky(row, *texts.get(position, ("", None))) for position, row in enumerate(rows))


def _flaky(row: Sequence[Any], question: str, answers: int | None) -> FlakyQuestion:
    return FlakyQuestion(
        question_id=row[0],
        question=question,
        check=row[1],
        kind=row[2],
        version=row[3],
        passed=row[4],
        failed=row[5],
        flips=row[6],
        judge_changed=bool(row[7]),
        same_answer=None if answers is None else answers == 1,
    )


def _texts(connection: duckdb.DuckDBPyConnection, rows: Sequence[Sequence[Any]]) -> dict[int, tuple[str, int]]:
    wanted = [(position, ref["run_id"], ref["record_id"]) for position, row in enumerate(rows) for ref in row[8]]
    months = sorted({ref["month"] for row in rows for ref in row[8]})
    if not wanted:
        return {}
    columns = [list(column) for column in zip(*wanted, strict=True)]
    connection.register("wanted", pa.table(columns, names=["position", "run_id", "record_id"]))
    try:
        found = connection.execute(load_sql("answer_texts"), {"months": months}).fetchall()
    finally:
        connection.unregister("wanted")
    return {row[0]: (row[1] or "", row[2]) for row in found}
