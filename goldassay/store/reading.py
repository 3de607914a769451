"""One run's rows, wherever compaction has put them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from goldassay.store.catalog import Snapshot
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import RunManifest
from goldassay.store.parquet import conform, reading
from goldassay.store.paths import partition_of
from goldassay.store.schema import SCHEMAS

__all__ = ["batches_of"]


def batches_of(files: StoreFiles, snapshot: Snapshot, run: RunManifest, kind: str) -> Iterator[pa.RecordBatch]:
    """Yield the rows of one run, a row group at a time."""
    own = [entry.path for entry in run.files if entry.path.startswith(f"{kind}/")]
    moved = {partition_of(path)[1] for path in own if path not in snapshot.files}
    manifests = {entry.path for other in snapshot.runs for entry in other.files}
    merged = [path for path in snapshot.files if path not in manifests and partition_of(path)[1] in moved]
    for path in [*(path for path in own if path in snapshot.files), *merged]:
        with reading(files, path) as handle, pq.ParquetFile(handle) as file:
            for group in range(file.num_row_groups):
                yield from _rows_of_run(file, group, run.run_id, SCHEMAS[kind])


def _rows_of_run(file: pq.ParquetFile, group: int, run_id: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    if not _may_hold(file, group, run_id):
        return
    table = conform(file.read_row_group(group), schema)
    yield from table.filter(pc.equal(table.column("run_id"), pa.scalar(run_id))).to_batches()


def _may_hold(file: pq.ParquetFile, group: int, run_id: str) -> bool:
    paths = [file.schema.column(position).path for position in range(file.metadata.num_columns)]
    statistics: Any = file.metadata.row_group(group).column(paths.index("run_id")).statistics
    return statistics is None or not statistics.has_min_max or statistics.min <= run_id <= statistics.max
