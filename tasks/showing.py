"""Shows on Prefect's own page how far the judge is: a progress artifact, brought up to date every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator

from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact

from goldassay.judging.progress import OnProgress, ProgressSnapshot
from goldassay.judging.progress_display import progress_line

__all__ = ["EVERY_S", "percent", "progress_artifact"]

EVERY_S = 5.0
"""Seconds between updates: each is a request to the server, and nobody looks more often."""


@contextlib.asynccontextmanager
async def progress_artifact(key: str, *, every_s: float = EVERY_S) -> AsyncIterator[OnProgress]:
    """What to hand to the judge besides the terminal's progress.

    Args:
        key: Of the artifact: small letters, digits and dashes.
        every_s: Seconds between updates.
    """
    latest: deque[ProgressSnapshot] = deque(maxlen=1)
    artifact = await acreate_progress_artifact(0.0, key=key, description="the judge begins")

    async def show() -> None:
        if latest:
            await aupdate_progress_artifact(artifact, percent(latest[-1]), description=progress_line(latest[-1]))

    async def keep_showing() -> None:
        while True:
            await asyncio.sleep(every_s)
            with contextlib.suppress(Exception):  # a page that is behind is no reason to stop judging
                await show()

    ticker = asyncio.create_task(keep_showing())
    try:
        yield latest.append
    finally:
        ticker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ticker
        with contextlib.suppress(Exception):
            await show()


def percent(snapshot: ProgressSnapshot) -> float:
    """Calls done of all, in [0, 100]; 0 while their number is not known."""
    if not snapshot.total:
        return 0.0
    return min(100.0, 100.0 * snapshot.done / snapshot.total)
