"""A store's health: every file that counts is there, whole and unchanged, and nothing else is lying about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import pyarrow.parquet as pq

from goldassay.errors import StoreError
from goldassay.store.catalog import Catalog, Snapshot
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import FileEntry
from goldassay.store.parquet import digest, is_whole
from goldassay.store.paths import encode_part
from goldassay.store.schema import SCHEMAS

__all__ = ["Problem", "verify"]


class Problem(NamedTuple):
    """One finding about a store."""

    severity: Literal["error", "info"]
    """'error': numbers are missing or wrong; 'info': worth knowing, and harmless."""
    path: str
    """Relative to the store."""
    what: str
    hint: str
    """What to do."""


def verify(files: StoreFiles, catalog: Catalog) -> Iterator[Problem]:
    """Yield everything wrong or odd: missing, cut off and changed files, unreadable manifests, orphans."""
    unreadable = list(catalog.unreadable())
    for path in unreadable:
        yield Problem("error", path, *_UNREADABLE[path.partition("/")[0]])
    for path in catalog.foreign():
        yield Problem("info", path, "is not the store's own", "It is never read; delete it if nobody needs it.")
    try:
        snapshot = catalog.snapshot()
    except StoreError as error:
        yield Problem("error", "commits", str(error), "Restore it from a backup.")
        return
    for entry in snapshot.files.values():
        yield from _check_file(files, entry)
    yield from _orphans(files, snapshot, safe_to_delete=not unreadable)
    yield from _lost_baselines(catalog, snapshot)


_WAITS = "is replaced and waits for its grace period"
_UNREADABLE = {
    "runs": ("is no manifest", "Restore it from a backup: it names that run's good files."),
    "baselines": ("names no accepted run", "Accept one again: goldassay accept RUN."),
}


def _check_file(files: StoreFiles, entry: FileEntry) -> Iterator[Problem]:
    restore = "Restore it from a backup, or run that night again."
    if files.size(entry.path) is None:
        yield Problem("error", entry.path, "is missing", restore)
        return
    with files.open(entry.path) as file:
        size, sha256 = digest(file)
        if size != entry.bytes:
            yield Problem("error", entry.path, f"has {size} bytes instead of {entry.bytes}", restore)
            return
        if sha256 != entry.sha256:
            yield Problem("error", entry.path, "has another content than when it was written", restore)
        file.seek(0)
        if not is_whole(file):
            yield Problem("error", entry.path, "is no whole Parquet file", restore)
            return
        file.seek(0)
        rows = pq.read_metadata(file).num_rows
    if rows != entry.rows:
        yield Problem("error", entry.path, f"has {rows} rows instead of {entry.rows}", restore)


def _orphans(files: StoreFiles, snapshot: Snapshot, *, safe_to_delete: bool) -> Iterator[Problem]:
    # A file may be nameless only because its manifest is broken: then it holds the run, and must not go.
    advice = "No query reads it; delete it if nothing needs it."
    keep = "Keep it: the manifest that cannot be read may name it. Restore that first."
    replaced = {path for commit in snapshot.commits for path in commit.remove}
    waiting = [path for kind in SCHEMAS for path in files.list(kind) if path in replaced]
    if waiting:
        more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
        what = f"{more} wait, replaced, for the end of their grace period".strip() if more else _WAITS
        yield Problem("info", waiting[0], what, "goldassay compact deletes what is old enough.")
    for kind in SCHEMAS:
        for path in files.list(kind):
            if path not in replaced and path not in snapshot.files:
                yield Problem("info", path, _orphan(files, path), advice if safe_to_delete else keep)


def _orphan(files: StoreFiles, path: str) -> str:
    with files.open(path) as file:
        whole = is_whole(file)
    return "is named by no manifest" if whole else "is named by no manifest and is incomplete"


def _lost_baselines(catalog: Catalog, snapshot: Snapshot) -> Iterator[Problem]:
    known = {run.run_id for run in snapshot.runs}
    for app, run_id in catalog.baselines().items():
        if run_id not in known:
            what = f"names run {run_id!r}, which is not in the store"
            path = f"baselines/{encode_part(app, capitals=False)}.json"
            yield Problem("error", path, what, "Accept another run: goldassay accept RUN.")
