"""JSON documents: one array of records, or objects one after the other, over many lines or none.

Read value by value in bounded memory; an array is never held as a whole.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.sources.batch import RAW_CHARS, Rejected, Window
from goldassay.sources.encodings import as_utf8
from goldassay.sources.files import BROKEN_STREAM, ByteStream, name_of, open_bytes
from goldassay.sources.nested import ExactNumber
from goldassay.sources.rows import EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["read_json"]

CHUNK_BYTES = 1 << 20
BLANKS = re.compile(r"[ \t\r\n]*")
SEPARATORS = re.compile(r"[ \t\r\n,]*")
"""Between the items of an array."""


def read_json(place: Path, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of one JSON document."""
    del window  # files are cut to the window later
    name, empty = name_of(place), True
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
        self.place = 0
        """Where in the buffer the next value may begin: cutting the buffer at every value would copy it each time."""
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
        self._cut()
        try:
            data = self.stream.read(size)
            self.buffer += self.decode.decode(data, final=not data)
        except (*BROKEN_STREAM, UnicodeDecodeError) as error:
            data, self.fault = b"", f"the file breaks off here ({error})"
        self.at_end = not data
        return not self.at_end

    def _cut(self) -> None:
        """Forget what was read; done once a piece, because it copies all that is left."""
        self.buffer, self.place = self.buffer[self.place :], 0

    def _skip_separators(self) -> bool:
        while True:
            end = self._end_of_blanks()
            self.line += self.buffer.count("\n", self.place, end)
            self.place, sign = end, self.buffer[end : end + 1]
            if sign == ("]" if self.in_array else "["):
                self.in_array, self.place = not self.in_array, end + 1
            elif sign or not self._fill():
                return bool(sign)

    def _end_of_blanks(self) -> int:
        match = (SEPARATORS if self.in_array else BLANKS).match(self.buffer, self.place)
        return match.end() if match is not None else self.place

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
                value, end = self.parse(self.buffer, self.place)
            except (ValueError, RecursionError) as error:
                if self.place:
                    self._cut()  # so that a fault tells its place in the value
                    continue
                if len(self.buffer) > self.max_chars:
                    reason = f"a value is longer than {self.max_chars} bytes, or not closed; see answers.max_record_mib"
                    return _Fault(self.line, reason, self.buffer)
                size *= 2  # doubling keeps the re-parsing of a long value linear
                if self.at_end or not self._fill(size):
                    return _Fault(self.line, self.fault or f"not readable as JSON: {error}", self.buffer)
                continue
            found = _Value(self.line, value, self.buffer[self.place : min(end, self.place + RAW_CHARS)], self.twice)
            self.line += self.buffer.count("\n", self.place, end)
            self.place = end
            return found
