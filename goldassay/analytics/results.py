"""Query results for people and programs: a table, CSV that no spreadsheet runs, JSON, Parquet.

Cells come from logs and judges. A text that a spreadsheet would take for a formula
gets an apostrophe; a terminal gets no control characters and no markup.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.errors import ConfigError
from goldassay.store.files import replacing

__all__ = ["ResultFormat", "spreadsheet_safe", "write_result"]

_MOST_ROWS = 1_000
"""Rows of a table that a person is shown."""
_LEAST_WIDTH = 9
"""Columns of the terminal that a column of a table needs, about."""

_MOST_CHARS = 20_000
"""Of a cell in a table for a person: laying out a text of millions takes minutes."""

ResultFormat = Literal["table", "csv", "json", "jsonl", "parquet"]
_FORMULA_SIGNS = frozenset("=+-@|\uff1d\uff0b\uff0d\uff20\u2212")
"""What spreadsheets take for the start of a formula, the full-width signs and the true minus among them."""
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks of the reading direction."""
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
"""Categories of characters that hide the sign from a careless check: controls, zero-width, blanks."""


def write_result(table: pa.Table, result_format: ResultFormat, out: Path | TextIO) -> None:
    """Write a query's result.

    Args:
        table: The result.
        result_format: 'table', 'csv', 'json' (one array), 'jsonl' or 'parquet'.
        out: A file to make, whole or not at all, or an open text stream (not for Parquet).

    Raises:
        ConfigError: If Parquet is asked for on a text stream, or the format is unknown.
    """
    if result_format == "parquet":
        _write_parquet(table, out)
        return
    if result_format not in _WRITERS:
        message = f"no result format {result_format!r}. Use one of 'table', 'csv', 'json', 'jsonl', 'parquet'."
        raise ConfigError(message)
    if isinstance(out, Path):
        with replacing(out) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
            _WRITERS[result_format](table, stream)
    else:
        _WRITERS[result_format](table, out)


def spreadsheet_safe(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula."""
    for letter in text:
        if letter in _FORMULA_SIGNS:
            return f"'{text}"
        if unicodedata.category(letter) not in _INVISIBLE:
            break
    return f"'{text}" if text[:1] in {"\t", "\r", "\n"} else text


def _write_parquet(table: pa.Table, out: Path | TextIO) -> None:
    if not isinstance(out, Path):
        message = "Parquet is no text and cannot be printed. Name a file with -o FILE.parquet."
        raise ConfigError(message)
    with replacing(out) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def _write_csv(table: pa.Table, stream: TextIO) -> None:
    plain = csv.writer(stream, lineterminator="\n")
    quoted = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for values in itertools.chain([table.schema.names], _rows(table)):
        row = [_csv_cell(value) for value in values]
        (quoted if _has_return(row) else plain).writerow(row)


def _has_return(row: Iterable[Any]) -> bool:
    """Whether a cell holds a carriage return: Python's writer leaves it bare, and a spreadsheet begins a row there."""
    return any(isinstance(cell, str) and "\r" in cell for cell in row)


def _csv_cell(value: Any) -> Any:
    if isinstance(value, str):
        return spreadsheet_safe(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return spreadsheet_safe(_plain_text(value))


def _write_json(table: pa.Table, stream: TextIO) -> None:
    stream.write("[")
    stream.writelines((",\n " if position else "\n ") + row for position, row in enumerate(_objects(table)))
    stream.write("\n]\n")


def _write_jsonl(table: pa.Table, stream: TextIO) -> None:
    stream.writelines(row + "\n" for row in _objects(table))


def _write_table(table: pa.Table, stream: TextIO) -> None:
    from rich.box import SIMPLE  # noqa: PLC0415 - rich takes 0.1 s to load and the other formats do not need it
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(file=stream)
    if table.num_columns * _LEAST_WIDTH > console.width:
        _write_upright(table.slice(0, _MOST_ROWS), stream)
        console.print(_count(table), highlight=False)
        return
    shown = Table(box=SIMPLE, show_edge=False, pad_edge=False)
    for field in table.schema:
        number = any(
            is_number(field.type) for is_number in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
        )
        shown.add_column(Text(_printable(field.name)), justify="right" if number else "left", overflow="fold")
    for row in _rows(table.slice(0, _MOST_ROWS)):
        shown.add_row(*(Text(_table_cell(value)) for value in row))
    console.print(shown)
    console.print(_count(table), highlight=False)


def _write_upright(table: pa.Table, stream: TextIO) -> None:
    """More columns than a line holds: one under the other."""
    names = table.schema.names
    width = max(map(len, names))
    for number, row in enumerate(_rows(table), start=1):
        stream.write(f"-- row {number} --\n")
        stream.writelines(
            f"{_printable(name):<{width}}  {_table_cell(value)}\n" for name, value in zip(names, row, strict=True)
        )


def _count(table: pa.Table) -> str:
    rows = f"{table.num_rows:,} row{'' if table.num_rows == 1 else 's'}"
    if table.num_rows <= _MOST_ROWS:
        return rows
    return f"{rows}, the first {_MOST_ROWS:,} shown; all of them: -o FILE.csv or FILE.parquet"


_WRITERS: dict[str, Callable[[pa.Table, TextIO], None]] = {
    "table": _write_table,
    "csv": _write_csv,
    "json": _write_json,
    "jsonl": _write_jsonl,
}


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    for batch in table.to_batches(max_chunksize=10_000):
        yield from zip(*(column.to_pylist(maps_as_pydicts="lossy") for column in batch.columns), strict=True)


def _objects(table: pa.Table) -> Iterator[str]:
    names = table.schema.names
    for row in _rows(table):
        values = {name: _jsonable(value) for name, value in zip(names, row, strict=True)}
        yield json.dumps(values, ensure_ascii=False, allow_nan=False)


def _jsonable(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return _as_json_scalar(value)


def _as_json_scalar(value: Any) -> int | float | str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return _number(value)
    return value.hex() if isinstance(value, bytes) else str(value)


def _number(value: Decimal) -> int | float | str:
    """DuckDB's sums of whole numbers come as decimals: a number, unless JSON's readers would round it."""
    if not value.is_finite():
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)


def _plain_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    made = _jsonable(value)
    return made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)


def _table_cell(value: Any) -> str:
    text = _plain_text(value)
    if len(text) <= _MOST_CHARS:
        return _printable(text)
    return f"{_printable(text[:_MOST_CHARS])} ... ({len(text):,} characters; all of them: -o FILE.csv or --format json)"


def _printable(text: str) -> str:
    """Keep a log's characters from steering the terminal, or turning the direction of what stands beside them."""
    return "".join("\ufffd" if _steers(letter) else letter for letter in text)


def _steers(letter: str) -> bool:
    return letter != "\n" and (unicodedata.category(letter) == "Cc" or letter in _TURNING)
