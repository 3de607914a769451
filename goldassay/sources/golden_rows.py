"""Rows of a golden set with the line each stands on, from YAML, CSV and JSON Lines.

Text stays text: YAML's habit of turning 1.10, 2026-09-14, 'no' and 12:30 into numbers,
dates, booleans and seconds would change key facts and ids.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from goldassay.errors import ConfigError
from goldassay.sources.batch import Rejected
from goldassay.sources.csv_table import best_delimiter, plain_names
from goldassay.sources.files import open_bytes
from goldassay.sources.json_document import read_json
from goldassay.sources.jsonl import json_item
from goldassay.sources.rows import RawRow
from goldassay.sources.settings import AnswersConfig

__all__ = ["GoldenRow", "rows_of_csv", "rows_of_json", "rows_of_jsonl", "rows_of_yaml"]

TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map", "merge", "null", "bool", "int", "float"))
CHUNK_BYTES = 1 << 20
_CUT = re.compile(r"[ \t]{1,100}#[^\s#!-]")
_BEFORE_HEADER = re.compile(r"(?:[ \t]*\n)*(?:sep=(.)\n)?(?:[ \t]*\n)*", re.IGNORECASE)
"""Blank lines, and a spreadsheet's own first line."""
NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Builds texts, lists and maps only: no tags, no code, no types; the C parser where PyYAML has it."""


class GoldenRow(NamedTuple):
    """One question as it stands in its file."""

    data: dict[str, Any]
    line: int
    lines: dict[str, int]
    """Line of each key, where the format knows it."""


def rows_of_yaml(path: Path) -> Iterator[GoldenRow]:
    """Questions of a YAML file: a list, or a map with the list under 'questions'."""
    text = _text(path)
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        place = f" on line {mark.line + 1}" if mark is not None else ""
        raise ConfigError(f"golden set {str(path)!r} is no YAML{place}: {getattr(fault, 'problem', fault)}") from fault
    if node is None:
        return
    builder = _Builder(path, text)
    for item in _questions(node, path):
        yield builder.row(item)


def _questions(node: yaml.Node, path: Path) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        inner = [(key, value) for key, value in node.value if key.value == "questions"]
        if len(inner) > 1:
            raise ConfigError(f"golden set {str(path)!r}, line {_line(inner[1][0])}: key 'questions' stands twice")
        node = inner[0][1] if inner else node
    if not isinstance(node, yaml.SequenceNode):
        raise ConfigError(f"golden set {str(path)!r} is no list of questions; begin each with '- question: ...'")
    return list(node.value)


class _Builder:
    """From YAML nodes to plain values; a node that aliases share is built once, so aliases cannot explode."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        self.built: dict[int, Any] = {}
        self.open: set[int] = set()

    def row(self, node: yaml.Node) -> GoldenRow:
        line = _line(node)
        if isinstance(node, yaml.ScalarNode):
            return GoldenRow({"question": node.value}, line, {})
        if not isinstance(node, yaml.MappingNode):
            raise ConfigError(f"golden set {str(self.path)!r}, line {line}: a question is a map of keys, not a list")
        return GoldenRow(self.value(node), line, {str(key.value): _line(key) for key, _ in node.value})

    def value(self, node: yaml.Node) -> Any:
        if node.tag not in TAGS:
            raise ConfigError(f"golden set {str(self.path)!r}, line {_line(node)}: tag {node.tag!r} is not allowed")
        mark = id(node)
        if mark in self.open:
            raise ConfigError(f"golden set {str(self.path)!r}, line {_line(node)}: an alias holds itself")
        if mark not in self.built:
            self.open.add(mark)
            self.built[mark] = self._build(node)
            self.open.discard(mark)
        return self.built[mark]

    def _build(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode):
            self._check_whole(node)
            return None if not node.style and node.value in NULLS else node.value
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item) for item in node.value]
        return self._map(node)

    def _check_whole(self, node: yaml.ScalarNode) -> None:
        """'Room #5' is cut to 'Room' without a word, for YAML takes the rest for a remark; a remark has a blank."""
        if not node.style and _CUT.match(self.text, node.end_mark.index):
            raise ConfigError(
                f"golden set {str(self.path)!r}, line {_line(node)}: YAML takes what stands behind ' #' for a remark; "
                "put the text in quotes, or write '# ' before a remark"
            )

    def _map(self, node: yaml.Node) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            name = str(key.value)
            if name == "<<":
                for part in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    if not isinstance(part, yaml.MappingNode):
                        place = f"golden set {str(self.path)!r}, line {_line(key)}"
                        raise ConfigError(f"{place}: '<<' takes over the keys of a map, and this is none")
                    merged = self.value(part) | merged
            elif name in own:
                raise ConfigError(f"golden set {str(self.path)!r}, line {_line(key)}: key {name!r} stands twice")
            else:
                own[name] = self.value(value)
        return merged | own


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def rows_of_json(path: Path) -> Iterator[GoldenRow]:
    """Questions of a JSON document: an array, or an object with the array under 'questions'."""
    for item in read_json(path, AnswersConfig()):
        if isinstance(item, Rejected):
            raise ConfigError(f"golden set {str(path)!r}, line {item.line}: {item.reason}")
        if isinstance(item, RawRow):
            inner = item.data.get("questions")
            rows = inner if isinstance(inner, list) and "question" not in item.data else [item.data]
            if not all(isinstance(row, dict) for row in rows):
                raise ConfigError(f"golden set {str(path)!r}, line {item.line}: a question is an object of keys")
            yield from (GoldenRow(row, item.line, {}) for row in rows)


def rows_of_jsonl(path: Path) -> Iterator[GoldenRow]:
    """Questions of a JSON Lines file, one object a line."""
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        item = json_item(str(path), number, line.encode())
        if not isinstance(item, RawRow):
            raise ConfigError(f"golden set {str(path)!r}, line {number}: {item.reason}")
        yield GoldenRow(item.exact() if item.exact else item.data, number, {})


def rows_of_csv(path: Path) -> Iterator[GoldenRow]:
    """Questions of a CSV file with a header; lists are JSON in their cell, an empty cell is not set."""
    text = _text(path)
    begin = _BEFORE_HEADER.match(text)
    named, start = (begin[1], begin.end()) if begin is not None else (None, 0)
    delimiter = named or best_delimiter(text[start:].split("\n", 1)[0])
    reader = csv.reader(io.StringIO(text[start:], newline=""), delimiter=delimiter, strict=True)
    skipped = text.count("\n", 0, start)
    line = skipped + 1
    try:
        header = plain_names(next(reader, []))
        twice = sorted({name for name in header if name and header.count(name) > 1})
        if twice:
            raise ConfigError(f"golden set {str(path)!r}: the header names {', '.join(map(repr, twice))} twice")
        for cells in _counted(reader, skipped):
            line = cells.line
            yield GoldenRow(_csv_row(header, cells.values, line, path), line, {})
    except csv.Error as fault:
        raise ConfigError(f"golden set {str(path)!r}, near line {line}: {fault}") from fault


class _Cells(NamedTuple):
    values: list[str]
    line: int


def _counted(reader: Any, skipped: int) -> Iterator[_Cells]:
    line = skipped + reader.line_num + 1
    for values in reader:
        if any(value.strip() for value in values):
            yield _Cells(values, line)
        line = skipped + reader.line_num + 1


def _csv_row(header: list[str], cells: list[str], line: int, path: Path) -> dict[str, Any]:
    if len(cells) != len(header):
        raise ConfigError(
            f"golden set {str(path)!r}, line {line}: {len(cells)} cells under {len(header)} columns; "
            "put texts that hold the separator in double quotes"
        )
    row: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=True):
        if name.startswith("tags.") and cell:
            row.setdefault("tags", {})[name.removeprefix("tags.")] = cell
        elif not name.startswith("tags.") and (name or cell):
            row[name] = cell or None
    return row


def _text(path: Path) -> str:
    with open_bytes(path) as stream:
        data = b"".join(iter(lambda: stream.read(CHUNK_BYTES), b""))
    try:
        return re.sub("\r\n?", "\n", data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise ConfigError(
            f"golden set {str(path)!r} is not UTF-8 (byte {fault.start + 1}); save it as UTF-8"
        ) from fault
