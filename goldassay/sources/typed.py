"""Rows with declared columns: people's labels and scores, where a silent cast would change a grade.

Nothing is inferred from a sample: a value of another type becomes None and a problem
with its place, never 1 for true or 4 for 4.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from goldassay.sources.batch import Rejected
from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.reader import read_items
from goldassay.sources.rows import RawRow
from goldassay.sources.settings import AnswersConfig
from goldassay.sources.values import as_bool, as_text

__all__ = ["COLUMN_KINDS", "TypedRow", "read_columns"]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnreadableValueError(f"is {value!r:.40}, not a number")
    try:
        number = float(value)
    except ValueError:
        raise UnreadableValueError(f"is {value!r:.40}, not a number") from None
    if not math.isfinite(number):
        raise UnreadableValueError(f"is {value!r:.40}, not a finite number")
    return number


COLUMN_KINDS: Final[Mapping[str, Callable[[Any], Any]]] = {"text": as_text, "number": _number, "bool": as_bool}
"""Kinds a column can be declared as."""


class TypedRow(NamedTuple):
    """One row with the declared columns only."""

    file: str
    line: int
    values: dict[str, Any]
    """None where the row has no value, or one of another type."""
    problems: dict[str, str]
    """Why a column is None although the row has a value."""


def read_columns(
    config: AnswersConfig, columns: Mapping[str, str], *, base_dir: Path | None = None
) -> Iterator[TypedRow | Rejected]:
    """Stream the declared columns of any file that answers can be read from.

    Args:
        config: Where the rows are; its mapping is not used.
        columns: Column name -> 'text', 'number' or 'bool'.
        base_dir: Folder that relative paths start from.

    Yields:
        A row, or a line that cannot be read at all.
    """
    for item in read_items(config, base_dir=base_dir):
        if isinstance(item, RawRow):
            yield _typed(item, columns)
        elif isinstance(item, Rejected):
            yield item


def _typed(row: RawRow, columns: Mapping[str, str]) -> TypedRow:
    values: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for name, kind in columns.items():
        value = row.data.get(name)
        if isinstance(value, float) and kind == "text" and row.exact is not None:
            value = row.exact()[name]
        values[name] = None
        if value is None or (row.is_table and value == ""):
            continue
        if isinstance(value, str) and kind == "number" and not row.is_table:
            problems[name] = f"is the text {value!r:.40}, not a number"
            continue
        try:
            values[name] = COLUMN_KINDS[kind](value)
        except UnreadableValueError as fault:
            problems[name] = str(fault)
    return TypedRow(row.file, row.line, values, problems)
