"""The clock that waiting code asks, so that tests never wait.

Backoff, rate limits and time budgets take a `Clock`; nothing in `judging` calls
`time.monotonic` or `asyncio.sleep` for a decision of its own.
"""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """What waiting code may ask."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...

    def time(self) -> float:
        """Seconds since 1970, UTC, for reading dates sent by a server."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; other tasks run meanwhile."""
        ...


class SystemClock:
    """The real clock."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait without blocking the event loop."""
        await asyncio.sleep(seconds)
