"""One row as a source kind hands it over, before anybody knows what its columns mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from goldassay.sources.batch import Rejected, Window
from goldassay.sources.settings import AnswersConfig

__all__ = ["BlankLine", "EmptyFile", "RawRow", "RowSource", "SourceItem"]


class RawRow(NamedTuple):
    """One row, parsed but not understood."""

    file: str
    line: int
    data: dict[str, Any]
    exact: Callable[[], dict[str, Any]] | None = None
    """Parses the row again with every number kept as it was written ('1.10', 20 digits); None: already so."""
    raw: Callable[[], str] | None = None
    """The row as it stands, for `Rejected.raw`; made only when needed."""
    is_table: bool = False
    """Cells of a flat table: nested values are JSON text."""


class BlankLine(NamedTuple):
    """A line with nothing but white space: normal, counted."""

    file: str
    line: int


class EmptyFile(NamedTuple):
    """A file without any row: legal, listed."""

    file: str


SourceItem = RawRow | Rejected | BlankLine | EmptyFile


class RowSource(Protocol):
    """What a kind of source is: a function that streams rows in bounded memory.

    It raises `SourceError` when nothing can be read at all, and yields `Rejected` for
    each line that cannot be read.
    """

    def __call__(self, place: Any, config: AnswersConfig, window: Window | None) -> Iterator[SourceItem]:
        """Rows of one place (a file, or the database) in the order they stand."""
        ...
