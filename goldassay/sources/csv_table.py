"""CSV with a header line: any common separator, quoted line breaks, fields of many megabytes.

A quote that is never closed would swallow the file: its line is set aside and reading
goes on behind it.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from typing import NamedTuple

from goldassay.sources.batch import RAW_CHARS, Rejected, Window
from goldassay.sources.encodings import as_utf8
from goldassay.sources.fields import PLAIN_NAMES
from goldassay.sources.files import BROKEN_STREAM, ByteStream, Line, StreamBreak, name_of, open_bytes, read_lines
from goldassay.sources.rows import BlankLine, EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["best_delimiter", "plain_names", "read_csv"]

SEPARATORS = ",;\t|"
HEAD_BYTES = 65_536
"""Looked at to tell how lines end."""
HEADER_CHARS = 100_000
BLANKS = " \t\r\n\f\v\x1a\xa0"
"""What a line may hold and still be blank; \\x1a is the end mark of old DOS programs."""
SEARCHES_MAX = 20
"""Longest searches for the end of a quote, in records of the longest size, after which a file is given up."""


def read_csv(place: Path, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of one CSV file."""
    del window  # files are cut to the window later
    name = name_of(place)
    with open_bytes(place) as stream:
        source = _Lines(read_lines(_Begun(as_utf8(stream, config.encoding)), max_bytes=config.max_record_bytes))
        try:
            header = _header(source, config)
        except csv.Error as fault:
            yield _bad_row(name, source, str(fault), config)
            return
        if header is None:
            yield EmptyFile(name)
            return
        twice = {column for column in header.names if column and header.names.count(column) > 1}
        if twice:
            yield Rejected(name, header.line, f"the header names {', '.join(map(repr, sorted(twice)))} twice")
            return
        yield from _rows(name, source, header, config)


class _Header(NamedTuple):
    cells: list[str]
    """As they stand in the file."""
    names: list[str]
    delimiter: str
    line: int

    def reader(self, source: _Lines) -> Iterator[list[str]]:
        """Rows under this header. A blank behind every separator of the header is no part of the cells."""
        spaced = len(self.cells) > 1 and all(cell.startswith(" ") for cell in self.cells[1:])
        return csv.reader(source, delimiter=self.delimiter, strict=True, skipinitialspace=spaced)


class _Text(NamedTuple):
    number: int
    text: str
    too_long: bool


class _Lines:
    """Physical lines as text for the csv module, kept until their row is complete."""

    def __init__(self, lines: Iterator[Line | StreamBreak]) -> None:
        self.lines = lines
        self.waiting: deque[_Text] = deque()
        self.row: list[_Text] = []
        self.size = 0
        self.broken: StreamBreak | None = None
        self.limit = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self.waiting.popleft() if self.waiting else self._read()
        self.row.append(line)
        self.size += len(line.text)
        if self.limit and self.size > self.limit:
            raise csv.Error("field larger than field limit")
        return line.text

    def _read(self) -> _Text:
        line = next(self.lines)
        if isinstance(line, StreamBreak):
            self.broken = line
            raise StopIteration
        # Bytes that are no UTF-8 travel as surrogates and are found when the row is complete.
        return _Text(line.number, line.data.decode("utf-8", "surrogateescape") + "\n", line.too_long)

    def start_row(self) -> None:
        self.row, self.size = [], 0

    def resume_behind_first(self) -> None:
        """Read the lines of the current row again, all but its first."""
        self.waiting.extendleft(reversed(self.row[1:]))


class _Begun:
    r"""A stream of which the first piece was read already; lines that end with '\r' alone get a '\n'."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream, self.head = stream, b""
        self.fault: Exception | None = None
        try:
            while len(self.head) < HEAD_BYTES and (part := stream.read(HEAD_BYTES)):
                self.head += part
        except BROKEN_STREAM as fault:
            self.fault = fault  # told by the read that comes to this place
        # Spreadsheets on a Mac still write such lines.
        self.has_returns = b"\r" in self.head and b"\n" not in self.head

    def read(self, size: int = -1, /) -> bytes:
        data, self.head = self.head, b""
        if not data and self.fault is not None:
            raise self.fault
        data = data or self.stream.read(size)
        return data.replace(b"\r", b"\n") if self.has_returns else data


def _header(source: _Lines, config: AnswersConfig) -> _Header | None:
    for text in source:
        line, delimiter = source.row[-1].number, config.delimiter
        while text.count('"') % 2 and len(text) < HEADER_CHARS and (more := next(source, None)) is not None:
            text += more  # noqa: PLW2901 - a name with a line break in its quotes
        bare = text.rstrip("\r\n").lstrip("\ufeff")
        if not bare.strip():
            continue
        if bare.lower().startswith("sep=") and len(bare) == 5:  # Excel's own first line
            config = config.model_copy(update={"delimiter": delimiter or bare[4]})
            continue
        delimiter = delimiter or best_delimiter(bare)
        cells = _split(bare, delimiter)
        return _Header(cells, plain_names(cells, kept=config.mapped_columns), delimiter, line)
    return None


def plain_names(cells: list[str], *, kept: AbstractSet[str] = frozenset()) -> list[str]:
    """Column names; 'Answer' and 'Asked at' are the fields that people mean, unless the exact name is there too.

    Args:
        cells: The names as they stand in the file.
        kept: Names that the settings spell as the file does; they stay as they are, or the mapping would miss them.
    """
    cells = [cell.strip() for cell in cells]
    plain = [cell.casefold().replace(" ", "_") for cell in cells]
    return [
        simple if simple in PLAIN_NAMES and plain.count(simple) == 1 and cell not in kept else cell
        for cell, simple in zip(cells, plain, strict=True)
    ]


def best_delimiter(header: str) -> str:
    """The separator that cuts a header line into the most names."""
    return max(SEPARATORS, key=lambda sign: len(_split(header, sign)))


def _split(text: str, delimiter: str) -> list[str]:
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])


def _rows(name: str, source: _Lines, header: _Header, config: AnswersConfig) -> Iterator[SourceItem]:
    # The limit is the module's, for the whole process; it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), config.max_record_bytes))
    source.limit, searched, rows = config.max_record_bytes, 0, 0
    reader = header.reader(source)
    while True:
        source.start_row()
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as fault:
            searched += source.size
            rows += 1
            yield _bad_row(name, source, str(fault), config)
            if searched > SEARCHES_MAX * config.max_record_bytes:
                yield Rejected(
                    name, source.row[0].number + 1, "too many quotes are never closed; the rest is left unread"
                )
                return
            source.resume_behind_first()
            reader = header.reader(source)
            continue
        item = _row(name, source, header, cells, config)
        rows += not isinstance(item, BlankLine)
        yield item
    if source.broken is not None:
        yield Rejected(
            name, source.broken.number, source.broken.reason, source.broken.data.decode(errors="replace")[:RAW_CHARS]
        )
    elif not rows:
        yield EmptyFile(name)


def _row(name: str, source: _Lines, header: _Header, cells: list[str], config: AnswersConfig) -> SourceItem:
    line, text, too_long = source.row[0] if len(source.row) == 1 else _joined(source.row)
    if too_long:
        return _bad_row(name, source, "", config)
    if not any(cell.strip(BLANKS) for cell in cells):
        return BlankLine(name, line)
    if cells == header.cells:
        return Rejected(name, line, "the header once more; were files joined here?", _shown(text))
    if not text.isascii() and _has_bad_bytes(text):
        reason = "not UTF-8; if the file has another encoding, set answers.encoding (for instance 'cp1252')"
        return Rejected(name, line, reason, _shown(text))
    if len(cells) != len(header.names):
        reason = f"{len(cells)} cells under {len(header.names)} columns; a separator or quote is missing or too many"
        return Rejected(name, line, reason, _shown(text))
    data = {column: cell for column, cell in zip(header.names, cells, strict=True) if column}
    return RawRow(name, line, data, None, partial(_shown, text[: RAW_CHARS * 2]), is_table=True)


def _joined(parts: list[_Text]) -> _Text:
    """The lines of one row, as one."""
    number = parts[0].number if parts else 0
    return _Text(number, "".join(part.text for part in parts), any(part.too_long for part in parts))


def _bad_row(name: str, source: _Lines, fault: str, config: AnswersConfig) -> Rejected:
    line, text, _ = source.row[0] if source.row else _Text(0, "", too_long=False)
    if any(part.too_long for part in source.row):
        reason = f"the line is longer than {config.max_record_mib} MiB; raise answers.max_record_mib if that is right"
    elif "unexpected end" in fault or "limit" in fault:
        reason = "a quote opened on this line is never closed"
    else:
        reason = f"broken quotes ({fault})"
    return Rejected(name, line, reason, _shown(text))


def _has_bad_bytes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _shown(text: str) -> str:
    return text.encode(errors="surrogateescape").decode(errors="replace").rstrip("\r\n")[:RAW_CHARS]
