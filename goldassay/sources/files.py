"""From path patterns to open byte streams: globs, folders, compression told by its first bytes.

Knows nothing of JSON or CSV. Yields lines with their number; a stream that breaks
off keeps what was read before the break.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from goldassay.errors import SourceError

__all__ = ["BROKEN_STREAM", "ByteStream", "Line", "StreamBreak", "expand_paths", "name_of", "open_bytes", "read_lines"]

DATA_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".pq")
PACKED_ENDINGS = (".gz", ".zst", ".bz2", ".xz")
CHUNK_BYTES = 1 << 20
PACKINGS_MAX = 3
SHOWN_NAMES = 3

ZSTANDARD_BYTES = 4096
"""Read at a time; larger pieces are no faster."""

BROKEN_STREAM = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What a compressed stream raises when it is cut or damaged (gzip.BadGzipFile is an OSError)."""
CUT_WORDS = ("Not a gzipped file", "Truncated compressed stream", "Unknown frame descriptor")
"""What gzip and Arrow's Zstandard say where the stream ends too early, or something else stands behind its end."""


class ByteStream(Protocol):
    """What is asked of an open file: bytes in pieces."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes; b'' at the end."""
        ...


class Line(NamedTuple):
    """One physical line without its end."""

    number: int
    data: bytes
    too_long: bool = False
    """Only the beginning is in `data`: the rest was skipped unread."""


class StreamBreak(NamedTuple):
    """The stream broke off behind the lines read so far."""

    number: int
    reason: str
    data: bytes
    """The unfinished line at the break."""


def expand_paths(patterns: Sequence[str], base_dir: Path | None = None) -> list[Path]:
    """Files behind globs and folders, each once, in the order of their names.

    Raises:
        SourceError: A pattern that matches nothing; the message names it and the folder looked in.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        matches = _matches(pattern, base_dir)
        if not matches:
            place = str(base_dir) if base_dir is not None else "the current folder"
            found_instead = _found_instead(pattern, base_dir)
            raise SourceError(
                f"no file matches {pattern!r} in {place}{found_instead}; check its spelling, or answers.path"
            )
        found.update(dict.fromkeys(matches))
    return list(found)


def _found_instead(pattern: str, base_dir: Path | None) -> str:
    """What lies where the pattern looks, for its message: a log under another ending is the usual slip."""
    path = (base_dir or Path()) / Path(pattern).expanduser()
    folder = path if path.is_dir() else path.parent
    if not folder.is_dir() or glob.has_magic(str(folder)):
        return ""
    names = sorted(item.name for item in folder.iterdir() if not item.name.startswith("."))
    shown = ", ".join(map(repr, names[:SHOWN_NAMES])) + (", ..." if len(names) > SHOWN_NAMES else "")
    return f" ({folder.name}/ holds {shown or 'nothing'})"


def _matches(pattern: str, base_dir: Path | None) -> list[Path]:
    try:
        path = (base_dir or Path()) / Path(pattern).expanduser()
    except RuntimeError as fault:  # '~somebody' without a home on this machine
        raise SourceError(f"answers.path {pattern!r} cannot be followed: {fault}") from fault
    if path.is_file():
        return [path]
    if path.is_dir():
        return sorted(item for item in path.rglob("*") if item.is_file() and _is_data(item.relative_to(path)))
    root = None if base_dir is None else str(base_dir)
    names = sorted(glob.glob(str(Path(pattern).expanduser()), root_dir=root, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
    return [item for item in ((base_dir or Path()) / name for name in names) if item.is_file()]


def _is_data(path: Path) -> bool:
    """Spark, Arrow and editors keep their own files beside the data under names that begin with '_' or '.'."""
    return bool(data_ending(path)) and not any(part.startswith((".", "_")) for part in path.parts)


def data_ending(path: Path) -> str:
    """Ending that tells the format, below a compression ending: 'a.jsonl.gz' -> '.jsonl'; '' when unknown."""
    name = path.name.lower()
    for packed in PACKED_ENDINGS:
        name = name.removesuffix(packed)
    return next((ending for ending in DATA_ENDINGS if name.endswith(ending)), "")


def name_of(path: Path) -> str:
    """A file's path as text that every report can hold: bytes of its name that are no UTF-8 become question marks."""
    return str(path).encode(errors="surrogateescape").decode(errors="replace")


@contextmanager
def open_bytes(path: Path) -> Iterator[ByteStream]:
    """Open a file and unpack it by its first bytes, not its name.

    HTTP clients unpack '.gz' files on their way without renaming them.
    """
    with path.open("rb") as raw:
        yield _Piecewise(_unpacked(raw))


class _Piecewise:
    """Reads on until a piece is full; where the file was cut, what stands before the cut is handed out first.

    Where its bytes are spoiled, the piece is not: nobody knows how much of it was read as something else.
    """

    def __init__(self, stream: Any) -> None:
        self._read_some = getattr(stream, "read1", stream.read)
        self._fault: Exception | None = None

    def read(self, size: int = -1, /) -> bytes:
        if self._fault is not None:
            raise self._fault
        parts: list[bytes] = []
        left = CHUNK_BYTES if size < 0 else size
        while left > 0:
            try:
                part = self._read_some(left)
            except BROKEN_STREAM as fault:
                if not parts or not _is_cut(fault):
                    raise
                self._fault = fault
                break
            if not part:
                break
            parts.append(part)
            left -= len(part)
        return b"".join(parts)


class _Zstandard:
    """Reads in small pieces, because Arrow throws away the piece in which the file was cut."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int = -1, /) -> bytes:
        """Up to `ZSTANDARD_BYTES`."""
        return bytes(self._stream.read(ZSTANDARD_BYTES if size < 0 else min(size, ZSTANDARD_BYTES)))


def _is_cut(fault: Exception) -> bool:
    """What stands before is whole: the stream ends too early, or something else stands behind its checked end."""
    return isinstance(fault, EOFError) or any(word in str(fault) for word in CUT_WORDS)


def _unpacked(raw: Any) -> Any:
    """Unpacked, also where a file was packed a second time on its way."""
    stream = raw
    for _ in range(PACKINGS_MAX):
        inner = _opened(stream)
        if inner is stream:
            break
        stream = inner
    return stream


def _opened(raw: Any) -> Any:
    try:
        head = raw.peek(6)[:6] if hasattr(raw, "peek") else b""
    except BROKEN_STREAM:
        return raw  # told by the first read
    stream: Any = raw
    if head.startswith(b"\x1f\x8b"):
        stream = gzip.GzipFile(fileobj=raw, mode="rb")
    elif head.startswith(b"\x28\xb5\x2f\xfd"):
        import pyarrow as pa  # noqa: PLC0415 - a heavy import that only .zst files need

        stream = _Zstandard(pa.CompressedInputStream(pa.PythonFile(raw, "r"), "zstd"))
    elif head.startswith(b"BZh"):
        stream = bz2.BZ2File(raw)
    elif head.startswith(b"\xfd7zXZ\x00"):
        stream = lzma.LZMAFile(raw)  # noqa: SIM115 - reads from `raw`, which the caller closes
    return stream


def read_lines(stream: ByteStream, *, max_bytes: int) -> Iterator[Line | StreamBreak]:
    r"""Split at '\n' alone, in bounded memory.

    Never at NEL, U+2028 or '\r': JSON allows them inside a text.
    """
    parts = _Unfinished(max_bytes)
    number = 1
    while True:
        try:
            chunk = stream.read(CHUNK_BYTES)
        except BROKEN_STREAM as error:
            yield StreamBreak(number, f"the file breaks off here ({str(error) or type(error).__name__})", parts.join())
            return
        if not chunk:
            break
        first, *lines = chunk.split(b"\n")
        parts.add(first)
        for following in lines:
            yield parts.finish(number)
            parts.add(following)
            number += 1
    if parts.size:
        yield parts.finish(number)


class _Unfinished:
    """A line whose end was not seen yet; holds at most `max_bytes` of it."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        if self.size <= self.max_bytes:
            self.parts.append(part)
        self.size += len(part)

    def join(self) -> bytes:
        return b"".join(self.parts)[: self.max_bytes]

    def finish(self, number: int) -> Line:
        data = self.parts[0] if len(self.parts) == 1 else b"".join(self.parts)
        line = Line(number, data, self.size > self.max_bytes)
        self.parts, self.size = [], 0
        return line
