"""Old months leave the store: first from the set of files, then from the disk."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from goldassay.store.catalog import Catalog
from goldassay.store.commits import new_commit
from goldassay.store.compaction import delete_removed
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import RunManifest
from goldassay.store.paths import encode_part, month_of

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
    kept = {_partition(run) for run in guards}
    dropped = [run for run in before.runs if month_of(run.run_at) < oldest and _partition(run) not in kept]
    gone = [path for path in before.files if _is_dropped(path, oldest, kept)]
    if gone:
        # In one step, and before the manifests: a reader never sees half of a month's runs.
        catalog.write_commit(new_commit("retention", (), gone, now=now))
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


def _partition(run: RunManifest) -> str:
    return f"app={encode_part(run.app)}/month={month_of(run.run_at)}"


def _is_dropped(path: str, oldest: str, kept: Iterable[str]) -> bool:
    kind, _, rest = path.partition("/")
    partition = rest.rpartition("/")[0]
    month = partition.rpartition("/month=")[2]
    return kind != "labels" and month < oldest and partition not in kept


def _month_before(now: datetime, months: int) -> str:
    total = now.year * 12 + now.month - 1 - months
    return f"{total // 12:04d}-{total % 12 + 1:02d}"
