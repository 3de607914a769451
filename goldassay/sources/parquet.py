"""Parquet files, nested lists and structs among them; read row batch by row batch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.sources.batch import RAW_CHARS, Rejected, Window
from goldassay.sources.rows import EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["read_parquet", "show_row"]

ROWS = 500
"""Rows decoded at a time: at a few hundred kilobytes a row, some hundred megabytes at most."""


def read_parquet(place: Path, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of one Parquet file, numbered from 1."""
    del config, window  # Parquet describes itself; files are cut to the window later
    name, line = str(place), 0
    try:
        with pq.ParquetFile(place, pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=ROWS):
                for data in _whole_micros(batch).to_pylist(maps_as_pydicts="lossy"):
                    line += 1
                    yield RawRow(name, line, data, None, partial(show_row, data))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as fault:
        text = str(fault).split("\n", 1)[0]
        yield Rejected(name, line + 1 if line else 0, f"not readable as Parquet from here on: {text}")
        return
    if not line:
        yield EmptyFile(name)


def _whole_micros(batch: Any) -> Any:
    """Cut nanoseconds to microseconds: Python's datetime has no nanoseconds, and Arrow refuses to drop them unasked."""
    for index, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            column = batch.column(index).cast(pa.timestamp("us", field.type.tz), safe=False)
            batch = batch.set_column(index, field.name, column)
    return batch


def show_row(data: dict[str, Any]) -> str:
    """The beginning of a row that has no text of its own."""
    return orjson.dumps(data, default=str, option=orjson.OPT_NON_STR_KEYS).decode(errors="replace")[:RAW_CHARS]
