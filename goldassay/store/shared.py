"""A workbench that several machines share, through the store's own object store."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from goldassay.store.files import StoreFiles, replacing
from goldassay.store.staging import ANSWERS, Staging, checked_stage

__all__ = ["SharedStaging"]


class SharedStaging(Staging):
    """A workbench that several machines share: parts are uploaded when written and fetched when read.

    Journals stay on the machine that writes them until `keep` uploads them.
    """

    def __init__(self, folder: Path, files: StoreFiles) -> None:
        super().__init__(folder)
        self._files = files
        self._remote = f"staging/{folder.name}"

    def path(self, stage: str, shard: int, *, suffix: str = ".parquet") -> Path:
        """Return where a shard's part lies on this machine, fetched if another machine has written it."""
        return self.fetch(super().path(stage, shard, suffix=suffix))

    def shards(self, stage: str = ANSWERS) -> list[int]:
        """Return the numbers of the stage's uploaded parts; an upload is whole or absent."""
        found = self._files.list(f"{self._remote}/{checked_stage(stage)}")
        stems = [path.rpartition("/")[2].removesuffix(".parquet") for path in found if path.endswith(".parquet")]
        return sorted(int(stem) for stem in stems if stem.isdecimal())

    def stages(self) -> list[str]:
        """Return the stages that have uploaded parts."""
        found = [path.removeprefix(f"{self._remote}/") for path in self._files.list(self._remote)]
        return sorted({path.partition("/")[0] for path in found if path.endswith(".parquet")})

    def has(self, stage: str, shard: int) -> bool:
        """Tell whether a shard's part is uploaded."""
        return self._files.size(self._key(super().path(stage, shard))) is not None

    def fetch(self, path: Path) -> Path:
        """Bring a file of the workbench to this machine unless it is here; absent stays absent."""
        if not path.exists() and self._files.size(self._key(path)) is not None:
            with replacing(path) as temporary:
                temporary.write_bytes(self._files.read_bytes(self._key(path)))
        return path

    def keep(self, path: Path) -> None:
        """Upload a file of the workbench as it is now, e.g. a journal."""
        with self._files.replacing(self._key(path)) as temporary:
            shutil.copyfile(path, temporary)

    def write_note(self, name: str, content: dict[str, Any]) -> None:
        """Keep a note for all machines."""
        super().write_note(name, content)
        self.keep(self._note_path(name))

    def read_note(self, name: str) -> dict[str, Any] | None:
        """Return the newest note of any machine."""
        key = self._key(self._note_path(name))
        try:
            content: dict[str, Any] = json.loads(self._files.read_bytes(key))
        except FileNotFoundError:
            return None
        return content

    def clear(self) -> None:
        """Remove the workbench, here and on the object store."""
        for path in self._files.list(self._remote):
            self._files.remove(path)
        super().clear()

    def _key(self, path: Path) -> str:
        return f"{self._remote}/{path.relative_to(self.folder).as_posix()}"

    def _write(self, target: Path, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Path:
        written = super()._write(target, batches, schema)
        self.keep(written)
        return written

    def _read(self, path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        return super()._read(self.fetch(path), schema)
