"""Which files count: the manifests' files, plus and minus what later commits say.

Manifests are never rewritten. Compaction and labels add one small JSON file
each, commits/<id>.json, that takes files out of the set and puts others in: one
atomic step however many runs' rows are moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict

from goldassay.store.manifest import FileEntry, RunManifest

__all__ = ["FOLDER", "Commit", "effective", "is_commit", "live_files", "new_commit"]

Reason = Literal["compaction", "labels", "fold", "retention"]

FOLDER = "commits"
_NAME = re.compile(r"commits/[0-9]{8}T[0-9]{12}-[0-9a-f]{12}(?:-fold)*\.json")


class Commit(BaseModel):
    """A change of the set of files, in effect as soon as its own file is there."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    commit_id: str
    made_at: datetime
    reason: Reason
    add: tuple[FileEntry, ...] = ()
    remove: tuple[str, ...] = ()
    """Paths that no longer count; the files stay for readers with an older list until the grace period is over."""

    @property
    def path(self) -> str:
        """Where the commit lies in the store."""
        return f"{FOLDER}/{self.commit_id}.json"


def is_commit(path: str) -> bool:
    """Whether a path bears the name of a commit; others in the folder are nobody's business."""
    return _NAME.fullmatch(path) is not None


def new_commit(
    reason: Reason,
    add: Iterable[FileEntry],
    remove: Iterable[str] = (),
    *,
    now: datetime | None = None,
) -> Commit:
    """Name a commit so that commits sort by time and never collide."""
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    name = f"{moment:%Y%m%dT%H%M%S%f}-{uuid4().hex[:12]}"
    return Commit(commit_id=name, made_at=moment, reason=reason, add=tuple(add), remove=tuple(remove))


def live_files(manifests: Iterable[RunManifest], commits: Iterable[Commit]) -> dict[str, FileEntry]:
    """Return the files that count, by path, sorted.

    A path is never used twice, and a list of commits read *before* the manifests never
    shows rows of an unread run. Of two compactions that took the same file (two machines
    whose locks did not see each other) the first counts: their rows are never doubled.
    """
    known = effective(commits)
    added = [entry for manifest in manifests for entry in manifest.files]
    added += [entry for commit in known for entry in commit.add]
    removed = {path for commit in known for path in commit.remove}
    return {entry.path: entry for entry in sorted(added, key=lambda entry: entry.path) if entry.path not in removed}


def effective(commits: Iterable[Commit]) -> list[Commit]:
    """Return the commits that count, oldest first: a compaction of files that are taken already does not."""
    known: list[Commit] = []
    removed: set[str] = set()
    for commit in sorted(commits, key=lambda commit: commit.commit_id):
        if commit.reason == "compaction" and not removed.isdisjoint(commit.remove):
            continue
        known.append(commit)
        removed.update(commit.remove)
    return known
