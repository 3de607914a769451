"""A run's workbench: parts of answers and verdicts that no reader sees until the run is published.

staging/<run_id>/<stage>/<shard>.parquet, each written whole or not at all, so a
shard that is there is done and a shard that is not can be done again. Stage
'answers' holds records; every other stage holds verdicts. Notes are small JSON
files for what a resumed run must know.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from goldassay.errors import StoreError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.store.files import replacing
from goldassay.store.parquet import is_whole, open_writer, read_batches
from goldassay.store.replies import replies_in_parts
from goldassay.store.schema import (
    ANSWER_SCHEMA,
    VERDICT_SCHEMA,
    StoredAnswer,
    answers_to_batch,
    batch_to_stored_answers,
    verdicts_to_batch,
)
from goldassay.verdicts import RunStamp, StoredReply, Verdict

__all__ = ["ANSWERS", "Staging", "checked_stage"]

ANSWERS = "answers"
"""The stage that holds records."""
_BATCH_ROWS = 10_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_LOG = logging.getLogger(__name__)


class Staging:
    """The parts of one unpublished run, in a local folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, stage: str, shard: int, *, suffix: str = ".parquet") -> Path:
        """Return where a shard's part lies; other suffixes serve journals and the like."""
        return self.folder / checked_stage(stage) / f"{shard:05d}{suffix}"

    def shards(self, stage: str = ANSWERS) -> list[int]:
        """Return the numbers of the stage's complete parts; an incomplete file counts as absent, and is reported."""
        found = (self.folder / checked_stage(stage)).glob("*.parquet")
        return sorted(int(path.stem) for path in found if path.stem.isdecimal() and self._is_whole(path))

    def stages(self) -> list[str]:
        """Return the stages that have parts."""
        return sorted(path.name for path in self.folder.glob("*") if path.is_dir() and any(path.glob("*.parquet")))

    def has(self, stage: str, shard: int) -> bool:
        """Tell whether a shard's part is there and whole."""
        path = self.path(stage, shard)
        return path.exists() and self._is_whole(path)

    def write_answers(
        self,
        shard: int,
        records: Sequence[AnswerRecord],
        golden: Sequence[GoldenQuestion | None] | None = None,
        *,
        stamp: RunStamp | None = None,
    ) -> Path:
        """Write the records of a shard, with the golden questions they matched."""
        batch = answers_to_batch(records, golden, stamp=stamp)
        return self._write(self.path(ANSWERS, shard), [batch], ANSWER_SCHEMA)

    def write_verdicts(self, stage: str, shard: int, verdicts: Iterable[Verdict]) -> Path:
        """Write the verdicts of a shard; memory stays at one batch of rows."""
        if stage == ANSWERS:
            message = f"stage {stage!r} holds records. Give the verdicts a stage of their own, e.g. 'rules'."
            raise StoreError(message)
        return self._write(self.path(stage, shard), map(verdicts_to_batch, _batches(verdicts)), VERDICT_SCHEMA)

    def read_answers(self, shard: int) -> list[StoredAnswer]:
        """Read a shard's records and golden questions."""
        batches = self._read(self.path(ANSWERS, shard), ANSWER_SCHEMA)
        return [answer for batch in batches for answer in batch_to_stored_answers(batch)]

    def replies(self, stage: str, shards: Iterable[int], hashes: Collection[str]) -> dict[str, StoredReply]:
        """Return the judge's usable replies to these requests in finished parts of a stage."""
        return replies_in_parts([self.path(stage, shard) for shard in shards if self.has(stage, shard)], hashes)

    def write_note(self, name: str, content: dict[str, Any]) -> None:
        """Keep a small JSON object, e.g. the run's window and settings, for a resumed run."""
        with replacing(self._note_path(name)) as temporary:
            temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1, default=str), encoding="utf-8")

    def read_note(self, name: str) -> dict[str, Any] | None:
        """Return a note, None when there is none."""
        try:
            content: dict[str, Any] = json.loads(self._note_path(name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return content

    def fetch(self, path: Path) -> Path:
        """Bring a file of the workbench to this machine unless it is here; absent stays absent."""
        return path

    def keep(self, path: Path) -> None:
        """Upload a file of the workbench as it is now, e.g. a journal; nothing to do on one machine."""

    def clear(self) -> None:
        """Remove the workbench."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _note_path(self, name: str) -> Path:
        return self.folder / f"{checked_stage(name)}.json"

    def _write(self, target: Path, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Path:
        was_broken = target.exists() and not self._is_whole(target)
        with replacing(target) as temporary, open_writer(temporary, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
        if was_broken:
            _LOG.warning("%s was incomplete and has been rewritten", target)
        return target

    def _read(self, path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        if not path.exists():
            message = f"no part {path.name!r} in {str(path.parent)!r}. Run the stage for this shard first."
            raise StoreError(message)
        return read_batches(path, schema)

    @staticmethod
    def _is_whole(path: Path) -> bool:
        with path.open("rb") as file:
            whole = is_whole(file)
        if not whole:
            _LOG.warning("%s is incomplete and is left out", path)
        return whole


def checked_stage(name: str) -> str:
    """Return the name of a stage or note if it is safe as a file name; StoreError otherwise."""
    if _NAME.fullmatch(name) is None:
        message = f"{name[:80]!r} is no stage name. Use letters, digits, '_' and '-'."
        raise StoreError(message)
    return name


def _batches(verdicts: Iterable[Verdict]) -> Iterator[list[Verdict]]:
    iterator = iter(verdicts)
    while batch := list(islice(iterator, _BATCH_ROWS)):
        yield batch
