"""A store's files: whole or absent, on a local folder. The object-store twin is `goldassay.store.remote`.

Every write goes to a temporary name that no reader's pattern matches, is flushed
to the disk, and takes its name in one step. Knows nothing of Parquet or runs.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, Protocol

from goldassay.errors import StoreError

__all__ = ["LocalFiles", "StoreFiles", "replacing"]


class StoreFiles(Protocol):
    """What a store asks of the place it lies in; paths are relative to it and use '/'."""

    @property
    def address(self) -> str:
        """Where the store is, as the user wrote it."""
        ...

    def read_bytes(self, path: str) -> bytes:
        """Return a file's content; FileNotFoundError when it is absent."""
        ...

    def read_many(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return the content of many small files; those that are absent are left out."""
        ...

    def write_bytes(self, path: str, content: bytes) -> None:
        """Write a small file in one step."""
        ...

    def replacing(self, path: str) -> AbstractContextManager[Path]:
        """Give a local temporary file to fill; it becomes `path` in one step when the block ends well."""
        ...

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading with seeks."""
        ...

    def list(self, folder: str) -> list[str]:
        """Return all files below a folder, sorted; empty when the folder is absent."""
        ...

    def size(self, path: str) -> int | None:
        """Return a file's size in bytes, None when it is absent."""
        ...

    def sizes(self, paths: Sequence[str]) -> dict[str, int]:
        """Return the sizes of the files that are there."""
        ...

    def age_s(self, path: str, *, now: float) -> float:
        """Return how long ago a file was written, in seconds before `now` (seconds since 1970)."""
        ...

    def remove(self, path: str) -> None:
        """Delete a file; nothing happens when it is absent."""
        ...


class LocalFiles:
    """Files below a local folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def address(self) -> str:
        """The folder's absolute path."""
        return str(self.root)

    def read_bytes(self, path: str) -> bytes:
        """Return a file's content."""
        return (self.root / path).read_bytes()

    def read_many(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return the content of the files that are there."""
        found: dict[str, bytes] = {}
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                found[path] = self.read_bytes(path)
        return found

    def write_bytes(self, path: str, content: bytes) -> None:
        """Write a small file in one step."""
        with self.replacing(path) as temporary:
            temporary.write_bytes(content)

    def replacing(self, path: str) -> AbstractContextManager[Path]:
        """Give a temporary file beside the target; see `replacing`."""
        return replacing(self.root / path)

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        return (self.root / path).open("rb")

    def list(self, folder: str) -> list[str]:
        """Return all files below a folder, sorted, temporary ones left out."""
        found: list[str] = []
        for where, _, names in os.walk(self.root / folder):
            base = Path(where).relative_to(self.root).as_posix()
            found += [f"{base}/{name}" for name in names if not name.endswith(".tmp")]
        return sorted(found)

    def size(self, path: str) -> int | None:
        """Return a file's size, None when it is absent."""
        try:
            return (self.root / path).stat().st_size
        except OSError:
            return None

    def sizes(self, paths: Sequence[str]) -> dict[str, int]:
        """Return the sizes of the files that are there."""
        return {path: size for path in paths if (size := self.size(path)) is not None}

    def age_s(self, path: str, *, now: float) -> float:
        """Return a file's age by its modification time."""
        return now - (self.root / path).stat().st_mtime

    def remove(self, path: str) -> None:
        """Delete a file, and the month's folder it leaves empty."""
        target = self.root / path
        target.unlink(missing_ok=True)
        if "/month=" in path:
            with contextlib.suppress(OSError):  # not empty: another run's files are there
                target.parent.rmdir()


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary file beside `target`; flush it and rename it onto `target` when the block ends well.

    Raises:
        StoreError: If the disk is full or the folder cannot be written.
    """
    # The name ends in neither .parquet nor .json, and is different in every process.
    temporary = target.parent / f".{target.name[:80]}.{os.getpid()}.{secrets.token_hex(4)}.tmp"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        _flush(temporary)
        temporary.replace(target)
        _flush(target.parent)
    except OSError as error:
        message = f"cannot write {target.name!r} in {str(target.parent)!r}: {error.strerror or error}. "
        raise StoreError(message + "Free space or set store to a folder that can be written.") from error
    finally:
        with contextlib.suppress(OSError):  # renamed, or never made
            temporary.unlink()


def _flush(path: Path) -> None:
    """Make a file or folder entry outlive a power cut."""
    if os.name == "nt" and path.is_dir():  # pragma: no cover - Windows cannot open folders
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
