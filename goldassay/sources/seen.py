"""Which records were read already: the same id twice in one version would share one verdict.

Keeps 16 bytes a record in a private temporary SQLite base, which moves from memory to
disk as it grows: a year of logs fits.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import NamedTuple

from goldassay.records import AnswerRecord

__all__ = ["Earlier", "SeenRecords"]


class Earlier(NamedTuple):
    """An earlier record under the same version and id."""

    place: str
    """'file:line' of it."""
    same: bool
    """Question, answer and sources are the same too: the log was shipped twice."""


class SeenRecords:
    """Remembers version and id of each record of one read."""

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # "": temporary, spills to disk
        for statement in (
            "PRAGMA journal_mode = OFF",
            "PRAGMA synchronous = OFF",
            "CREATE TABLE seen (key BLOB PRIMARY KEY, content INTEGER, file INTEGER, line INTEGER) WITHOUT ROWID",
            "BEGIN",
        ):
            self._base.execute(statement)
        self._files: list[str] = []

    def earlier(self, record: AnswerRecord, file: str, line: int) -> Earlier | None:
        """The record that has this version and id already; None: this is the first, and is remembered."""
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        key, content = _key(record.app_version, record.record_id), _content(record)
        row = (key, content, len(self._files) - 1, line)
        if self._base.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)", row).rowcount:
            return None
        found = self._base.execute("SELECT content, file, line FROM seen WHERE key = ?", (key,)).fetchone()
        return Earlier(f"{self._files[found[1]]}:{found[2]}", found[0] == content)

    def close(self) -> None:
        """Free the temporary base."""
        self._base.close()


def _key(version: str, name: str) -> bytes:
    return hashlib.blake2b(f"{len(version)} {version}{name}".encode(), digest_size=12).digest()


def _content(record: AnswerRecord) -> int:
    """Python's own hash: each text is hashed once a process at memory speed; 64 bits only confirm an equal id."""
    parts = [record.question, record.answer]
    for source in record.sources:
        parts += (source.id, source.text)
    return hash(tuple(parts))
