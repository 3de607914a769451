"""The store: months of answers and verdicts as Parquet files, one manifest a run, on a folder or an object store.

This module ties the parts together and is what everyone else calls. SQL over
the store is `goldassay.analytics.connect`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from goldassay.errors import StoreError
from goldassay.store.catalog import Catalog, Snapshot
from goldassay.store.commits import new_commit
from goldassay.store.compaction import CompactionReport, compact
from goldassay.store.files import LocalFiles, StoreFiles
from goldassay.store.labels import Label, write_labels
from goldassay.store.lease import holding
from goldassay.store.manifest import FileEntry, RunManifest
from goldassay.store.paths import check_run_id, encode_part
from goldassay.store.publish import publish_parts
from goldassay.store.reading import batches_of
from goldassay.store.remote import RemoteFiles
from goldassay.store.remote_lease import leasing
from goldassay.store.replies import find_replies
from goldassay.store.retention import RetentionReport, retain
from goldassay.store.schema import StoredAnswer, batch_to_stored_answers, batch_to_verdicts
from goldassay.store.shared import SharedStaging
from goldassay.store.staging import Staging
from goldassay.store.verify import Problem, verify
from goldassay.verdicts import RunKind, StoredReply, Verdict

__all__ = ["Store", "open_store"]

_GRACE_S = 3600.0
"""How long a replaced file stays for readers with an older list: longer than any report takes."""


def open_store(
    address: str | Path,
    *,
    storage_options: Mapping[str, Any] | None = None,
    work_dir: str | Path | None = None,
    shared_staging: bool = False,
) -> Store:
    """Open a store; a folder that does not exist yet is an empty store.

    Args:
        address: A folder, or an fsspec address such as 's3://bucket/evals'.
        storage_options: Handed to fsspec for an object store, e.g. {'endpoint_url': ...}.
        work_dir: Local folder for what an object store cannot hold (staging, locks); by default a folder
            '.goldassay' in the current directory. Unused for local stores.
        shared_staging: True: parts also go to the object store's staging/, so that several machines can
            work on one run. Local stores on a shared disk need no such thing.
    """
    text = str(address)
    if text.startswith("file://"):
        text = text.removeprefix("file://")
    if "://" not in text:
        root = Path(text).expanduser().resolve()
        return Store(LocalFiles(root), work_dir=root)
    work = Path(work_dir or ".goldassay").resolve()
    return Store(RemoteFiles(text, storage_options), work_dir=work, shared_staging=shared_staging)


class Store:
    """One store; cheap to open, holds no handles, safe to open many times at once."""

    def __init__(self, files: StoreFiles, *, work_dir: Path, shared_staging: bool = False) -> None:
        self.files = files
        self.catalog = Catalog(files)
        self.work_dir = work_dir
        """Local folder with staging/ and leases/; the store itself for local stores."""
        self._shared_staging = shared_staging

    @property
    def address(self) -> str:
        """Where the store is."""
        return self.files.address

    def snapshot(self) -> Snapshot:
        """Return runs and files as they are at one moment."""
        return self.catalog.snapshot()

    def live_files(self) -> dict[str, FileEntry]:
        """Return the Parquet files that count, by path; nothing else in the folders is ever read."""
        return self.snapshot().files

    def runs(self, app: str | None = None, kind: RunKind | None = None) -> list[RunManifest]:
        """Return the manifests of finished runs, oldest first; unreadable ones are left out and logged."""
        runs = self.catalog.manifests()
        return [run for run in runs if app in {None, run.app} and kind in {None, run.run_kind}]

    def run(self, reference: str, *, app: str | None = None) -> RunManifest:
        """Return one run by id, unique prefix, 'last' or 'latest:<kind>'.

        'last' passes over runs that only judged stored answers again, where there are others: they are no news.

        Raises:
            StoreError: If no run or several runs match.
        """
        runs = self.runs(app)
        word, _, kind = reference.partition(":")
        if word in {"last", "latest"}:
            found = _newest(runs, kind)
        else:
            found = [run for run in runs if run.run_id == reference]
            found = found or [run for run in runs if reference and run.run_id.startswith(reference)]
        if len(found) != 1:
            raise StoreError(_no_such_run(reference, found or runs, self.address, several=len(found) > 1))
        return found[0]

    def staging(self, run_id: str) -> Staging:
        """Return the workbench of an unpublished run."""
        folder = self.work_dir / "staging" / check_run_id(run_id)
        return SharedStaging(folder, self.files) if self._shared_staging else Staging(folder)

    def lock_run(self, run_id: str) -> AbstractContextManager[None]:
        """Hold a run for the length of a block; RunError when another process holds it."""
        return self._lock(check_run_id(run_id), f"run {run_id!r}")

    def lock_nights(self, app: str) -> AbstractContextManager[None]:
        """Hold an app's log for the length of a block: two runs at once would take the same answers twice."""
        return self._lock(f"nights-{encode_part(app)}", f"the log of app {app!r}")

    def is_published(self, run_id: str) -> bool:
        """Tell whether a run can be read."""
        return self.catalog.manifest(check_run_id(run_id)) is not None

    def publish(self, run_id: str, manifest: RunManifest, *, keep_staging: bool = False) -> RunManifest:
        """Make a staged run readable; the manifest is written last, and doing it again changes nothing."""
        staging = self.staging(run_id)
        published = self.catalog.manifest(run_id)
        if published is None:
            stamped = manifest.model_copy(update={"run_id": run_id})
            entries = publish_parts(self.files, staging, stamped)
            published = stamped.model_copy(update={"files": entries})
            self.catalog.write_manifest(published)
        if not keep_staging:
            staging.clear()
        return published

    def watermark(self, app: str) -> datetime | None:
        """Return the end of the newest window a complete nightly or backfill run covers; None before the first."""
        ends = [run.window_end for run in self.runs(app) if run.moves_watermark]
        return max((end for end in ends if end is not None), default=None)

    def accept(self, run_id: str) -> RunManifest:
        """Mark a run as its app's baseline: what later runs are compared with."""
        run = self.run(run_id)
        self.catalog.write_baseline(run.app, run.run_id)
        return run.model_copy(update={"baseline": True})

    def baseline(self, app: str) -> RunManifest | None:
        """Return the app's accepted run, None before the first."""
        run_id = self.catalog.baselines().get(app)
        run = None if run_id is None else self.catalog.manifest(run_id)
        return None if run is None else run.model_copy(update={"baseline": True})

    def answers_of(self, run_id: str) -> Iterator[StoredAnswer]:
        """Yield a run's answers with their golden questions."""
        for batch in self._batches_of(run_id, "answers"):
            yield from batch_to_stored_answers(batch)

    def verdicts_of(self, run_id: str) -> Iterator[Verdict]:
        """Yield a run's verdicts."""
        for batch in self._batches_of(run_id, "verdicts"):
            yield from batch_to_verdicts(batch)

    def stored_replies(
        self, hashes: Collection[str], max_age_days: float = 90.0, *, now: datetime | None = None
    ) -> dict[str, StoredReply]:
        """Return the newest usable reply for each request hash that was paid for; errors are never reused."""
        paths = [path for path in self.live_files() if path.startswith("verdicts/")]
        moment = now or datetime.now(UTC)
        return find_replies(self.files, paths, hashes, max_age_days=max_age_days, now=moment)

    def add_labels(self, labels: Sequence[Label]) -> None:
        """Keep labels; all of one call count from the same moment on."""
        if labels:
            self.catalog.write_commit(new_commit("labels", write_labels(self.files, labels)))

    def compact(
        self, *, min_files: int = 4, grace_s: float = _GRACE_S, now: datetime | None = None
    ) -> CompactionReport:
        """Merge small files, beside readers and writers; replaced ones are deleted after `grace_s` seconds."""
        with self._maintaining():
            moment, grace = now or datetime.now(UTC), timedelta(seconds=grace_s)
            return compact(self.files, self.catalog, min_files=min_files, grace=grace, now=moment)

    def retain(self, keep_months: int, *, grace_s: float = _GRACE_S, now: datetime | None = None) -> RetentionReport:
        """Drop runs older than `keep_months` months; baselines, watermarks and labels stay."""
        if keep_months < 1:
            message = f"keep_months is {keep_months!r}. Keep at least 1: the current month."
            raise StoreError(message)
        with self._maintaining():
            moment, grace = now or datetime.now(UTC), timedelta(seconds=grace_s)
            return retain(self.files, self.catalog, keep_months=keep_months, grace=grace, now=moment)

    def verify(self) -> list[Problem]:
        """Return everything wrong or odd about the store; empty when all is well."""
        return list(verify(self.files, self.catalog))

    def _maintaining(self) -> AbstractContextManager[None]:
        return self._lock("maintenance", f"the upkeep of {self.address!r}")

    @contextmanager
    def _lock(self, name: str, what: str) -> Iterator[None]:
        with ExitStack() as locks:
            locks.enter_context(holding(self.work_dir / "leases" / f"{name}.lock", what=what))
            if isinstance(self.files, RemoteFiles):  # other machines do not see this one's lock file
                locks.enter_context(leasing(self.files, name, what=what))
            yield

    def _batches_of(self, run_id: str, kind: str) -> Iterator[pa.RecordBatch]:
        return batches_of(self.files, self.snapshot(), self.run(run_id), kind)


def _newest(runs: Sequence[RunManifest], kind: str) -> list[RunManifest]:
    """The newest run of a kind, or of any kind but rejudge where there is one; at most one."""
    found = [run for run in runs if run.run_kind == kind or (not kind and run.run_kind != "rejudge")]
    return (found or ([] if kind else list(runs)))[-1:]


def _no_such_run(reference: str, known: Sequence[RunManifest], address: str, *, several: bool) -> str:
    names = ", ".join(repr(run.run_id) for run in known[-5:])
    if several:
        return f"run {reference!r} is not unique in {address!r}: {names}. Give more of its id."
    if not names:
        return f"no run {reference!r}: the store {address!r} holds no runs yet. Run goldassay run first."
    return f"no run {reference!r} in {address!r}; the newest are {names}. Give one of these, or 'last'."
