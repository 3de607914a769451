"""A store's files on an object store, through fsspec: an upload is seen whole or not at all.

Serves any fsspec address whose uploads are atomic (S3, GCS, Azure, memory).
Credentials come from `storage_options` or from the provider's own places; they
never stand in messages.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO, cast

import fsspec

from goldassay.errors import StoreError

__all__ = ["RemoteFiles"]

_EXTRAS = {"s3": "goldassay[s3]", "s3a": "goldassay[s3]", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}
"""What to install for a protocol."""


class RemoteFiles:
    """Files below an fsspec address."""

    def __init__(self, address: str, storage_options: Mapping[str, Any] | None = None) -> None:
        self._address = address.rstrip("/")
        self.filesystem, self.root = _connect(self._address, dict(storage_options or {}))

    @property
    def address(self) -> str:
        """The address as given."""
        return self._address

    def full_path(self, path: str) -> str:
        """Return a path as the file system knows it."""
        return f"{self.root}/{path}"

    def relative_path(self, full: str) -> str:
        """Return a path as the store knows it."""
        return full.lstrip("/").removeprefix(f"{self.root.lstrip('/')}/")

    def read_bytes(self, path: str) -> bytes:
        """Return an object's content."""
        with self._clearly(f"read {path!r}"):
            return cast("bytes", self.filesystem.cat_file(self.full_path(path)))

    def read_many(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return the content of the objects that are there, fetched side by side."""
        if not paths:
            return {}
        with self._clearly(f"read {len(paths)} files"):
            found = self.filesystem.cat([self.full_path(path) for path in paths], on_error="return")
            lost = [item for item in found.values() if not isinstance(item, bytes | FileNotFoundError)]
            if lost:
                raise lost[0]
        return {self.relative_path(path): content for path, content in found.items() if isinstance(content, bytes)}

    def write_bytes(self, path: str, content: bytes) -> None:
        """Put a small object."""
        with self._clearly(f"write {path!r}", writing=True):
            self.filesystem.pipe_file(self.full_path(path), content)

    def create(self, path: str, content: bytes) -> bool:
        """Put an object only where there is none; False when there is one."""
        with self._clearly(f"write {path!r}", writing=True):
            try:
                self.filesystem.pipe_file(self.full_path(path), content, mode="create")
            except FileExistsError:
                return False
        return True

    def replacing(self, path: str) -> AbstractContextManager[Path]:
        """Give a local temporary file that is uploaded when the block ends well."""
        return self._uploading(path)

    def open(self, path: str) -> BinaryIO:
        """Open an object for reading with seeks."""
        with self._clearly(f"open {path!r}"):
            return cast("BinaryIO", self.filesystem.open(self.full_path(path), "rb"))

    def list(self, folder: str) -> list[str]:
        """Return all objects below a folder, sorted."""
        self.filesystem.invalidate_cache()  # another machine may have published since
        with self._clearly(f"list {folder!r}"):
            try:
                found = self.filesystem.find(self.full_path(folder))
            except FileNotFoundError:
                return []
        return sorted(self.relative_path(path) for path in found)

    def size(self, path: str) -> int | None:
        """Return an object's size, None when it is absent."""
        self.filesystem.invalidate_cache()
        with self._clearly(f"look at {path!r}"):
            try:
                return int(self.filesystem.info(self.full_path(path))["size"])
            except FileNotFoundError:
                return None

    def sizes(self, paths: Sequence[str]) -> dict[str, int]:
        """Return the sizes of the objects that are there, by one listing of each top folder."""
        wanted = set(paths)
        self.filesystem.invalidate_cache()
        found: dict[str, int] = {}
        for folder in sorted({path.partition("/")[0] for path in wanted}):
            with self._clearly(f"list {folder!r}"), contextlib.suppress(FileNotFoundError):
                details = self.filesystem.find(self.full_path(folder), detail=True)
                found |= {self.relative_path(path): int(info["size"]) for path, info in details.items()}
        return {path: size for path, size in found.items() if path in wanted}

    def age_s(self, path: str, *, now: float) -> float:
        """Return an object's age by its upload time."""
        with self._clearly(f"look at {path!r}"):
            return now - float(self.filesystem.modified(self.full_path(path)).timestamp())

    def remove(self, path: str) -> None:
        """Delete an object; nothing happens when it is absent."""
        with self._clearly(f"delete {path!r}"), contextlib.suppress(FileNotFoundError):
            self.filesystem.rm_file(self.full_path(path))

    @contextlib.contextmanager
    def _uploading(self, path: str) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="goldassay-") as folder:
            local = Path(folder) / path.rpartition("/")[2]
            yield local
            with self._clearly(f"write {path!r}", writing=True):
                self.filesystem.put_file(str(local), self.full_path(path))

    @contextlib.contextmanager
    def _clearly(self, what: str, *, writing: bool = False) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if isinstance(error, FileNotFoundError) and not writing:
                raise  # an absent file is an answer; a bucket that is absent when it is written to is not
            # Every provider has exceptions of its own; none of them says which store and what to do.
            message = f"cannot {what} in {self._address!r}: {type(error).__name__}: {error}. "
            raise StoreError(message + "Check the address, the credentials and [storage].") from error


def _connect(address: str, options: dict[str, Any]) -> tuple[Any, str]:
    protocol = address.partition("://")[0]
    try:
        filesystem, root = fsspec.core.url_to_fs(address, **options)
    except (ImportError, ValueError) as error:
        hint = _EXTRAS.get(protocol, "the fsspec package of this protocol")
        message = f"cannot open the store {address!r}: {error}. Install {hint}, or use a folder."
        raise StoreError(message) from error
    return filesystem, str(root).rstrip("/")
