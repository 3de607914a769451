"""A bound on the memory of the whole process while a query and its result are in hand.

DuckDB's own limit counts what it buffers, not the texts that a function makes nor the Arrow table that leaves it:
`repeat('x', 2000000000)` took 8 GB under a limit of 2 GB. The operating system counts everything.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldassay.errors import ConfigError, RunError

__all__ = ["memory_bytes", "too_large", "within_memory"]

_AMOUNT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) ?([KMGT])(i?)B", re.IGNORECASE)
_STATUS = Path("/proc/self/status")
_ITSELF = 256 * 2**20
"""Bytes for Python, Arrow and the words of the result."""
_EACH_THREAD = 16 * 2**20
"""Bytes of stack and allocator that each of DuckDB's threads takes; it starts one for each core."""


def memory_bytes(text: str) -> int:
    """Read an amount of memory as DuckDB does: 'MB' is a million bytes, 'MiB' is 2^20.

    Raises:
        ConfigError: If it is none.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"{text!r} is no amount of memory. Give one such as 500MB or 2GB.")
    number, unit, is_binary = match.groups()
    return int(float(number) * (1024 if is_binary else 1000) ** ("KMGT".index(unit.upper()) + 1))


def too_large(memory_limit: str) -> RunError:
    """What a person is told when the limit is reached."""
    return RunError(f"the query needs more memory than {memory_limit}. Narrow it, or raise the limit (--memory).")


@contextmanager
def within_memory(memory_limit: str) -> Iterator[None]:
    """Let this process grow by the query's limit once for the query and once for its result, and no further.

    For a process of its own such as a command: all its threads are bound. Where the operating system does not tell
    how much is in use (it is read from /proc), there is DuckDB's own limit alone.

    Args:
        memory_limit: As for `run_query`.

    Raises:
        ConfigError: If the limit cannot be read.
        RunError: If it is reached.
    """
    room = 2 * memory_bytes(memory_limit) + _ITSELF + _EACH_THREAD * (os.cpu_count() or 1)
    try:
        with _bound(room):
            yield
    except MemoryError as error:
        raise too_large(memory_limit) from error


@contextmanager
def _bound(room: int) -> Iterator[None]:
    used = _data_bytes()
    if used is None:
        yield
        return
    import resource  # noqa: PLC0415 - not on every platform

    # Data, not address space: allocators reserve many times the addresses that they ever fill, more with each core.
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = used + room
    lower = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([wanted, *lower]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_bytes() -> int | None:
    """Writable memory of this process, in bytes; None where the operating system does not tell."""
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    found = (line.split()[1] for line in lines if line.startswith("VmData:"))
    size = next(found, None)
    return None if size is None else int(size) * 1024
