"""One rate limit for several runs: permits leased from a Prefect global concurrency limit, a second's worth at a time.

An acquire at the server costs about a tenth of a second, so it is never made for a single call. Within
the process the judge's own limiter smooths what was leased and learns from the server's refusals.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from prefect.client.orchestration import get_client
from prefect.concurrency.asyncio import rate_limit
from prefect.exceptions import ObjectNotFound

from goldassay.errors import ConfigError, RunError
from goldassay.judging.limits import AdaptiveLimiter, Ending, Limiter
from goldassay.judging.settings import JudgeConfig

__all__ = ["LeasedLimiter", "lease_size", "shared_limiter"]

Acquire = Callable[[int], Awaitable[None]]


class LeasedLimiter:
    """A limiter whose permits come from elsewhere, some at a time."""

    def __init__(self, local: Limiter, acquire: Acquire, *, size: int) -> None:
        """Set it up.

        Args:
            local: Smooths and learns within this process.
            acquire: Waits until so many permits are granted.
            size: Permits of one lease, >= 1.
        """
        self._local, self._acquire, self._size = local, acquire, size
        self._left = 0
        self._turn = asyncio.Lock()

    async def acquire(self, tokens: int) -> None:
        """Wait until one request of about so many tokens may go out."""
        async with self._turn:  # one lease at a time: the others wait for it instead of asking too
            if self._left == 0:
                await self._acquire(self._size)
                self._left = self._size
            self._left -= 1
        await self._local.acquire(tokens)

    def release(
        self,
        ending: Ending,
        *,
        tokens: int,
        tokens_used: int | None,
        headers: Mapping[str, str],
        wait_s: float | None,
    ) -> None:
        """Say how the request ended; a permit is spent however it ends."""
        self._local.release(ending, tokens=tokens, tokens_used=tokens_used, headers=headers, wait_s=wait_s)


def lease_size(requests_per_minute: float) -> int:
    """Permits of one lease: about a second's worth."""
    return max(1, round(requests_per_minute / 60))


@contextlib.asynccontextmanager
async def shared_limiter(config: JudgeConfig, name: str | None) -> AsyncIterator[Limiter | None]:
    """The limiter for one shard: leased where `run.shared_limit` names a limit, else that of the process (None).

    Raises:
        ConfigError: If a name is set without requests_per_minute.
        RunError: If the limit cannot be made or read: the run stops before its first call.
    """
    if name is None:
        yield None
        return
    if config.requests_per_minute is None:
        raise ConfigError(f"run.shared_limit = {name!r} needs judge.requests_per_minute: the rate that is shared.")
    size = lease_size(config.requests_per_minute)
    await _ensure(name, config.requests_per_minute, size)

    async def acquire(permits: int) -> None:
        # strict: a limit that was removed meanwhile is an error; Prefect's default is to let everything through.
        await rate_limit(name, occupy=permits, strict=True)

    yield LeasedLimiter(AdaptiveLimiter(config), acquire, size=size)


async def _ensure(name: str, requests_per_minute: float, size: int) -> None:
    """Makes the limit where it is missing; one that is there is left as its operator set it.

    A bucket of `size` slots that empties by d a second lets through size + 60 d in the worst minute, so d is
    chosen to keep that minute within the limit.
    """
    try:
        async with get_client() as client:
            try:
                await client.read_global_concurrency_limit_by_name(name)
            except ObjectNotFound:
                decay = max(requests_per_minute - size, requests_per_minute / 2) / 60
                await client.upsert_global_concurrency_limit_by_name(name, size, slot_decay_per_second=decay)
    except Exception as error:
        raise RunError(
            f"the shared limit {name!r} can be neither read nor made: {type(error).__name__}: {error}. "
            f"Create it (prefect gcl create {name} --limit {size} --slot-decay-per-second ...) "
            "or unset run.shared_limit."
        ) from error
