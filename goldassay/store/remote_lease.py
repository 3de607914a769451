"""One machine a run: a small object that says who works on it, renewed while they do.

An object store gives no lock back when its holder dies, so the lease has a time:
one that was not renewed for two minutes belongs to nobody.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from goldassay.errors import RunError, StoreError
from goldassay.store.remote import RemoteFiles

__all__ = ["leasing"]

_RENEW_S = 30.0
_STALE_S = 120.0
"""Four renewals missed: the holder is dead or cut off."""
_ATTEMPTS = 3


@contextlib.contextmanager
def leasing(files: RemoteFiles, name: str, *, what: str) -> Iterator[None]:
    """Hold a lease for the length of the block.

    Raises:
        RunError: If another process holds it and has renewed it lately.
    """
    path, token = f"leases/{name}.json", secrets.token_hex(8)
    since = datetime.now(UTC)
    _take(files, path, token, since, what)
    stop = threading.Event()
    renewing = threading.Thread(target=_renew, args=(files, path, token, since, stop), daemon=True)
    renewing.start()
    try:
        yield
    finally:
        stop.set()
        renewing.join()
        files.remove(path)


def _take(files: RemoteFiles, path: str, token: str, since: datetime, what: str) -> None:
    holder: dict[str, Any] = {}
    for _ in range(_ATTEMPTS):
        if files.create(path, _content(token, since)):
            return
        holder = _holder(files, path)
        if not _is_stale(holder):
            break
        files.remove(path)
    whose = f"process {holder.get('pid')} on {holder.get('host')!r} since {holder.get('since')}"
    message = (
        f"{what} is in the hands of {whose}. Wait for it to end, or stop it and run again: nothing paid for is lost."
    )
    raise RunError(message)


def _renew(files: RemoteFiles, path: str, token: str, since: datetime, stop: threading.Event) -> None:
    while not stop.wait(_RENEW_S):
        with contextlib.suppress(StoreError):  # the next renewal may get through; the lease lives for four
            files.write_bytes(path, _content(token, since))


def _content(token: str, since: datetime) -> bytes:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    started = since.isoformat(timespec="seconds")
    content = {"token": token, "pid": os.getpid(), "host": platform.node(), "since": started, "renewed": now}
    return json.dumps(content).encode("utf-8")


def _holder(files: RemoteFiles, path: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(files.read_bytes(path))
    except (FileNotFoundError, ValueError):
        return {}  # given back since, or half a thing: free to take
    return found


def _is_stale(holder: dict[str, Any]) -> bool:
    try:
        age = datetime.now(UTC) - datetime.fromisoformat(holder["renewed"])
    except (KeyError, ValueError, TypeError):
        return True
    return age.total_seconds() > _STALE_S
