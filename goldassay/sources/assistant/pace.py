"""How fast and how often: evenly spaced requests, and waits that never undercut what the assistant asked for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

__all__ = ["Pace", "wait_before"]

LONGEST_WAIT_S = 60.0
"""Cap of our own back-off; a wait the assistant asks for is kept whatever its length."""


class Pace:
    """Lets requests start at a steady rate, and none while the assistant wants to be left alone."""

    def __init__(
        self,
        per_minute: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.gap_s, self.clock, self.sleep = 60.0 / per_minute, clock, sleep
        self.next_start = 0.0

    async def start(self) -> None:
        """Wait for the next free start."""
        now = self.clock()
        start = max(now, self.next_start)
        self.next_start = start + self.gap_s
        if start > now:
            await self.sleep(start - now)

    def hold(self, seconds: float) -> None:
        """Start nothing for that long."""
        self.next_start = max(self.next_start, self.clock() + seconds)


def wait_before(attempt: int, *, first_s: float, asked_s: float | None, rng: random.Random) -> float:
    """Seconds to wait before a try.

    Args:
        attempt: Number of the coming try, 2 or more.
        first_s: Wait before the second try.
        asked_s: What the assistant asked for; a lower bound, with jitter on top.
        rng: For the jitter of up to a fifth, upwards only.
    """
    own = min(first_s * 2.0 ** (attempt - 2), LONGEST_WAIT_S)
    return float(max(own, asked_s or 0.0) * (1 + 0.2 * rng.random()))
