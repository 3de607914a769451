"""Many small files become few, while others read and write.

New files first, then one commit that swaps them for the old ones, and the old ones
are deleted when the grace period is over: a reader with yesterday's list goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pyarrow as pa

from goldassay.errors import StoreError
from goldassay.store.catalog import Catalog, Snapshot
from goldassay.store.commits import Commit, effective, live_files, new_commit
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import FileEntry
from goldassay.store.parquet import chunked, read_batches, reading, sorted_table
from goldassay.store.paths import partition_of
from goldassay.store.publish import row_group_rows, write_stream
from goldassay.store.schema import SCHEMAS

__all__ = ["COMPACTED", "CompactionReport", "compact", "delete_removed"]

COMPACTED = "compacted-"
"""How the names of merged files begin."""
_MAX_ROWS = 8_000_000
_MAX_BYTES = 256 << 20
"""Most of one merged file, in Parquet bytes; a file of half that stays as it is."""
_FOLD_AFTER = 20
"""Commits that may lie about before they are folded into one."""


class CompactionReport(NamedTuple):
    """What a compaction did."""

    files_before: int
    files_after: int
    deleted: int
    """Files of earlier compactions whose grace period was over."""
    waiting: int
    """Replaced files that stay for readers with an older list."""


def compact(
    files: StoreFiles, catalog: Catalog, *, min_files: int, grace: timedelta, now: datetime
) -> CompactionReport:
    """Merge the small files of every partition; the caller holds the maintenance lock."""
    before = catalog.snapshot()
    for batch in _batches(before.files.values(), min_files):
        _merge(files, catalog, batch, now=now)
    after = catalog.snapshot()
    deleted, waiting = delete_removed(files, after, grace=grace, now=now)
    _fold(files, catalog, after, grace=grace, now=now)
    return CompactionReport(len(before.files), len(after.files), deleted, waiting)


def delete_removed(files: StoreFiles, snapshot: Snapshot, *, grace: timedelta, now: datetime) -> tuple[int, int]:
    """Delete files that no longer count and whose grace is over; returns (deleted, still waiting)."""
    made = {path: commit.made_at for commit in snapshot.commits for path in commit.remove}
    there = [path for kind in SCHEMAS for path in files.list(kind) if path not in snapshot.files]
    gone = [path for path in there if path in made and made[path] + grace <= now]
    # A compaction that was killed before its commit leaves merged files nobody will ever name.
    gone += [path for path in there if path not in made and _is_stray(files, path, grace, now)]
    for path in gone:
        files.remove(path)
    return len(gone), sum(1 for path in there if path in made) - sum(1 for path in gone if path in made)


def _is_stray(files: StoreFiles, path: str, grace: timedelta, now: datetime) -> bool:
    name = path.rpartition("/")[2]
    return name.startswith(COMPACTED) and files.age_s(path, now=now.timestamp()) >= grace.total_seconds()


def _batches(entries: Iterable[FileEntry], min_files: int) -> Iterator[list[FileEntry]]:
    """Choose what is merged: files of one partition, small enough to be sorted together."""
    partitions: dict[tuple[str, str], list[FileEntry]] = defaultdict(list)
    for entry in entries:
        partitions[partition_of(entry.path)].append(entry)
    for _, found in sorted(partitions.items()):
        for batch in _filled(found):
            if len(batch) >= min_files:
                yield batch


def _filled(entries: Sequence[FileEntry]) -> Iterator[list[FileEntry]]:
    batch: list[FileEntry] = []
    for entry in entries:
        if entry.bytes > _MAX_BYTES // 2:
            continue  # large enough to stay
        if batch and not _fits([*batch, entry]):
            yield batch
            batch = []
        batch.append(entry)
    yield batch


def _fits(batch: Sequence[FileEntry]) -> bool:
    return sum(e.rows for e in batch) <= _MAX_ROWS and sum(e.bytes for e in batch) <= _MAX_BYTES


def _merge(files: StoreFiles, catalog: Catalog, batch: Sequence[FileEntry], *, now: datetime) -> None:
    kind, folder = partition_of(batch[0].path)
    commit = new_commit("compaction", (), [entry.path for entry in batch], now=now)
    path = f"{folder}/{COMPACTED}{commit.commit_id}.parquet"
    # Sorted within row groups only: nights follow one another, so versions do too, and memory stays small.
    groups = (sorted_table(table, kind) for table in chunked(_read(files, batch, kind), rows=row_group_rows(kind)))
    merged = write_stream(files, path, groups, SCHEMAS[kind])
    if merged.rows != (wanted := sum(entry.rows for entry in batch)):
        files.remove(path)
        message = f"{folder!r} holds {merged.rows} rows where its manifests tell of {wanted}. See goldassay doctor."
        raise StoreError(message)
    catalog.write_commit(commit.model_copy(update={"add": (merged,)}))


def _read(files: StoreFiles, batch: Sequence[FileEntry], kind: str) -> Iterator[pa.Table]:
    for entry in batch:
        with reading(files, entry.path) as handle:
            for rows in read_batches(handle, SCHEMAS[kind], rows=row_group_rows(kind)):
                yield pa.Table.from_batches([rows])


def _fold(files: StoreFiles, catalog: Catalog, snapshot: Snapshot, *, grace: timedelta, now: datetime) -> None:
    """Replace many old commits by one that says the same."""
    old = [commit for commit in snapshot.commits if commit.made_at + grace <= now]
    if len(old) <= _FOLD_AFTER:
        return
    catalog.write_commit(_folded(old, snapshot, now=now))
    counting = effective(old)
    # What does not count goes first: it would count as soon as the commit before which it came second is gone.
    for commit in [*(commit for commit in old if commit not in counting), *counting]:
        files.remove(commit.path)


def _folded(old: Sequence[Commit], snapshot: Snapshot, *, now: datetime) -> Commit:
    """One commit that says what the old ones say, also while only some of them are deleted.

    Then a file whose removal is deleted already must stay out, and a later compaction that came second must not
    count because the first one is gone. So it takes out all that anything still there names.
    """
    in_manifests = {entry.path for run in snapshot.runs for entry in run.files}
    live = live_files((), old)
    add = [entry for path, entry in live.items() if path not in in_manifests]
    lost = {path for commit in effective(old) for path in commit.remove}
    lost |= {entry.path for commit in old for entry in commit.add if entry.path not in live}
    made = new_commit("fold", add, sorted(lost & _named(old, snapshot)), now=now.astimezone(UTC))
    # It takes the place of the last commit it folds: what counts is decided by the order of the ids.
    return made.model_copy(update={"commit_id": f"{max(commit.commit_id for commit in old)}-fold"})


def _named(old: Sequence[Commit], snapshot: Snapshot) -> set[str]:
    """Paths that manifests and commits name, apart from removals by the folded ones: the rest can be forgotten."""
    kept = [commit for commit in snapshot.commits if commit not in old]
    named = {entry.path for run in snapshot.runs for entry in run.files}
    named |= {entry.path for commit in snapshot.commits for entry in commit.add}
    return named | {path for commit in kept for path in commit.remove}
