"""Old months leave the store: first from the set of files, then from the disk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from goldassay.store.catalog import Catalog
from goldassay.store.commits import new_commit
from goldassay.store.compaction import COMPACTED, delete_removed
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import FileEntry, RunManifest
from goldassay.store.parquet import read_batches, reading, sorted_table
from goldassay.store.paths import month_of, partition_of
from goldassay.store.publish import row_group_rows, write_stream
from goldassay.store.schema import SCHEMAS

__all__ = ["RetentionReport", "retain"]


class RetentionReport(NamedTuple):
    """What a retention did."""

    runs_dropped: int
    files_dropped: int
    deleted: int
    kept_for: tuple[str, ...]
    """Older runs that stay, with their month: baselines, and the run that holds an app's watermark."""


def retain(
    files: StoreFiles, catalog: Catalog, *, keep_months: int, grace: timedelta, now: datetime
) -> RetentionReport:
    """Drop the runs of months before the last `keep_months`; the caller holds the maintenance lock.

    The current month counts as the first. Labels stay: they are few, dear, and calibrate the judge.
    """
    before = catalog.snapshot()
    oldest = _month_before(now, keep_months - 1)
    guards = list(_guards(before.runs))
    kept = {run.run_id for run in guards}
    dropped = [run for run in before.runs if month_of(run.run_at) < oldest and run.run_id not in kept]
    gone = [path for path in before.files if _is_old(path, oldest)]
    if gone:
        rest = list(_without(files, [before.files[path] for path in gone], kept, now=now))
        # In one step, and before the manifests: a reader never sees half of a month's runs.
        catalog.write_commit(new_commit("retention", rest, gone, now=now))
    for run in dropped:
        files.remove(f"runs/{run.run_id}.json")
    deleted, _ = delete_removed(files, catalog.snapshot(), grace=grace, now=now)
    saved = tuple(run.run_id for run in guards if month_of(run.run_at) < oldest)
    return RetentionReport(len(dropped), len(gone), deleted, saved)


def _guards(runs: Iterable[RunManifest]) -> Iterable[RunManifest]:
    """Yield the runs that stay whatever their age: without them a baseline or a watermark would be forgotten."""
    newest: dict[str, RunManifest] = {}
    for run in runs:
        if run.baseline:
            yield run
        known = newest.get(run.app)
        if run.moves_watermark and (known is None or _end(known) <= _end(run)):
            newest[run.app] = run
    yield from newest.values()


def _end(run: RunManifest) -> datetime:
    return run.window_end or run.run_at


def _is_old(path: str, oldest: str) -> bool:
    kind = path.partition("/")[0]
    month = path.rpartition("/")[0].rpartition("/month=")[2]
    return kind != "labels" and month < oldest


def _without(
    files: StoreFiles, old: Sequence[FileEntry], kept: Collection[str], *, now: datetime
) -> Iterator[FileEntry]:
    """Write the rows of the runs that stay into files of their own; what else stood in the old files is gone."""
    for number, entry in enumerate(old):
        kind, folder = partition_of(entry.path)
        with reading(files, entry.path) as handle:
            batches = (
                rows.filter(pc.is_in(rows.column("run_id"), pa.array(sorted(kept), pa.string())))
                for rows in read_batches(handle, SCHEMAS[kind], rows=row_group_rows(kind))
            )
            tables = [pa.Table.from_batches([rows]) for rows in batches if rows.num_rows]
        if tables:
            path = f"{folder}/{COMPACTED}kept-{now:%Y%m%dT%H%M%S%f}-{number}.parquet"
            yield write_stream(files, path, (sorted_table(table, kind) for table in tables), SCHEMAS[kind])


def _month_before(now: datetime, months: int) -> str:
    total = now.year * 12 + now.month - 1 - months
    return f"{total // 12:04d}-{total % 12 + 1:02d}"
