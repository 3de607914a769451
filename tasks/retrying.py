"""Which failures of a task are worth another try: those of the machine, never those a person must mend.

A request to the judge is retried by the judge's own client; a task is retried when its worker, disk,
database or network broke, and then goes on from the journal. Anything else, a wrong setting or a fault in
the code, would fail the same way again, and is told at once.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from typing import Any

import httpx
from prefect.exceptions import PrefectHTTPStatusError

from goldassay.errors import GoldassayError, JudgeTransientError, SourceError, StoreError

__all__ = ["INFRASTRUCTURE", "is_infrastructure", "is_machine"]

_LASTING = frozenset(
    {
        errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR,
        errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP,
    }
)  # fmt: skip
"""What the operating system refuses until somebody makes room, or mends a path or a permission."""

_BUSY = frozenset({408, 425, 429})
"""A Prefect server that is asked too much says so; its own client has tried again for a while by then."""

_MACHINE = (OSError, MemoryError, BrokenExecutor, httpx.TransportError)

_REMOTE = frozenset({"HTTPClientError", "ConnectionError", "ClientConnectionError", "CommClosedError", "KilledWorker"})
"""Network errors of botocore, aiohttp and distributed, known by name: they are extras and not always installed."""


def is_infrastructure(_task: Any, _task_run: Any, state: Any) -> bool:
    """True when running the shard again may help.

    It looks at the exception that the state carries and asks the server for nothing: a condition that
    raises is read as "do not retry".
    """
    error = getattr(state, "data", None)
    if isinstance(error, JudgeTransientError):
        return True
    if isinstance(error, SourceError) and error.transient:
        return True
    if isinstance(error, StoreError):
        return any(is_machine(cause) for cause in _causes(error))
    return not isinstance(error, GoldassayError) and is_machine(error)


def is_machine(error: BaseException | None) -> bool:
    """Whether an error is the machine's or the network's: a disk, a connection, a Prefect server that is busy."""
    if isinstance(error, PrefectHTTPStatusError):
        status = error.response.status_code
        return status >= 500 or status in _BUSY
    if isinstance(error, OSError) and error.errno in _LASTING:
        return False
    return isinstance(error, _MACHINE) or any(kind.__name__ in _REMOTE for kind in type(error).__mro__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The chain behind an error, without the error itself; a chain that bites its tail ends."""
    seen = {id(error)}
    cause = error.__cause__ or error.__context__
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


INFRASTRUCTURE: dict[str, Any] = {
    "retries": 2,
    "retry_delay_seconds": [5, 30],
    "retry_jitter_factor": 0.5,
    "retry_condition_fn": is_infrastructure,
    "persist_result": False,
}
"""How every task of a shard is retried; results are paths and counts, so nothing is worth persisting."""
