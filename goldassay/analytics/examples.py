"""Answers that show a failure, with what they cite: texts are fetched last and only for the few rows shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from goldassay.analytics.citations import Sent, citations_of
from goldassay.analytics.models import Example
from goldassay.analytics.scope import load_sql
from goldassay.verdicts import Evidence

__all__ = ["EXCERPT_CHARS", "Ref", "load_examples"]

EXCERPT_CHARS = 600
"""Characters of an answer or reply shown in a report."""


class Ref(NamedTuple):
    """Names one verdict row."""

    run_id: str
    record_id: str
    check: str
    month: str


def load_examples(connection: duckdb.DuckDBPyConnection, refs: Iterable[Ref]) -> dict[Ref, Example]:
    """Fetch the verdicts named, with question, answer and citations.

    Args:
        connection: Over the store's views.
        refs: Rows wanted; repeated ones are fetched once.

    Returns:
        Examples by ref; a ref whose verdict is not in the store is left out.
    """
    wanted = list(dict.fromkeys(refs))
    if not wanted:
        return {}
    table = pa.table(
        {
            "position": list(range(len(wanted))),
            "run_id": [ref.run_id for ref in wanted],
            "record_id": [ref.record_id for ref in wanted],
            "check": [ref.check for ref in wanted],
        }
    )
    connection.register("wanted", table)
    try:
        values = {
            "chars": EXCERPT_CHARS,
            # Which files are opened, and which of their row groups are read.
            "months": sorted({ref.month for ref in wanted}),
            "run_ids": sorted({ref.run_id for ref in wanted}),
        }
        rows = connection.execute(load_sql("examples"), values).fetchall()
    finally:
        connection.unregister("wanted")
    return {wanted[row[0]]: _example(row) for row in rows}


def _example(row: Sequence[Any]) -> Example:
    sent = [Sent(**source) for source in row[16] or ()]
    return Example(
        record_id=row[1],
        question_id=row[2],
        question=row[3] or "",
        answer=row[4] or "",
        answer_cut=bool(row[5]),
        check=row[6],
        outcome=row[7],
        category=row[8],
        reason=row[9] or "",
        score=row[10],
        evidence=_evidence(row[11]),
        app_version=row[12] or "",
        run_id=row[13],
        reply=row[14],
        citations=tuple(citations_of(_evidence(row[15]), sent)),
        sources_sent=len(sent),
    )


def _evidence(items: Sequence[Mapping[str, Any]] | None) -> tuple[Evidence, ...]:
    return tuple(Evidence(**item) for item in items or ())
