"""The failures of one run, one row each: which answer, which check, why. Called by the report task."""

from __future__ import annotations

from typing import NamedTuple

from goldassay.analytics.connect import connect
from goldassay.analytics.scope import Scope, load_sql, rows_of
from goldassay.store import Store

__all__ = ["FailedAnswer", "failed_answers"]

_CHARS = 300
"""Of a question or a reason: a line or two of a table."""


class FailedAnswer(NamedTuple):
    """One check that one answer did not pass."""

    record_id: str
    question_id: str
    """'' when it is no golden question."""
    question: str
    """Cut to 300 characters."""
    check: str
    outcome: str
    """'fail' or 'error'."""
    category: str
    reason: str
    """Cut to 300 characters."""
    app_version: str


def failed_answers(store: Store, run_id: str, *, most: int) -> list[FailedAnswer]:
    """The failures and errors of a run, those that fail the answer first.

    Args:
        store: Where the run is.
        run_id: The run.
        most: Rows at most.
    """
    scope = Scope.of_runs(store.run(run_id))
    sql = load_sql("failed_answers", where=scope.where())
    with connect(store) as connection:
        rows = list(rows_of(connection, sql, {**scope.values(), "most": most, "chars": _CHARS}))
    return [FailedAnswer(*(str(value) for value in row)) for row in rows]
