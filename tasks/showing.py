"""Shows on Prefect's own page how far the judge is: a progress artifact, brought up to date every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact

from goldassay.judging.progress import OnProgress, ProgressSnapshot
from goldassay.judging.progress_display import progress_line

__all__ = ["EVERY_S", "percent", "progress_artifact"]

EVERY_S = 5.0
"""Seconds between updates: each is a request to the server, and nobody looks more often."""


@contextlib.asynccontextmanager
async def progress_artifact(
    key: str, *, asks_model: bool = True, every_s: float = EVERY_S
) -> AsyncIterator[OnProgress]:
    """What to hand to the judge besides the terminal's progress.

    A shard that comes to its end stands at 100, whatever was counted on the way: one that was judged before, or holds
    no call, is done too.

    Args:
        key: Of the artifact: small letters, digits and dashes.
        asks_model: False: no model is asked, so there is no progress worth showing.
        every_s: Seconds between updates.
    """
    artifact = await _begin(key) if asks_model else None
    if artifact is None:
        yield lambda _snapshot: None
        return
    latest: deque[ProgressSnapshot] = deque(maxlen=1)

    async def show() -> None:
        if latest:
            await aupdate_progress_artifact(artifact, percent(latest[-1]), description=progress_line(latest[-1]))

    async def keep_showing() -> None:
        while True:
            await asyncio.sleep(every_s)
            with contextlib.suppress(Exception):  # as in _begin
                await show()

    ticker = asyncio.create_task(keep_showing())
    is_done = False
    try:
        yield latest.append
        is_done = True
    finally:
        ticker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ticker
        with contextlib.suppress(Exception):
            await (_finish(artifact, latest) if is_done else show())


async def _begin(key: str) -> UUID | None:
    with contextlib.suppress(Exception):  # a page that is behind, or missing, is no reason to stop judging
        return await acreate_progress_artifact(0.0, key=key, description="the judge begins")
    return None


async def _finish(artifact: UUID, latest: Sequence[ProgressSnapshot]) -> None:
    text = progress_line(latest[-1]) if latest else "no call was left to make"
    await aupdate_progress_artifact(artifact, 100.0, description=text)


def percent(snapshot: ProgressSnapshot) -> float:
    """Calls done of all, in [0, 100]; 0 while their number is not known."""
    if not snapshot.total:
        return 0.0
    return min(100.0, 100.0 * snapshot.done / snapshot.total)
