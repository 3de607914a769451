"""Ends Prefect's temporary server when the command that started it dies, even by kill -9.

Prefect stops its server at the command's own end. A command that is killed runs no such code, and the server would
stay for ever: one more after each kill. So a small process of its own waits on a pipe that only the command holds
open: when the command is gone, however it went, the pipe closes, and the guard ends the server. Linux could tie the
server to its parent by a signal, but to the thread that started it, which ends long before; and macOS could not.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import Any

__all__ = ["guard_servers"]

_WATCH = """
import os, signal, sys
for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(one, signal.SIG_IGN)
server = int(sys.argv[1])
handle = None
try:
    handle = os.pidfd_open(server)  # the number may belong to another process by then, the handle never does
except (AttributeError, OSError):
    pass
sys.stdin.buffer.read()
try:
    signal.pidfd_send_signal(handle, signal.SIGKILL) if handle is not None else os.kill(server, signal.SIGKILL)
except OSError:
    pass
"""
"""Run with -S -E: it needs nothing but the standard library, and is there in some hundredths of a second."""


def guard_servers() -> None:
    """Has every temporary server of this process guarded from its start; doing it again changes nothing."""
    if os.name != "posix":  # a console's end takes its processes with it
        return
    from prefect.server.api.server import SubprocessASGIServer

    start = SubprocessASGIServer._run_uvicorn_command  # noqa: SLF001 - Prefect has no public way to its own server
    if getattr(start, "is_guarded", False):
        return

    def start_guarded(server: Any) -> Any:
        process = start(server)
        with contextlib.suppress(OSError):  # without a guard, all works as before
            _guards.append(_guard(process.pid))
        return process

    start_guarded.is_guarded = True  # type: ignore[attr-defined]  # a mark of our own
    SubprocessASGIServer._run_uvicorn_command = start_guarded  # type: ignore[method-assign,assignment]  # noqa: SLF001 - as above


_guards: list[subprocess.Popen[bytes]] = []
"""Kept, so that their pipes stay open as long as this process lives."""


def _guard(server: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", _WATCH, str(server)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
