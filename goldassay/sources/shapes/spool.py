"""Parts of a trace that wait for the rest of it: in a temporary base that spills to disk, so memory stays bounded."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from goldassay.sources.values import clean

__all__ = ["Part", "Spool"]


class Part(NamedTuple):
    """One stored part."""

    file: str
    line: int
    data: Any


class Spool:
    """Parts by group; read back group by group, in the order the groups began. Used in a `with` block."""

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # "": temporary, spills to disk
        self._base.execute(
            "CREATE TABLE part (name TEXT, number INTEGER PRIMARY KEY, file TEXT, line INTEGER, data TEXT)"
        )
        self._base.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def add(self, group: str, file: str, line: int, data: Any) -> None:
        """Keep one part."""
        # The standard library writes what orjson refuses: numbers beyond 64 bits, halves of surrogate pairs.
        row = (clean(group), file, line, json.dumps(data, default=str))
        self._base.execute("INSERT INTO part (name, file, line, data) VALUES (?, ?, ?, ?)", row)

    def groups(self) -> Iterator[list[Part]]:
        """Every group with its parts in the order they came."""
        self._base.execute("CREATE INDEX of_name ON part (name)")
        for (name,) in self._base.execute("SELECT name FROM part GROUP BY name ORDER BY min(number)"):
            query = "SELECT file, line, data FROM part WHERE name = ? ORDER BY number"
            yield [Part(file, line, json.loads(data)) for file, line, data in self._base.execute(query, (name,))]
