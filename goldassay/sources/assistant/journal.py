"""The journal of asked questions: one line per finished question, appended before anything else happens to it.

Kill the process anywhere: a question whose line is complete is not asked again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import orjson
from pydantic import ValidationError

from goldassay.errors import RunError, StoreError
from goldassay.records import AnswerRecord
from goldassay.sources.assistant.question import AskError
from goldassay.verdicts import Category

__all__ = ["Journal"]

Entry = AnswerRecord | AskError


class Journal:
    """An open journal; one process at a time.

    Raises:
        RunError: Another process has it open.
        StoreError: It cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: dict[str, Entry] = {}

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b")
        except OSError as fault:
            raise StoreError(f"journal {str(self.path)!r} cannot be opened: {fault.strerror}") from fault
        try:
            _lock(self._file)
        except OSError as fault:
            self._file.close()
            raise RunError(
                f"journal {str(self.path)!r} is in use by another process; let it finish, or end it"
            ) from fault
        self._load()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, key: str, entry: Entry) -> None:
        """Write one finished question."""
        self._write(key, entry)
        self.entries[key] = entry

    def _write(self, key: str, entry: Entry) -> None:
        kind = "answer" if isinstance(entry, AnswerRecord) else "error"
        value = entry.model_dump(mode="json") if isinstance(entry, AnswerRecord) else entry._asdict()
        try:
            self._file.write(orjson.dumps({"key": key, kind: value}) + b"\n")
            self._file.flush()
        except OSError as fault:
            raise StoreError(
                f"journal {str(self.path)!r} cannot be written: {fault.strerror}; answers so far are kept"
            ) from fault

    def _load(self) -> None:
        """Read what is there; a last line torn by a crash is closed and passed over."""
        self._file.seek(0)
        data = self._file.read()
        for line in data.split(b"\n"):
            entry = _entry(line)
            if entry is not None:
                self.entries[entry[0]] = entry[1]
        self._file.seek(0, os.SEEK_END)
        if data and not data.endswith(b"\n"):
            self._file.write(b"\n")


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - of this system only

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - of this system only

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _entry(line: bytes) -> tuple[str, Entry] | None:
    try:
        row: Any = orjson.loads(line)
        if "answer" in row:
            return str(row["key"]), AnswerRecord.model_validate(row["answer"])
        error = row["error"]
        return str(row["key"]), AskError(**(error | {"category": Category(error["category"])}))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, ValidationError):
        return None
