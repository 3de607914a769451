"""From staged parts to readable files: sorted Parquet by app and month, and the manifest last.

Doing it again gives the same files: names come from the run and a number, order
from the shards. Readers see nothing of a run until its manifest is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from goldassay.store.files import StoreFiles
from goldassay.store.manifest import FileEntry, RunManifest
from goldassay.store.parquet import ROW_GROUP_ROWS, chunked, digest, open_writer, read_batches, sorted_table
from goldassay.store.paths import month_of, part_path
from goldassay.store.schema import SCHEMA_VERSION, SCHEMAS
from goldassay.store.staging import ANSWERS, Staging
from goldassay.verdicts import RunStamp

__all__ = ["publish_parts", "row_group_rows", "write_part", "write_stream"]

_FILE_ROWS = 1_000_000
"""Most rows of one file: what is sorted in memory at once."""
_FILE_BYTES = 256 << 20
"""Most Arrow bytes of one file: answers carry their sources."""


def publish_parts(files: StoreFiles, staging: Staging, manifest: RunManifest) -> tuple[FileEntry, ...]:
    """Write all staged parts of a run to their partitions and return what was written."""
    stamp = RunStamp(manifest.run_id, manifest.run_kind, manifest.run_at)
    entries = list(_publish_kind(files, "answers", _tables(staging, [ANSWERS]), stamp))
    stages = [stage for stage in staging.stages() if stage != ANSWERS]
    return (*entries, *_publish_kind(files, "verdicts", _tables(staging, stages), stamp))


def write_part(files: StoreFiles, path: str, table: pa.Table) -> FileEntry:
    """Write one sorted file, whole or not at all, and return its manifest entry."""
    kind = path.partition("/")[0]
    return write_stream(files, path, [sorted_table(table, kind)], table.schema)


def write_stream(files: StoreFiles, path: str, tables: Iterable[pa.Table], schema: pa.Schema) -> FileEntry:
    """Write one file from tables in the order given; memory stays at one row group."""
    group_rows = row_group_rows(path.partition("/")[0])
    rows = 0
    with files.replacing(path) as temporary:
        with open_writer(temporary, schema) as writer:
            for table in tables:
                writer.write_table(table, row_group_size=group_rows)
                rows += table.num_rows
        with temporary.open("rb") as written:
            size, sha256 = digest(written)
    return FileEntry(path=path, rows=rows, bytes=size, sha256=sha256, schema_version=SCHEMA_VERSION)


def row_group_rows(kind: str) -> int:
    """Return the rows of one row group."""
    # A group of answers is read as a whole by whoever wants one of them; they are a thousand times as heavy.
    return 2_000 if kind == "answers" else ROW_GROUP_ROWS


def _tables(staging: Staging, stages: Iterable[str]) -> Callable[[pa.Schema], Iterator[pa.Table]]:
    def read(schema: pa.Schema) -> Iterator[pa.Table]:
        for stage in stages:
            for shard in staging.shards(stage):
                for batch in read_batches(staging.fetch(staging.path(stage, shard)), schema):
                    yield pa.Table.from_batches([batch])

    return read


def _publish_kind(
    files: StoreFiles, kind: str, tables: Callable[[pa.Schema], Iterator[pa.Table]], stamp: RunStamp
) -> Iterator[FileEntry]:
    numbers: dict[str, int] = {}
    stamped = (_stamped(table, stamp) for table in tables(SCHEMAS[kind]))
    for table in chunked(stamped, rows=_FILE_ROWS, size=_FILE_BYTES):
        for app in sorted({str(value or "") for value in pc.unique(table.column("app")).to_pylist()}):
            number = numbers.get(app, 0)
            numbers[app] = number + 1
            path = part_path(kind, app, month_of(stamp.run_at), name=stamp.run_id, number=number)
            yield write_part(files, path, table.filter(pc.equal(table.column("app"), pa.scalar(app))))


def _stamped(table: pa.Table, stamp: RunStamp) -> pa.Table:
    """Give every row the run it belongs to, whatever the staged part says."""
    for name, value in zip(RunStamp._fields, stamp, strict=True):
        position = table.schema.get_field_index(name)
        field = table.schema.field(position)
        column = pa.repeat(pa.scalar(value, field.type), table.num_rows)
        table = table.set_column(position, field, column)
    return table
