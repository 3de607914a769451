"""The same questions on two sides: finds the pairs, and turns their counts into tested changes.

Questions pair by id; an answer whose question has no id pairs by the text of the question
(case, punctuation and spacing do not count). Only verdicts readable on both sides pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import duckdb
import pyarrow as pa

from goldassay.analytics.models import Change
from goldassay.analytics.scope import Scope, load_sql, rows_of, used_values
from goldassay.analytics.sentences import change_sentence
from goldassay.analytics.statistics import (
    adjusted_mcnemar,
    claim_of,
    mcnemar_exact,
    more_questions,
    newcombe_paired_difference,
    paired_bootstrap,
)
from goldassay.store.manifest import RunManifest
from goldassay.text import question_key

__all__ = ["PairCounts", "Sides", "answers_change", "change_of", "paired", "paired_changes", "question_counts"]


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


class PairCounts(NamedTuple):
    """The two-by-two table of one check (and stratum)."""

    check: str
    stratum: str | None
    both_pass: int
    broken: int
    fixed: int
    both_fail: int
    is_gate: bool = True

    @property
    def common(self) -> int:
        """Questions judged readable on both sides."""
        return self.both_pass + self.broken + self.fixed + self.both_fail


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


def paired_changes(
    connection: duckdb.DuckDBPyConnection,
    *,
    errors: dict[tuple[str, bool], int] | None = None,
    margin: float = 0.05,
) -> list[tuple[Change, bool]]:
    """Test every check, over all and within strata, on the table `pairs`.

    Args:
        connection: Inside a `paired` block.
        errors: Judge errors by (check, is head).
        margin: Smallest change that matters.

    Returns:
        (change, is a gate check); overall changes have stratum None. P-values are adjusted
        over the whole list.
    """
    tables = [_pair_counts(row) for row in rows_of(connection, load_sql("pair_counts"))]
    adjusted = adjusted_mcnemar([(table.broken, table.fixed) for table in tables])
    found = errors or {}
    changes = []
    for table, p_adjusted in zip(tables, adjusted, strict=True):
        differences = _differences(connection, table) if table.stratum is None else []
        change = change_of(table, p_adjusted=p_adjusted, margin=margin, differences=differences)
        if table.stratum is None:
            base_errors, head_errors = found.get((table.check, False), 0), found.get((table.check, True), 0)
            change = replace(change, base_errors=base_errors, head_errors=head_errors)
        changes.append((replace(change, sentence=change_sentence(change, margin=margin)), table.is_gate))
    return changes


def answers_change(connection: duckdb.DuckDBPyConnection, *, margin: float = 0.05) -> Change | None:
    """Test whole answers on the table `pairs`; inside a `paired` block.

    The one question asked of every comparison: its p-value stands alone, unadjusted.

    Args:
        connection: Inside a `paired` block.
        margin: Smallest change that matters.

    Returns:
        The change; None when no gate check has a common question.
    """
    ((both_pass, broken, fixed, both_fail),) = rows_of(connection, load_sql("pair_answers"))
    table = PairCounts("answers that pass every gate check", None, both_pass, broken, fixed, both_fail)
    if not table.common:
        return None
    change = change_of(table, margin=margin)
    return replace(change, sentence=change_sentence(change, margin=margin))


def _pair_counts(row: Sequence[Any]) -> PairCounts:
    return PairCounts(row[0], row[1] if row[2] else None, row[3], row[4], row[5], row[6], is_gate=bool(row[7]))


def _differences(connection: duckdb.DuckDBPyConnection, table: PairCounts) -> list[float]:
    sql = 'SELECT difference FROM pairs WHERE "check" = $check AND difference IS NOT NULL ORDER BY difference'
    return [row[0] for row in rows_of(connection, sql, {"check": table.check})]


def change_of(
    table: PairCounts, *, p_adjusted: float | None = None, margin: float = 0.05, differences: Iterable[float] = ()
) -> Change:
    """Turn a two-by-two table into a change with its test, interval and claim.

    Args:
        table: Counts of the pairs.
        p_adjusted: The p-value among all tests of the report; default the plain one.
        margin: Smallest change that matters.
        differences: head - base of the scores, where both sides have one.

    Returns:
        The change, without judge errors and sentence.
    """
    n, scores = table.common, list(differences)
    p_value = mcnemar_exact(table.broken, table.fixed) if n else None
    tested = p_value if p_adjusted is None or p_value is None else p_adjusted
    interval = newcombe_paired_difference(table.both_pass, table.broken, table.fixed, table.both_fail)
    difference = (table.fixed - table.broken) / n if n else None
    claim: Literal["regression", "improvement", "no_change", "cannot_tell"]
    claim = claim_of(difference, interval, tested, margin=margin)
    return Change(
        check=table.check,
        stratum=table.stratum,
        common=n,
        base_rate=(table.both_pass + table.broken) / n if n else None,
        head_rate=(table.both_pass + table.fixed) / n if n else None,
        difference=difference,
        interval=interval,
        broken=table.broken,
        fixed=table.fixed,
        still_failing=table.both_fail,
        p_value=p_value,
        p_adjusted=tested,
        claim=claim,
        needed=more_questions(n, table.broken, table.fixed, margin=margin) if claim == "cannot_tell" else None,
        mean_difference=sum(scores) / len(scores) if scores else None,
        mean_interval=paired_bootstrap(scores) if scores else None,
    )
