"""JSON documents: one array of records, or objects one after the other, over many lines or none.

Read value by value in bounded memory; an array is never held as a whole.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.sources.batch import RAW_CHARS, Rejected, Window
from goldassay.sources.encodings import as_utf8
from goldassay.sources.files import BROKEN_STREAM, ByteStream, open_bytes
from goldassay.sources.nested import ExactNumber
from goldassay.sources.rows import EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["read_json"]

CHUNK_BYTES = 1 << 20
SPACE = " \t\r\n"


def read_json(place: Path, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of one JSON document."""
    del window  # files are cut to the window later
    name, empty = str(place), True
    with open_bytes(place) as stream:
        for item in _Values(as_utf8(stream, config.encoding), config.max_record_bytes):
            empty = False
            if isinstance(item, _Fault):
                yield Rejected(name, item.line, item.reason, item.text[:RAW_CHARS])
            elif item.twice:
                reason = f"key {item.twice!r} stands twice with different values"
                yield Rejected(name, item.line, reason, item.text[:RAW_CHARS])
            elif not isinstance(item.value, dict):
                yield Rejected(name, item.line, "holds a value that is no object", item.text[:RAW_CHARS])
            else:
                yield RawRow(name, item.line, item.value, None, partial(str, item.text[:RAW_CHARS]))
    if empty:
        yield EmptyFile(name)


class _Value(NamedTuple):
    line: int
    value: Any
    text: str
    twice: str
    """A key that stands twice with different values: which one holds would be a guess; else ''."""


class _Fault(NamedTuple):
    line: int
    reason: str
    text: str


class _Values:
    """The values of a document, the items of its outermost array among them."""

    def __init__(self, stream: ByteStream, max_chars: int) -> None:
        self.stream, self.max_chars = stream, max_chars
        self.decode = codecs.getincrementaldecoder("utf-8")()
        self.parse = json.JSONDecoder(parse_float=ExactNumber, object_pairs_hook=self._pairs).raw_decode
        self.twice = ""
        self.buffer, self.at_end, self.line, self.fault = "", False, 1, ""
        self.in_array = False

    def __iter__(self) -> Iterator[_Value | _Fault]:
        while self._skip_separators():
            item = self._next()
            yield item
            if isinstance(item, _Fault):
                return
        if self.fault:
            yield _Fault(self.line, self.fault, "")
        elif self.in_array:
            yield _Fault(self.line, "the file ends inside its array; it was cut", "")

    def _fill(self, size: int = CHUNK_BYTES) -> bool:
        """Read on; False at the end."""
        try:
            data = self.stream.read(size)
            self.buffer += self.decode.decode(data, final=not data)
        except (*BROKEN_STREAM, UnicodeDecodeError) as error:
            data, self.fault = b"", f"the file breaks off here ({error})"
        self.at_end = not data
        return not self.at_end

    def _skip_separators(self) -> bool:
        while True:
            rest = self.buffer.lstrip(SPACE + ("," if self.in_array else ""))
            self.line += self.buffer.count("\n", 0, len(self.buffer) - len(rest))
            self.buffer = rest
            if rest[:1] == "[" and not self.in_array:
                self.in_array, self.buffer = True, rest[1:]
            elif rest[:1] == "]" and self.in_array:
                self.in_array, self.buffer = False, rest[1:]
            elif rest or not self._fill():
                return bool(rest or self.buffer)

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            self.twice = next((key for key, value in pairs if found[key] != value), self.twice)
        return found

    def _next(self) -> _Value | _Fault:
        size = CHUNK_BYTES
        while True:
            self.twice = ""
            try:
                value, end = self.parse(self.buffer)
            except (ValueError, RecursionError) as error:
                if len(self.buffer) > self.max_chars:
                    reason = f"a value is longer than {self.max_chars} bytes, or not closed; see answers.max_record_mib"
                    return _Fault(self.line, reason, self.buffer)
                size *= 2  # doubling keeps the re-parsing of a long value linear
                if self.at_end or not self._fill(size):
                    return _Fault(self.line, self.fault or f"not readable as JSON: {error}", self.buffer)
                continue
            found = _Value(self.line, value, self.buffer[: min(end, RAW_CHARS)], self.twice)
            self.line += self.buffer.count("\n", 0, end)
            self.buffer = self.buffer[end:]
            return found
