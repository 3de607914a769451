"""Ends a command's run at Ctrl-C or SIGTERM, at once and with one message.

What is finished stands in the journal, as after a kill, so there is nothing to wait for. Called by `flows.py` alone;
runs of a Prefect worker do not pass here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from typing import Any

from goldassay.errors import RunError

__all__ = ["STOPPED", "is_termination", "run_until_stopped"]

STOPPED = "stopped; what was paid for is kept, and the same command goes on from there."

_GRACE_S = 5.0
"""How long a run on a server of its own may take to tell that server of its end."""


def run_until_stopped(run: Coroutine[Any, Any, Any], *, embedded: bool) -> Any:
    """Runs a flow in an event loop of its own, to its end or to a signal.

    Args:
        run: The flow, called but not yet awaited.
        embedded: Whether Prefect's server is the command's own temporary one: nobody then needs to be told.

    Returns:
        What the flow returns.
    """
    if threading.current_thread() is threading.main_thread() and embedded:
        for one in (signal.SIGINT, signal.SIGTERM):
            signal.signal(one, lambda *_: _stop())
    return asyncio.run(_watched(run, embedded=embedded))


def is_termination(error: BaseException) -> bool:
    """Whether an exception is how Prefect tells of a SIGTERM; known by its name, since Prefect loads late."""
    return type(error).__name__ == "TerminationSignal"


async def _watched(run: Coroutine[Any, Any, Any], *, embedded: bool) -> Any:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_say_unless_stopped)
    # Prefect puts its own handler in, which raises wherever the loop happens to be: inside of a callback, asyncio
    # catches that and goes on. The loop hears of the signal all the same, by its wake-up file.
    # On Windows, and in another thread than the main one, a loop takes no signals: Prefect's handler is all there is.
    with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
        loop.add_signal_handler(signal.SIGTERM, _stop if embedded else lambda: loop.call_later(_GRACE_S, _stop))
    return await run


def _say_unless_stopped(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if error is None or not is_termination(error):
        loop.default_exception_handler(context)


def _stop() -> None:
    """Ctrl-C reaches Prefect's temporary server as well, and its client would ask the dead server for minutes."""
    # Written past Python's buffers: the interrupted code may be inside of one.
    os.write(2, f"\ngoldassay: {STOPPED}\n".encode())
    servers = sys.modules.get("prefect.server.api.server")
    for server in list(servers.SubprocessASGIServer._instances.values()) if servers else ():  # noqa: SLF001 - no public way
        process = getattr(server, "server_process", None)
        if process is not None:
            process.kill()
    os._exit(RunError.exit_code)
