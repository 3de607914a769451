"""Which kind of file a log is: by its ending, and by its first bytes where they say otherwise.

A CSV file named '.jsonl', or a table of another program, would else be read as one
broken line after the other. Called by `reader`; decodes nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

from goldassay.sources.fields import PLAIN_NAMES
from goldassay.sources.files import BROKEN_STREAM, data_ending, open_bytes

__all__ = ["foreign_reason", "kind_by_looks", "kind_of", "read_head"]

HEAD_BYTES = 4096
KIND_OF_ENDING = {".csv": "csv", ".tsv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet"}
PARQUET_MARK = b"PAR1"
FOREIGN = (
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook; unpack it, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; save the sheet as CSV"),
    (b"SQLite format 3\x00", "an SQLite database; set answers.source = 'sql' and answers.url"),
    (b"ARROW1", "an Arrow file; write it as Parquet"),
    (b"Obj\x01", "an Avro file; write it as Parquet or JSON Lines"),
    (b"ORC", "an ORC file; write it as Parquet"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file; run 'git lfs pull'"),
    (b"<!doctype html", "a web page, perhaps that of a sign-in; download the file again"),
    (b"<html", "a web page, perhaps that of a sign-in; download the file again"),
    (b"<?xml", "an XML document, perhaps an error of the file's server; write the log as JSON Lines"),
)
"""First bytes (small letters count as capital ones) of what is no log, and what to do."""
_JSON = re.compile(rb'\s*(?:\{\s*"|\[\s*\{)')
_NAME = re.compile(r"[^,;|\t]{1,200}")


def read_head(path: Path) -> bytes:
    """The first bytes of a file, unpacked; b'' where they cannot be read, which its reader tells better."""
    try:
        with open_bytes(path) as stream:
            return stream.read(HEAD_BYTES)
    except BROKEN_STREAM:
        return b""


def foreign_reason(path: Path, head: bytes) -> str | None:
    """Why a file with this (unpacked) beginning is no log of answers; None: it may be one."""
    if head.startswith(PARQUET_MARK) and not _begins_with(path, PARQUET_MARK):
        return "this is a Parquet file inside an archive; unpack it, for Parquet is read from its end"
    small = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:40].lower()
    return next((f"this is {what}" for mark, what in FOREIGN if small.startswith(mark.lower())), None)


def _begins_with(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def kind_of(path: Path, head: bytes) -> str:
    """The kind of source that reads this file."""
    if head.startswith(PARQUET_MARK):
        return "parquet"
    named = KIND_OF_ENDING.get(data_ending(path), "jsonl")
    text = head.removeprefix(b"\xef\xbb\xbf")
    if named == "csv" and _JSON.match(text):
        return "jsonl"
    if named == "jsonl" and _is_header(text):
        return "csv"
    return named


def kind_by_looks(path: Path) -> str:
    """The kind that reads a file by its ending and beginning; '' when it is not there."""
    return kind_of(path, read_head(path)) if path.is_file() else ""


def _is_header(head: bytes) -> bool:
    """Whether the first line names the answer beside another field, as a table does."""
    line = head.split(b"\n", 1)[0].decode(errors="replace")
    names = {name.strip(' "\r').casefold() for name in _NAME.findall(line)}
    return "answer" in names and len(names & PLAIN_NAMES) > 1
