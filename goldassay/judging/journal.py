"""The journal of a judge stage: one line per finished call, written before anything else is done with it.

Append-only JSON Lines. A process may be killed anywhere: a torn last line is cut off
on opening, and only calls that were in flight are made again. One process at a time.
Knows lines, not judges; `goldassay.judging.engine` decides what they say.

Lines: `head` (what the journal is about), `part` (one finished call, or what needed
none, with its rows and raw reply), `spent` (a paid reply that was asked again).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from goldassay.errors import StoreError
from goldassay.judging.journal_calls import FinishedCall, Line, rows_of
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.sendable import dump
from goldassay.verdicts import Verdict

__all__ = ["Journal", "read_lines", "verdicts_from_journal"]


class Journal:
    """An open journal; the only writer of its file."""

    def __init__(self, path: Path, head: Line) -> None:
        """Open or create it, heal its end and check that it belongs to the same work.

        Args:
            path: The file; its folder is made.
            head: What the work is; a journal of other work is refused.

        Raises:
            StoreError: If it cannot be written, is held by another process, or is of other work.
        """
        head = orjson.loads(dump(head))  # as a line gives it back, to be compared with one
        self.path = path
        self.unsaved: list[bytes] = []
        """Lines that the disk did not take; written again on closing."""
        self._dirty = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise _unwritable(path, error) from error
        try:
            self._begin(head)
        except BaseException:
            os.close(self._file)
            raise

    def _begin(self, head: Line) -> None:
        _lock(self._file, self.path)
        try:
            self.healed_bytes = _heal(self._file)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        first = next(read_lines(self.path), None)
        if first is None:
            self.write({"kind": "head", **head})
            if self.unsaved:
                raise _unwritable(self.path, self._error)
        elif any(first.get(name) != value for name, value in head.items()):
            raise _other_work(self.path, first, head)

    def write(self, line: Line) -> bool:
        """Append one line; False when the disk did not take it (it is kept and tried again on closing)."""
        data = dump(line) + b"\n"
        if self.unsaved or not self._append(data):
            self.unsaved.append(data)
            return False
        self._dirty = True
        return True

    def _append(self, data: bytes) -> bool:
        size = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, data)
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            self._error = error
            if os.fstat(self._file).st_size != size:
                os.ftruncate(self._file, size)
            return False
        return True

    def sync(self) -> None:
        """Have the operating system put it on the disk; a killed process loses nothing even without.

        Raises:
            StoreError: If the disk does not take it.
        """
        if self._dirty:
            self._dirty = False  # before the call: lines may be written meanwhile, by the event loop's thread
            try:
                os.fsync(self._file)
            except OSError as error:
                self._dirty = True
                raise _unwritable(self.path, error) from error

    def close(self) -> None:
        """Write what the disk did not take before, and let others in.

        Raises:
            StoreError: If the disk still does not take it.
        """
        try:
            pending, self.unsaved = self.unsaved, []
            for number, data in enumerate(pending):
                if not self._append(data):
                    self.unsaved = pending[number:]
                    raise _unwritable(self.path, self._error, lost=len(self.unsaved))
            self.sync()
        except OSError as error:
            raise _unwritable(self.path, error) from error
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _heal(file: int) -> int:
    """Cut off a torn last line; bytes cut."""
    size = os.fstat(file).st_size
    end, block = size, b""
    while end > 0:
        start = max(0, end - 65536)
        os.lseek(file, start, os.SEEK_SET)
        block = os.read(file, end - start)
        newline = block.rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(file, end)
    return size - end


def _lock(file: int, path: Path) -> None:
    if sys.platform == "win32":  # pragma: no cover - no advisory locks there
        return
    import fcntl  # noqa: PLC0415 - not on every platform

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreError(
            f"the journal {path.name!r} is being written by another process. Two processes judge the same run: "
            "let the first one finish, or stop it and run again."
        ) from error
    except OSError:  # a file system without locks
        return


def _unwritable(path: Path, error: OSError, *, lost: int = 0) -> StoreError:
    unsaved = f" {lost} finished calls could not be kept and will be made again." if lost else ""
    return StoreError(
        f"the journal {str(path)!r} cannot be written: {error.strerror or error}.{unsaved} "
        "All lines written before are safe. Make room or mend the permissions, then run the same command again."
    )


def _other_work(path: Path, first: Line, head: Line) -> StoreError:
    names = [name for name, value in head.items() if name != "asked" and first.get(name) != value]
    shown = ", ".join(f"{name} was {first.get(name)!r}, is {head[name]!r}" for name in names)
    return StoreError(
        f"the journal {path.name!r} was begun with other settings: {shown}. "
        "Resume with the settings of that run, or start a new run."
    )


def read_lines(path: Path) -> Iterator[Line]:
    """All readable lines in order; a torn or damaged line is passed over, its call will be made again."""
    with path.open("rb") as file:
        for raw in file:
            try:
                line = orjson.loads(raw)
            except orjson.JSONDecodeError:
                continue
            if isinstance(line, dict):
                yield line


def verdicts_from_journal(journal: Path) -> Iterator[Verdict]:
    """The rows of all complete records, in the order they became complete.

    A record whose calls are not all finished gives no row at all. Where a call stands
    twice (it ended over budget and was made later), the last one counts.
    """
    rubric: Rubric | None = None
    latest: dict[tuple[str, int], int] = {}
    sets: dict[str, str] = {}
    for number, line in enumerate(read_lines(journal)):
        if line.get("kind") == "head":
            rubric = Rubric.model_validate(line["asked"])
        elif line.get("kind") == "part":
            latest[line["item"], line["part"]] = number
            sets[line["item"]] = line["set"]
    waiting: dict[str, dict[int, FinishedCall]] = {}
    unread: dict[tuple[str, int], list[Line]] = {}
    for number, line in enumerate(read_lines(journal)):
        if line.get("kind") not in {"part", "spent"} or sets.get(line["item"]) != line["set"]:
            continue
        place = line["item"], line["part"]
        if line["kind"] == "spent":
            unread.setdefault(place, []).append(line)
        elif latest[place] == number:
            calls = waiting.setdefault(line["item"], {})
            calls[line["part"]] = FinishedCall(line, unread.pop(place, []))
            if len(calls) == line["of"]:
                del waiting[line["item"]]
                yield from rows_of([calls[part] for part in sorted(calls)], rubric)
