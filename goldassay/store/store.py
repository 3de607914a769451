"""The store: months of answers and verdicts as Parquet files, one manifest a run, on a folder or an object store.

This module ties the parts together and is what everyone else calls. SQL over
the store is `goldassay.analytics.connect`'s.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from goldassay.errors import StoreError
from goldassay.store import commits as commits_module
from goldassay.store.commits import Commit, live_files
from goldassay.store.files import LocalFiles, StoreFiles
from goldassay.store.lease import holding
from goldassay.store.manifest import FileEntry, RunManifest
from goldassay.store.parquet import read_batches
from goldassay.store.paths import check_run_id, encode_part
from goldassay.store.publish import publish_parts
from goldassay.store.remote import RemoteFiles
from goldassay.store.schema import (
    ANSWER_SCHEMA,
    VERDICT_SCHEMA,
    StoredAnswer,
    batch_to_stored_answers,
    batch_to_verdicts,
)
from goldassay.store.staging import Staging
from goldassay.verdicts import RunKind, Verdict

__all__ = ["Store", "open_store"]

_LOG = logging.getLogger(__name__)
_WINDOWED: frozenset[RunKind] = frozenset({"nightly", "backfill"})
"""Kinds of run that move the watermark."""


def open_store(
    address: str | Path, *, storage_options: Mapping[str, Any] | None = None, work_dir: str | Path | None = None
) -> Store:
    """Open a store; a folder that does not exist yet is an empty store.

    Args:
        address: A folder, or an fsspec address such as 's3://bucket/evals'.
        storage_options: Handed to fsspec for an object store, e.g. {'endpoint_url': ...}.
        work_dir: Local folder for what an object store cannot hold (staging, locks); by default a folder
            '.goldassay' in the current directory. Unused for local stores.
    """
    text = str(address)
    if "://" not in text:
        root = Path(text).expanduser().resolve()
        return Store(LocalFiles(root), work_dir=root)
    return Store(RemoteFiles(text, storage_options), work_dir=Path(work_dir or ".goldassay").resolve())


class Store:
    """One store; cheap to open, holds no handles, safe to open many times at once."""

    def __init__(self, files: StoreFiles, *, work_dir: Path) -> None:
        self.files = files
        self.work_dir = work_dir
        """Local folder with staging/ and leases/; the store itself for local stores."""

    @property
    def address(self) -> str:
        """Where the store is."""
        return self.files.address

    def runs(self, app: str | None = None, kind: RunKind | None = None) -> list[RunManifest]:
        """Return the manifests of finished runs, oldest first; unreadable ones are left out and logged."""
        baselines = set(self._baselines().values())
        found = [_marked(manifest, baselines) for manifest in self._manifests()]
        chosen = [run for run in found if app in {None, run.app} and kind in {None, run.run_kind}]
        return sorted(chosen, key=lambda run: (run.run_at, run.run_id))

    def run(self, reference: str, *, app: str | None = None) -> RunManifest:
        """Return one run by id, unique prefix, 'last' or 'latest:<kind>'.

        Raises:
            StoreError: If no run or several runs match.
        """
        runs = self.runs(app)
        kind = reference.partition(":")[2]
        if reference.partition(":")[0] in {"last", "latest"}:
            found = [run for run in runs if kind in {"", run.run_kind}][-1:]
        else:
            found = [run for run in runs if run.run_id == reference]
            found = found or [run for run in runs if run.run_id.startswith(reference)]
        if len(found) != 1:
            raise StoreError(_no_such_run(reference, found or runs, self.address, several=len(found) > 1))
        return found[0]

    def staging(self, run_id: str) -> Staging:
        """Return the workbench of an unpublished run."""
        return Staging(self.work_dir / "staging" / check_run_id(run_id))

    def lock_run(self, run_id: str) -> AbstractContextManager[None]:
        """Hold a run for the length of a block; RunError when another process holds it."""
        return holding(self.work_dir / "leases" / f"{check_run_id(run_id)}.lock", what=f"run {run_id!r}")

    def publish(self, run_id: str, manifest: RunManifest) -> RunManifest:
        """Make a staged run readable; the manifest is written last, and doing it again changes nothing."""
        published = self._manifest(check_run_id(run_id))
        if published is None:
            entries = publish_parts(self.files, self.staging(run_id), manifest)
            published = manifest.model_copy(update={"run_id": run_id, "files": entries, "baseline": False})
            content = published.model_dump_json(indent=1).encode("utf-8")
            self.files.write_bytes(f"runs/{run_id}.json", content)
        self.staging(run_id).clear()
        return published

    def watermark(self, app: str) -> datetime | None:
        """Return the end of the newest window a complete nightly or backfill run covers; None before the first."""
        ends = [run.window_end for run in self.runs(app) if run.status == "complete" and run.run_kind in _WINDOWED]
        return max((end for end in ends if end is not None), default=None)

    def accept(self, run_id: str) -> RunManifest:
        """Mark a run as its app's baseline: what later runs are compared with."""
        run = self.run(run_id)
        content = {"app": run.app, "run_id": run.run_id, "accepted_at": datetime.now(UTC).isoformat()}
        self.files.write_bytes(f"baselines/{encode_part(run.app)}.json", json.dumps(content).encode("utf-8"))
        return run.model_copy(update={"baseline": True})

    def baseline(self, app: str) -> RunManifest | None:
        """Return the app's accepted run, None before the first."""
        run_id = self._baselines().get(app)
        return None if run_id is None else self._manifest(run_id)

    def answers_of(self, run_id: str) -> Iterator[StoredAnswer]:
        """Yield a run's answers with their golden questions."""
        for batch in self._batches_of(run_id, "answers", ANSWER_SCHEMA):
            yield from batch_to_stored_answers(batch)

    def verdicts_of(self, run_id: str) -> Iterator[Verdict]:
        """Yield a run's verdicts."""
        for batch in self._batches_of(run_id, "verdicts", VERDICT_SCHEMA):
            yield from batch_to_verdicts(batch)

    def live_files(self) -> dict[str, FileEntry]:
        """Return the Parquet files that count, by path; nothing else in the folders is ever read."""
        commits = self._commits()  # before the manifests, see `live_files` in commits.py
        return live_files(self._manifests(), commits)

    def _batches_of(self, run_id: str, kind: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        run = self.run(run_id)
        for entry in run.files:
            if entry.path.startswith(f"{kind}/"):
                with self.files.open(entry.path) as file:
                    yield from read_batches(file, schema)

    def _manifests(self) -> list[RunManifest]:
        names = [path for path in self.files.list("runs") if path.endswith(".json")]
        read = (self._manifest(path.removeprefix("runs/").removesuffix(".json")) for path in names)
        return [manifest for manifest in read if manifest is not None]

    def _manifest(self, run_id: str) -> RunManifest | None:
        try:
            return RunManifest.model_validate_json(self.files.read_bytes(f"runs/{run_id}.json"))
        except FileNotFoundError:
            return None
        except ValidationError as error:
            _LOG.warning("runs/%s.json is no manifest and is left out: %s", run_id, error.errors()[0]["msg"])
            return None

    def _commits(self) -> list[Commit]:
        found: list[Commit] = []
        for path in self.files.list(commits_module.FOLDER):
            with contextlib.suppress(FileNotFoundError):  # folded into a newer one since the listing
                found.append(Commit.model_validate_json(self.files.read_bytes(path)))
        return found

    def _baselines(self) -> dict[str, str]:
        found = (json.loads(self.files.read_bytes(path)) for path in self.files.list("baselines"))
        return {item["app"]: item["run_id"] for item in found}


def _marked(manifest: RunManifest, baselines: Iterable[str]) -> RunManifest:
    return manifest.model_copy(update={"baseline": True}) if manifest.run_id in baselines else manifest


def _no_such_run(reference: str, known: Sequence[RunManifest], address: str, *, several: bool) -> str:
    names = ", ".join(repr(run.run_id) for run in known[-5:]) or "no runs yet"
    if several:
        return f"run {reference!r} is not unique in {address!r}: {names}. Give more of its id."
    return f"no run {reference!r} in {address!r}; the newest are {names}. Give one of these, or 'last'."
