"""Parquet files, nested lists and structs among them; read row batch by row batch."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.sources.batch import RAW_CHARS, Rejected, Window
from goldassay.sources.csv_table import plain_names
from goldassay.sources.files import name_of
from goldassay.sources.rows import EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["read_parquet", "readable", "show_row"]

DOUBLE_BITS = 64
ROWS = 500
"""Rows decoded at a time: at a few hundred kilobytes a row, some hundred megabytes at most."""


def read_parquet(place: Path, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of one Parquet file, numbered from 1."""
    del window  # files are cut to the window later
    name, line = name_of(place), 0
    try:
        # Opened here, because Arrow takes a path for an address, and only names in UTF-8.
        with place.open("rb") as stream, pq.ParquetFile(stream, pre_buffer=False) as file:
            names = plain_names(file.schema_arrow.names, kept=config.mapped_columns)
            twice = sorted({column for column in names if names.count(column) > 1})
            if twice:
                yield Rejected(name, 0, f"the table names {', '.join(map(repr, twice))} twice")
                return
            for batch in file.iter_batches(batch_size=ROWS):
                for row in _rows(readable(batch.rename_columns(names))):
                    line += 1
                    if isinstance(row, dict):
                        yield RawRow(name, line, row, None, partial(show_row, row))
                    else:
                        yield Rejected(name, line, f"holds a value Python cannot hold: {row}")
    except (pa.ArrowException, OSError, UnicodeDecodeError) as fault:
        text = str(fault).split("\n", 1)[0]
        yield Rejected(name, line + 1 if line else 0, f"not readable as Parquet from here on: {text}")
        return
    if not line:
        yield EmptyFile(name)


def _rows(batch: Any) -> Iterator[dict[str, Any] | str]:
    """Rows as Python values; the reason instead where a moment lies outside its years 1 to 9999."""
    try:
        yield from _as_python(batch)
    except (ValueError, OverflowError) as fault:
        if batch.num_rows == 1:
            yield str(fault)
            return
        for place in range(batch.num_rows):
            yield from _rows(batch.slice(place, 1))


def _as_python(batch: Any) -> list[dict[str, Any]]:
    if not any(_holds_map(kind) for kind in batch.schema.types):
        return list(batch.to_pylist())  # four times as fast
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a map that holds a key twice; its last value counts
        return list(batch.to_pylist(maps_as_pydicts="lossy"))


def _holds_map(kind: Any) -> bool:
    inner = [kind.field(place).type for place in range(kind.num_fields)]
    return pa.types.is_map(kind) or any(map(_holds_map, inner))


def readable(batch: Any) -> Any:
    """Columns as types that Python can hold without loss that matters."""
    columns = [_readable_column(batch.column(index)) for index in range(batch.num_columns)]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _readable_column(column: Any) -> Any:
    kind = _readable_type(column.type)
    if pa.types.is_floating(column.type) and column.type.bit_width < DOUBLE_BITS:
        return column.cast(pa.string()).cast(pa.float64())  # 1.1 stays 1.1, not 1.10000002384185791
    return column if kind == column.type else column.cast(kind, safe=False)


def _readable_type(kind: Any) -> Any:
    """Microseconds for nanoseconds, which Python's datetime lacks; UTC for zones it may not know."""
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us" if kind.unit == "ns" else kind.unit, "UTC" if kind.tz else None)
    if pa.types.is_duration(kind) or pa.types.is_time64(kind):
        of_unit = pa.duration if pa.types.is_duration(kind) else pa.time64
        return of_unit("us") if kind.unit == "ns" else kind
    return _readable_inside(kind)


def _readable_inside(kind: Any) -> Any:
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_readable_type(field.type)) for field in kind])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        of_items = pa.list_ if pa.types.is_list(kind) else pa.large_list
        return of_items(kind.value_field.with_type(_readable_type(kind.value_type)))
    return kind


def show_row(data: dict[str, Any]) -> str:
    """The beginning of a row that has no text of its own."""
    return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS).decode(errors="replace")[:RAW_CHARS]
