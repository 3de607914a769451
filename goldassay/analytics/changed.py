"""Which questions broke, were fixed or still fail, with both answers; texts are fetched for the listed ones only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import duckdb

from goldassay.analytics.examples import Ref, load_examples
from goldassay.analytics.models import QuestionChange
from goldassay.analytics.scope import load_sql, rows_of

__all__ = ["changed_questions"]

_KINDS: dict[Literal["broken", "fixed", "still_failing"], tuple[str, str]] = {
    "broken": ("pass", "fail"),
    "fixed": ("fail", "pass"),
    "still_failing": ("fail", "fail"),
}
"""Outcomes in base and head."""


def changed_questions(connection: duckdb.DuckDBPyConnection, *, limit: int) -> dict[str, tuple[QuestionChange, ...]]:
    """List the questions of each kind of change with both answers; inside a `paired` block.

    Args:
        connection: Inside a `paired` block.
        limit: Most rows of a kind; questions whose whole answer changed come first, then those with most gate checks.

    Returns:
        Rows by kind ('broken', 'fixed', 'still_failing'), one a question and check.
    """
    found = [(kind, row) for kind, outcomes in _KINDS.items() for row in _changed(connection, outcomes, limit)]
    refs = [(Ref(row[3], row[4], row[1], row[5]), Ref(row[6], row[7], row[1], row[8])) for _, row in found]
    examples = load_examples(connection, [ref for both in refs for ref in both])
    changes: dict[str, list[QuestionChange]] = {kind: [] for kind in _KINDS}
    for (kind, row), (base, head) in zip(found, refs, strict=True):
        changes[kind].append(
            QuestionChange(
                question_id=examples[head].question_id,
                question=examples[head].question or examples[base].question,
                check=row[1],
                stratum=row[2],
                kind=kind,
                is_answer=bool(row[9]),
                base=examples[base],
                head=examples[head],
            )
        )
    return {kind: tuple(rows) for kind, rows in changes.items()}


def _changed(connection: duckdb.DuckDBPyConnection, outcomes: tuple[str, str], limit: int) -> Iterable[tuple[Any, ...]]:
    values = {"base_outcome": outcomes[0], "head_outcome": outcomes[1], "limit": limit}
    return rows_of(connection, load_sql("pair_changes"), values)
