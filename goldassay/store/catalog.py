"""What a store holds: manifests, commits and baselines, read as one consistent picture.

Only files named here are ever read as data; foreign and half-written files in the
folders are nobody's business but `Store.verify`'s.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from pydantic import ValidationError

from goldassay.errors import StoreError
from goldassay.store.commits import FOLDER, Commit, is_commit, live_files
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import FileEntry, RunManifest
from goldassay.store.paths import encode_part

__all__ = ["Catalog", "Snapshot"]

_LOG = logging.getLogger(__name__)
_ATTEMPTS = 5
"""Readings of the commits while another process folds them; one retry is enough in practice."""


class Snapshot(NamedTuple):
    """One consistent picture of a store."""

    runs: tuple[RunManifest, ...]
    """Oldest first."""
    commits: tuple[Commit, ...]
    files: dict[str, FileEntry]
    """The Parquet files that count, by path."""


class Catalog:
    """Reads and writes the small JSON files of a store."""

    def __init__(self, files: StoreFiles) -> None:
        self._files = files

    def snapshot(self) -> Snapshot:
        """Return runs and files as they were at one moment."""
        commits = self.commits()  # before the manifests: see `live_files`
        manifests = self.manifests()
        return Snapshot(tuple(manifests), tuple(commits), live_files(manifests, commits))

    def manifests(self) -> list[RunManifest]:
        """Return all readable manifests, oldest first, with their baseline marks; the others are logged."""
        accepted = set(self.baselines().values())
        paths = [path for path in self._files.list("runs") if path.endswith(".json")]
        read = self._files.read_many(paths)
        # A copy under another name would list its run twice: a manifest counts under its own id alone.
        found = [
            manifest
            for path in sorted(read)
            if (manifest := _parse(path, read[path])) is not None and path == f"runs/{manifest.run_id}.json"
        ]
        marked = [run.model_copy(update={"baseline": True}) if run.run_id in accepted else run for run in found]
        return sorted(marked, key=lambda run: (run.run_at, run.run_id))

    def manifest(self, run_id: str) -> RunManifest | None:
        """Return one manifest, None when the run is not published: a copy of another run's does not publish it."""
        path = f"runs/{run_id}.json"
        try:
            found = _parse(path, self._files.read_bytes(path))
        except FileNotFoundError:
            return None
        return found if found is not None and found.run_id == run_id else None

    def write_manifest(self, manifest: RunManifest) -> None:
        """Make a run visible."""
        content = manifest.model_copy(update={"baseline": False}).model_dump_json(indent=1)
        self._files.write_bytes(f"runs/{manifest.run_id}.json", content.encode("utf-8"))

    def commits(self) -> list[Commit]:
        """Return all commits, oldest first."""
        for _ in range(_ATTEMPTS):
            paths = [path for path in self._files.list(FOLDER) if is_commit(path)]
            read = self._files.read_many(paths)
            if len(read) == len(paths):  # else one was folded into a newer one since the listing
                return [_parse_commit(path, read[path]) for path in sorted(read)]
        message = f"the commits of {self._files.address!r} change faster than they can be read. Run it again."
        raise StoreError(message)

    def write_commit(self, commit: Commit) -> None:
        """Put a commit into effect."""
        self._files.write_bytes(commit.path, commit.model_dump_json(indent=1).encode("utf-8"))

    def baselines(self) -> dict[str, str]:
        """Return the accepted run of each app."""
        read = self._files.read_many(self._files.list("baselines"))
        found = (_parse_baseline(path, read[path]) for path in sorted(read))
        return dict(item for item in found if item is not None)

    def write_baseline(self, app: str, run_id: str) -> None:
        """Accept a run for an app, in one step."""
        content = {"app": app, "run_id": run_id, "accepted_at": datetime.now(UTC).isoformat()}
        text = json.dumps(content, ensure_ascii=True, indent=1)
        # The name comes back from the content; with capitals, 'Atlas' would overwrite 'atlas' on some disks.
        self._files.write_bytes(f"baselines/{encode_part(app, capitals=False)}.json", text.encode("utf-8"))

    def unreadable(self) -> Iterable[str]:
        """Return the paths in runs/ and baselines/ that are not what belongs there."""
        for path in self._files.list("runs"):
            if not path.endswith(".json") or _parse(path, self._files.read_bytes(path)) is None:
                yield path
        for path in self._files.list("baselines"):
            if _parse_baseline(path, self._files.read_bytes(path)) is None:
                yield path

    def foreign(self) -> Iterable[str]:
        """Return the paths that somebody else put beside the manifests and commits."""
        for path in self._files.list("runs"):
            manifest = _parse(path, self._files.read_bytes(path)) if path.endswith(".json") else None
            if manifest is not None and path != f"runs/{manifest.run_id}.json":
                yield path
        yield from (path for path in self._files.list(FOLDER) if not is_commit(path))


def _parse(path: str, content: bytes) -> RunManifest | None:
    try:
        return RunManifest.model_validate_json(content)
    except ValidationError as error:
        _warn_once(f"{path} is no manifest, and its run is left out of every number: {error.errors()[0]['msg']}")
        return None


def _parse_baseline(path: str, content: bytes) -> tuple[str, str] | None:
    try:
        item = json.loads(content)
        return str(item["app"]), str(item["run_id"])
    except (ValueError, KeyError, TypeError):
        _warn_once(f"{path} names no accepted run; accept one again: goldassay accept RUN")
        return None


@lru_cache(maxsize=1000)
def _warn_once(text: str) -> None:
    """One damaged file is read many times by one command, and told of once."""
    _LOG.warning("%s. See goldassay doctor", text)


def _parse_commit(path: str, content: bytes) -> Commit:
    try:
        return Commit.model_validate_json(content)
    except ValidationError as error:
        # Leaving it out could show rows twice, or hide labels: nothing is better than wrong numbers.
        message = f"{path!r} is no commit: {error.errors()[0]['msg']}. Restore it from a backup; see goldassay doctor."
        raise StoreError(message) from error
