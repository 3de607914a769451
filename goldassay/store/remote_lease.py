"""One machine a run: a small object that says who works on it, renewed while they do.

An object store gives no lock back when its holder dies, so the lease has a time:
one that was not renewed for two minutes belongs to nobody.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import platform
import secrets
import threading
import time
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
_SETTLE_S = 2.0
"""How long another one who saw the same stale lease may take to overwrite it."""
_LOG = logging.getLogger(__name__)


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
        with contextlib.suppress(StoreError):  # the work is done; a lease that stays ends by itself
            _give_back(files, path, token)


def _take(files: RemoteFiles, path: str, token: str, since: datetime, what: str) -> None:
    for _ in range(_ATTEMPTS):
        if files.create(path, _content(token, since)):
            return
        holder = _holder(files, path)
        if holder is None:
            continue  # given back since
        if not _is_stale(holder):
            raise RunError(_refusal(what, holder))
        if _took_over(files, path, token, since):
            return
    raise RunError(_refusal(what, {}))


def _took_over(files: RemoteFiles, path: str, token: str, since: datetime) -> bool:
    """Overwrite a stale lease: of several who do it at once, the last one has it, and each looks who that is.

    Deleting it first would delete what another one has taken meanwhile.
    """
    files.write_bytes(path, _content(token, since))
    time.sleep(_SETTLE_S)
    return _is_held_by(token, _holder(files, path))


def _give_back(files: RemoteFiles, path: str, token: str) -> None:
    """Delete the lease, unless another machine has taken it since it was last renewed."""
    if _is_held_by(token, _holder(files, path)):
        files.remove(path)


def _refusal(what: str, holder: dict[str, Any]) -> str:
    whose = f"process {holder['pid']} on {holder.get('host')!r} since {holder.get('since')}" if "pid" in holder else ""
    return (
        f"{what} is in the hands of {whose or 'another process'}. "
        "Wait for it to end, or stop it and run again: nothing paid for is lost."
    )


def _renew(files: RemoteFiles, path: str, token: str, since: datetime, stop: threading.Event) -> None:
    while not stop.wait(_RENEW_S):
        with contextlib.suppress(StoreError):  # the next renewal may get through; the lease lives for four
            holder = _holder(files, path)
            if holder is not None and not _is_held_by(token, holder):
                _LOG.warning("%s was not renewed for two minutes, and another process has taken it", path)
                return
            files.write_bytes(path, _content(token, since))


def _content(token: str, since: datetime) -> bytes:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    started = since.isoformat(timespec="seconds")
    content = {"token": token, "pid": os.getpid(), "host": platform.node(), "since": started, "renewed": now}
    return json.dumps(content).encode("utf-8")


def _holder(files: RemoteFiles, path: str) -> dict[str, Any] | None:
    """What the lease says; {} where it cannot be read, and None where there is none."""
    try:
        found = json.loads(files.read_bytes(path))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_held_by(token: str, holder: dict[str, Any] | None) -> bool:
    return holder is not None and holder.get("token") == token


def _is_stale(holder: dict[str, Any]) -> bool:
    try:
        age = datetime.now(UTC) - datetime.fromisoformat(holder["renewed"])
    except (KeyError, ValueError, TypeError):
        return True
    return age.total_seconds() > _STALE_S
