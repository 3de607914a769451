"""Lines of the log that could not be read: kept whole, told once, and never news again on another night.

Called by the pull stage, which counts; the publish stage puts the file into the store.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Protocol, TextIO

from goldassay.sources import Rejected

__all__ = ["REJECTED_FILE", "Aside", "rejected_digest"]

REJECTED_FILE = "rejected.jsonl"
"""Every line that was set aside, one JSON object a line."""
_SAMPLES = 50


class _Counts(Protocol):
    """The part of a pull's report that tells of set-aside lines."""

    rejected: int
    rejected_before: int
    rejected_samples: list[dict[str, object]]


def rejected_digest(row: Mapping[str, object]) -> str:
    """What makes a set-aside line the same line on another night: its file, its place and its text."""
    text = "\x1f".join(str(row.get(name, "")) for name in ("file", "line", "raw"))
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=12).hexdigest()


class Aside:
    """Takes set-aside lines.

    Args:
        counts: Where they are counted; the first ones are kept there for the report.
        file: Where each is written; None: nowhere.
        known: Digests of lines that an earlier run has told of.
    """

    def __init__(self, counts: _Counts, file: TextIO | None = None, known: Collection[str] = ()) -> None:
        self._counts, self._file, self._known = counts, file, known

    def take(self, rejected: Rejected) -> None:
        """Keep one line, unless it is no news."""
        row: dict[str, object] = rejected._asdict()
        if self._known and rejected_digest(row) in self._known:
            self._counts.rejected_before += 1
            return
        self._counts.rejected += 1
        if self._file is not None:
            self._file.write(json.dumps(row, ensure_ascii=True) + "\n")
        if len(self._counts.rejected_samples) < _SAMPLES:
            self._counts.rejected_samples.append(row)
