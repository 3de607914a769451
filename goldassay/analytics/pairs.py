"""The same questions on two sides, in temporary tables for the length of a block.

Questions pair by id; an answer whose question has no id pairs by the text of the question
(case, punctuation and spacing do not count). Only verdicts readable on both sides pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import pyarrow as pa

from goldassay.analytics.scope import Scope, load_sql, rows_of, used_values
from goldassay.store.manifest import RunManifest
from goldassay.text import question_key

__all__ = ["Sides", "paired", "question_counts"]


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a comparison as SQL conditions."""

    scope: Scope
    """Verdicts of either side."""
    is_head: str
    """SQL of our own: true for rows of the head."""
    values: dict[str, Any]
    """Values bound in `is_head` and `only`."""
    only: str = "TRUE"
    """SQL of our own over `is_head` and the verdict's columns: which rows of either side count."""
    head_run: RunManifest | None = None
    """The run that is the head; None where the sides are versions."""

    @property
    def bound(self) -> dict[str, Any]:
        """All values bound in queries over the sides."""
        return {**self.scope.values(), **self.values}


@contextmanager
def paired(connection: duckdb.DuckDBPyConnection, sides: Sides) -> Iterator[None]:
    """Hold the temporary tables `side_verdicts` and `pairs` (sql/) for the length of a block."""
    try:
        sql = load_sql("side_verdicts", side=sides.is_head, where=sides.scope.where(), only=sides.only)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE side_verdicts AS {sql}", used_values(sql, sides.bound))
        _register_keys(connection, sides.scope)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE pairs AS {load_sql('pairs')}")
        yield
    finally:
        connection.execute("DROP TABLE IF EXISTS pairs")
        connection.execute("DROP TABLE IF EXISTS side_verdicts")
        connection.unregister("keys")


def _register_keys(connection: duckdb.DuckDBPyConnection, scope: Scope) -> None:
    """Give answers without a question id the id their text is known by, else a key of the text."""
    ((without_id,),) = rows_of(connection, "SELECT count(*) FROM side_verdicts WHERE question_id IS NULL")
    unnamed = _texts(connection, scope, "NULL") if without_id else []
    known = {question_key(row[0]): row[3] for row in _texts(connection, scope, "NOT NULL")} if unnamed else {}
    cache: dict[str, str] = {}
    for text in {row[0] for row in unnamed}:
        key = question_key(text)
        cache[text] = known.get(key, f"text:{key}")
    columns: dict[str, list[str]] = {
        "run_id": [row[1] for row in unnamed],
        "record_id": [row[2] for row in unnamed],
        "question": [cache[row[0]] for row in unnamed],
    }
    connection.register("keys", pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()}))


def _texts(connection: duckdb.DuckDBPyConnection, scope: Scope, null: str) -> list[tuple[Any, ...]]:
    answers = replace(scope, check=None)
    return list(rows_of(connection, load_sql("question_texts", where=answers.where(), null=null), answers.values()))


def question_counts(connection: duckdb.DuckDBPyConnection) -> tuple[int, int, int, int]:
    """Return answers of base and head, and questions only in the base and only in the head; in a `paired` block."""
    (row,) = rows_of(connection, load_sql("side_questions"))
    return row[0], row[1], row[2], row[3]
