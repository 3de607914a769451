"""One process a run: a lock file that the operating system gives back when its holder dies.

Not a service: it tells two processes on one machine apart. Stores on an object
store add a lease there (`goldassay.store.remote_lease`).
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from goldassay.errors import RunError

if os.name == "nt":  # pragma: no cover - tested on POSIX only
    import msvcrt
else:
    import fcntl

__all__ = ["holding"]


@contextlib.contextmanager
def holding(path: Path, *, what: str) -> Iterator[None]:
    """Hold a lock file for the length of the block.

    The lock is the operating system's, not the file's existence: a dead holder
    leaves none behind, so a stale file never has to be removed by hand.

    Args:
        path: The lock file; it stays behind, unlocked.
        what: What is locked, for the message: "run '2026-11-29-a'".

    Raises:
        RunError: If another process (or another thread) holds it, with that holder's process id and start.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        if not _try_lock(file):
            raise RunError(_refusal(file, what))
        _write_holder(file)
        try:
            yield
        finally:
            file.truncate(0)
            _unlock(file)


def _refusal(file: IO[str], what: str) -> str:
    file.seek(0)
    try:
        holder = json.loads(file.read())
        whose = f"process {holder['pid']} on {holder['host']!r} since {holder['since']}"
    except (ValueError, KeyError, TypeError):
        whose = "another process"
    return f"{what} is in the hands of {whose}. Wait for it to end, or stop it and run again: nothing paid for is lost."


def _write_holder(file: IO[str]) -> None:
    file.seek(0)
    file.truncate(0)
    since = datetime.now(UTC).isoformat(timespec="seconds")
    json.dump({"pid": os.getpid(), "host": platform.node(), "since": since}, file)
    file.flush()


if os.name == "nt":  # pragma: no cover - tested on POSIX only
    _LOCKED_BYTE = 1 << 30
    """Far behind the text: Windows forbids reading locked bytes."""

    def _try_lock(file: IO[str]) -> bool:
        try:
            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # Windows only
        except OSError:
            return False
        return True

    def _unlock(file: IO[str]) -> None:
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined]  # Windows only

else:

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
