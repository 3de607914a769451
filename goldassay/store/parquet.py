"""Parquet files as the store writes and reads them: explicit schema, sorted, zstd, and checked for wholeness.

Knows nothing of runs or manifests. A file is whole when it begins and ends with
the magic bytes and its footer can be read; a killed writer leaves none of them
under a final name, but a foreign one may.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from goldassay.errors import StoreError
from goldassay.store.files import StoreFiles

__all__ = [
    "ROW_GROUP_ROWS",
    "chunked",
    "conform",
    "digest",
    "is_whole",
    "open_writer",
    "read_batches",
    "reading",
    "sorted_table",
]

ROW_GROUP_ROWS = 122_880
"""DuckDB's own row-group size: its unit of parallel work."""
_MAGIC = b"PAR1"
_SORT = {
    "verdicts": ("app_version", "run_id", "check", "question_id", "record_id"),
    "answers": ("app_version", "run_id", "question_id", "record_id"),
    "labels": ("label_id",),
}
"""Order of the rows in a file: a query on a version, a run or a check skips most row groups."""


def open_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Open a writer with the store's settings: zstd, dictionaries, page index for skipping."""
    return pq.ParquetWriter(path, schema, compression="zstd", write_page_index=True, store_schema=True)


def sorted_table(table: pa.Table, kind: str) -> pa.Table:
    """Return the table in the order the kind of file is kept in."""
    order: list[Any] = [(name, "ascending") for name in _SORT[kind] if name in table.schema.names]
    return table.take(pc.sort_indices(table, sort_keys=order))


def is_whole(file: BinaryIO) -> bool:
    """Tell whether a file is a complete Parquet file."""
    try:
        head = file.read(len(_MAGIC))
        file.seek(0)
        pq.read_metadata(file)
    except (pa.ArrowException, OSError, ValueError):
        return False
    return head == _MAGIC


@contextlib.contextmanager
def reading(files: StoreFiles, path: str) -> Iterator[BinaryIO]:
    """Open a file of the store for a block that reads it and does nothing else.

    Raises:
        StoreError: If it is absent, or no whole Parquet file.
    """
    try:
        with files.open(path) as file:
            yield file
    except (OSError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.errno is not None and not isinstance(error, FileNotFoundError):
            raise  # the machine's trouble, not the file's; Arrow's own faults bear no number
        what = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
        message = f"{path!r} in {files.address!r} {what}. Restore it from a backup; see goldassay doctor."
        raise StoreError(message) from error


def read_batches(path: Path | BinaryIO, schema: pa.Schema, *, rows: int = 10_000) -> Iterator[pa.RecordBatch]:
    """Read a file in batches of the current schema, whatever schema it was written with."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=rows):
            yield conform(pa.Table.from_batches([batch]), schema).combine_chunks().to_batches()[0]


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Give a table the wanted schema: missing columns and fields become nulls, unknown ones are left out."""
    columns = [_conform_column(table, field) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _conform_column(table: pa.Table, field: Any) -> Any:
    if field.name not in table.schema.names:
        return pa.chunked_array([pa.nulls(table.num_rows, field.type)])
    column = table.column(field.name)
    if column.type == field.type:
        return column
    chunks = [_conform_array(chunk, field.type) for chunk in column.chunks]
    return pa.chunked_array(chunks, type=field.type)


def _conform_array(array: Any, kind: Any) -> Any:
    if array.type == kind:
        return array
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), kind)
    if pa.types.is_struct(kind) and pa.types.is_struct(array.type):
        return _conform_struct(array, kind)
    if pa.types.is_list(kind) and pa.types.is_list(array.type):
        values = _conform_array(array.flatten(), kind.value_type)
        return pa.ListArray.from_arrays(_offsets(array), values, type=kind, mask=array.is_null())
    # Nanoseconds of other writers are cut to the microseconds that every reader of the store has.
    return array.cast(kind, safe=not pa.types.is_timestamp(kind))


def _conform_struct(array: Any, kind: Any) -> Any:
    present = {array.type.field(position).name for position in range(array.type.num_fields)}
    wanted = [kind.field(position) for position in range(kind.num_fields)]
    children = [
        _conform_array(pc.struct_field(array, field.name), field.type)
        if field.name in present
        else pa.nulls(len(array), field.type)
        for field in wanted
    ]
    return pa.StructArray.from_arrays(children, fields=wanted, mask=array.is_null())


def _offsets(array: Any) -> Any:
    """Offsets that fit `array.flatten()`: null lists are empty there."""
    lengths = pc.fill_null(pc.list_value_length(array), 0)
    return pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(lengths).cast(pa.int32())])


def digest(file: BinaryIO, *, block: int = 1 << 20) -> tuple[int, str]:
    """Return a file's size in bytes and its SHA-256."""
    total, sha = 0, hashlib.sha256()
    while chunk := file.read(block):
        total += len(chunk)
        sha.update(chunk)
    return total, sha.hexdigest()


def chunked(tables: Iterable[pa.Table], *, rows: int, size: int = 256 << 20) -> Iterator[pa.Table]:
    """Join small tables and cut the sum into tables of at most about `rows` rows or `size` bytes."""
    waiting: list[pa.Table] = []
    rows_waiting = bytes_waiting = 0
    for table in tables:
        waiting.append(table)
        rows_waiting += table.num_rows
        bytes_waiting += table.nbytes
        if rows_waiting >= rows or bytes_waiting >= size:
            yield pa.concat_tables(waiting)
            waiting, rows_waiting, bytes_waiting = [], 0, 0
    if waiting:
        yield pa.concat_tables(waiting)
