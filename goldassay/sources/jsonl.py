"""JSON Lines, plain or compressed: one object a line.

Parsed with orjson; what orjson refuses but other writers produce (NaN, lone surrogates)
is read a second time with the standard library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from goldassay.sources.batch import RAW_CHARS, Rejected, Window
from goldassay.sources.encodings import as_utf8, decode_reason
from goldassay.sources.files import Line, StreamBreak, name_of, open_bytes, read_lines
from goldassay.sources.nested import ExactNumber, as_written
from goldassay.sources.rows import BlankLine, EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["json_item", "read_jsonl"]

SPACE = re.compile(r"[\s,]*")
SEPARATOR = b"\x1e"
"""Stands before each object of a JSON text sequence (RFC 7464)."""
KEY_END = re.compile(b'":')
FOUND_MAX = 1 << 20
"""Longest line, in bytes, in which keys are counted by finding them: twice as fast, but each one found takes memory."""
ONCE = (b'"answer"', b'"question"', b'"sources"', b'"record_id"', b'"version"', b'"app_version"', b'"asked_at"')
"""Keys of which two values would each give another record; looked for before the line is parsed for good."""
TOO_DEEP = "not readable as JSON: nested too deeply"
EXTRA = "Extra data"
"""The standard library's word for a value behind the first."""


class TwiceError(ValueError):
    """A key stands twice in one object."""


def read_jsonl(place: Path, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of one JSON Lines file."""
    del window  # files are cut to the window later
    name, empty = name_of(place), True
    with open_bytes(place) as stream:
        for line in read_lines(as_utf8(stream, config.encoding), max_bytes=config.max_record_bytes):
            if empty and _begins_document(line):
                break
            item = _item(name, line, config)
            empty = empty and isinstance(item, BlankLine)
            has_more = isinstance(item, Rejected) and EXTRA in item.reason and line.data.lstrip()[:1] == b"{"
            if has_more:
                yield from _several(name, line)
            else:
                yield item
        else:
            line = Line(0, b"")
    if _begins_document(line):
        yield from _document(place, config)
    elif empty:
        yield EmptyFile(name)


def _begins_document(line: Line | StreamBreak) -> bool:
    """One JSON document over many lines, under a name for JSON Lines."""
    begin = line.data[:100].strip()
    return isinstance(line, Line) and (begin[:1] == b"[" or begin == b"{")


def _document(place: Path, config: AnswersConfig) -> Iterator[SourceItem]:
    from goldassay.sources.json_document import read_json  # noqa: PLC0415 - it builds on this module

    return read_json(place, config)


def _several(name: str, line: Line | StreamBreak) -> Iterator[SourceItem]:
    """Whole objects one behind the other: what is left of two files joined without a line end between them."""
    text, place = line.data.decode(errors="replace"), 0
    decoder = json.JSONDecoder(parse_float=ExactNumber, object_pairs_hook=_unique)
    while place < len(text):
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            value, end = None, len(text)
        part = text[place : min(end, place + RAW_CHARS)].encode(errors="replace")
        if not isinstance(value, dict):
            reason = "not readable as JSON: objects one behind the other, and this one is broken"
            yield Rejected(name, line.number, reason, _shown(part))
        else:
            yield RawRow(name, line.number, value, None, partial(_shown, part))
        gap = SPACE.match(text, end)
        place = gap.end() if gap is not None else end


def _item(name: str, line: Line | StreamBreak, config: AnswersConfig) -> SourceItem:
    if isinstance(line, StreamBreak):
        return Rejected(name, line.number, line.reason, _shown(line.data))
    if line.too_long:
        reason = f"the line is longer than {config.max_record_mib} MiB; raise answers.max_record_mib if that is right"
        return Rejected(name, line.number, reason, _shown(line.data[: RAW_CHARS * 4]))
    if not line.data or line.data.isspace():
        return BlankLine(name, line.number)
    return json_item(name, line.number, line.data.lstrip(SEPARATOR))


def json_item(name: str, number: int, data: bytes) -> RawRow | Rejected:
    """One line as a row, or set aside with the reason."""
    exact = None
    try:
        value = orjson.loads(data)
        if _may_hold_twice(data, value):
            _exact_json(data)
    except TwiceError as error:
        return Rejected(name, number, str(error), _shown(data))
    except RecursionError:
        return Rejected(name, number, TOO_DEEP, _shown(data))
    except ValueError as error:
        try:
            value = _exact_json(data)
        except (ValueError, RecursionError) as second:
            return Rejected(name, number, _json_reason(data, error, second), _shown(data))
    else:
        exact = partial(as_written, data, value)
    if not isinstance(value, dict):
        return Rejected(name, number, f"the line holds {_kind(value)}, not an object", _shown(data))
    return RawRow(name, number, value, exact, partial(_shown, data))


def _may_hold_twice(data: bytes, value: Any) -> bool:
    """Told by counting, because parsing with a look at every key costs three times as much."""
    if not isinstance(value, dict):
        return False
    listed = value.get("sources")
    sources = [item for item in listed if type(item) is dict] if type(listed) is list else []
    if _keys_in(data) == len(value) + sum(map(len, sources)):
        return False  # as many keys were written as were read
    return data.count(b'"id"') > len(sources) + 1 or any(data.count(key) > 1 for key in ONCE)


def _keys_in(data: bytes) -> int:
    return len(KEY_END.findall(data)) if len(data) < FOUND_MAX else data.count(b'":')


def _exact_json(data: bytes | str) -> Any:
    """Parse with numbers beyond 64 bits and with decimals kept as written; NaN is allowed through.

    Raises:
        ValueError: It is no JSON, or a key stands twice with different values: which one holds would be a guess.
    """
    return json.loads(data, parse_float=ExactNumber, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise TwiceError(f"key {key!r} stands twice with different values")
        found[key] = value
    return found


def _json_reason(data: bytes, error: Exception, second: Exception) -> str:
    if isinstance(second, RecursionError):
        return TOO_DEEP
    try:
        data.decode()
    except UnicodeDecodeError as fault:
        return decode_reason(fault)
    if isinstance(second, json.JSONDecodeError):
        return f"not readable as JSON: {second.msg.removesuffix(' at')} at character {second.pos + 1}"
    return f"not readable as JSON: {error}"


def _shown(data: bytes) -> str:
    return data[: RAW_CHARS * 4].decode(errors="replace")[:RAW_CHARS]


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(value), "null")
