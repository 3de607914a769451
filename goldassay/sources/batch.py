"""What reading yields: batches of records, and every line that could not be read with the reason why.

Plain data, shared by all sources. Knows nothing of files or formats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from goldassay.errors import SourceError
from goldassay.records import AnswerRecord, GoldenQuestion

__all__ = ["RAW_CHARS", "AnswerBatch", "EmptyInputError", "Rejected", "Window"]

RAW_CHARS = 2_000
"""Characters kept of a line that was set aside: enough to recognise it, too few to fill a disk."""


class EmptyInputError(SourceError):
    """No answer could be read: a night without answers is not a night that passed."""


class Rejected(NamedTuple):
    """A line or row that was set aside: shown in the report, never lost, never fatal."""

    file: str
    """Path of the file, or the name of the table."""
    line: int
    """1-based line (JSON Lines, CSV) or row (Parquet, SQL) where it starts; 0: the file as a whole."""
    reason: str
    raw: str = ""
    """Its first 2,000 characters as they stand; '' where there is nothing to show."""


class Window(NamedTuple):
    """Half-open span of time [since, until) on `asked_at`."""

    since: datetime | None = None
    """First moment inside; None: no lower end. Times without a zone are UTC."""
    until: datetime | None = None
    """First moment behind; None: no upper end."""

    def holds(self, moment: datetime) -> bool:
        """Whether a moment (with a zone) lies inside."""
        return (self.since is None or moment >= _in_utc(self.since)) and (
            self.until is None or moment < _in_utc(self.until)
        )


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


@dataclass(slots=True)
class AnswerBatch:
    """Up to `batch_size` records in the order of the log, and what was set aside among them."""

    records: list[AnswerRecord] = field(default_factory=list)
    golden: list[GoldenQuestion | None] = field(default_factory=list)
    """One for each record: the golden fields that stood on the same line, else None."""
    rejected: list[Rejected] = field(default_factory=list)
    outside: int = 0
    """Rows outside the window or the filter `only`: left out on purpose."""
    before: int = 0
    """Those of them that were asked before the window begins."""
    blank_lines: int = 0
    empty_files: list[str] = field(default_factory=list)
    """Files that held no row at all: legal, but worth a look."""
    notes: list[str] = field(default_factory=list)
    """In the last batch: what the log as a whole should make its reader look at, one sentence each."""

    def __len__(self) -> int:
        return len(self.records)
