"""One rate limit for several runs: permits leased from Prefect global concurrency limits, a second's worth at a time.

An acquire at the server costs about a tenth of a second, so it is never made for a single call. Within
the process the judge's own limiter smooths what was leased and learns from the server's refusals.

Requests are leased from the limit that `run.shared_limit` names, tokens from a second one named `<name>-tokens`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from prefect.concurrency.asyncio import ConcurrencySlotAcquisitionError, rate_limit

from goldassay.errors import ConfigError, RunError
from goldassay.judging.limits import AdaptiveLimiter, Ending, Limiter
from goldassay.judging.settings import JudgeConfig
from tasks.limits_server import TOKEN_BURST_S, Shared, lease_size, shared_limit
from tasks.retrying import is_machine

__all__ = ["LeasedLimiter", "Stock", "lease_size", "shared_limiter"]

Acquire = Callable[[int], Awaitable[None]]


class Stock:
    """Permits of one kind that were leased and not used yet."""

    def __init__(self, acquire: Acquire, *, size: int) -> None:
        """Set it up.

        Args:
            acquire: Waits until so many permits are granted.
            size: Permits of one lease, >= 1.
        """
        self._acquire, self._size = acquire, size
        self._left = 0.0
        self._turn = asyncio.Lock()

    async def take(self, permits: int) -> None:
        """Wait for so many permits; one lease at a time, the others wait for it instead of asking too."""
        async with self._turn:
            while self._left < permits:
                await self._acquire(self._size)
                self._left += self._size
            self._left -= permits

    def give(self, permits: float) -> None:
        """Give back what was not used, never more than a lease: unused permits do not pile up."""
        self._left = min(self._left + permits, float(max(self._size, self._left)))


class LeasedLimiter:
    """A limiter whose permits come from elsewhere, some at a time."""

    def __init__(self, local: Limiter, acquire: Acquire, *, size: int, tokens: Stock | None = None) -> None:
        """Set it up.

        Args:
            local: Smooths and learns within this process.
            acquire: Waits until so many permits are granted.
            size: Permits of one lease, >= 1.
            tokens: Where tokens are leased; None: they are not shared.
        """
        self._local, self._requests, self._tokens = local, Stock(acquire, size=size), tokens

    async def acquire(self, tokens: int) -> None:
        """Wait until one request of about so many tokens may go out."""
        await self._requests.take(1)
        if self._tokens is not None:
            await self._tokens.take(tokens)
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
        """Say how the request ended; its permit is spent however it ends, tokens it did not use come back."""
        if self._tokens is not None and tokens_used is not None:
            self._tokens.give(tokens - tokens_used)
        self._local.release(ending, tokens=tokens, tokens_used=tokens_used, headers=headers, wait_s=wait_s)


@contextlib.asynccontextmanager
async def shared_limiter(
    config: JudgeConfig, name: str | None, *, say: Callable[[str], object] = print
) -> AsyncIterator[Limiter | None]:
    """The limiter for one shard: leased where `run.shared_limit` names a limit, else that of the process (None).

    Args:
        config: Its rates are those that are shared.
        name: Of the limit.
        say: Told when a limit on the server differs from the settings.

    Raises:
        ConfigError: If a name is set without requests_per_minute, or the limit cannot be used as it is.
        RunError: If the limit cannot be made or read: the run stops before its first call.
    """
    if name is None or config.provider == "lexical":
        yield None
        return
    if config.requests_per_minute is None:
        raise ConfigError(f"run.shared_limit = {name!r} needs judge.requests_per_minute: the rate that is shared.")
    requests = await shared_limit(name, config.requests_per_minute, say=say)
    tokens: Stock | None = None
    if config.tokens_per_minute is not None:
        shared = await shared_limit(f"{name}-tokens", config.tokens_per_minute, burst_s=TOKEN_BURST_S, say=say)
        tokens = Stock(_acquire_of(shared), size=shared.lease)
    yield LeasedLimiter(AdaptiveLimiter(config), _acquire_of(requests), size=requests.lease, tokens=tokens)


def _acquire_of(shared: Shared) -> Acquire:
    async def acquire(permits: int) -> None:
        try:
            # strict: a limit that was removed meanwhile is an error; Prefect's default is to let everything through.
            await rate_limit(shared.name, occupy=permits, strict=True)
        except ConcurrencySlotAcquisitionError as error:
            if error.__cause__ is not None and is_machine(error.__cause__):
                raise error.__cause__ from None  # the server is away or busy for a moment: the shard is tried again
            if permits > 1:  # the limit was lowered meanwhile: it may still hold smaller leases
                await acquire(permits // 2)
                await acquire(permits - permits // 2)
                return
            raise RunError(
                f"the shared limit {shared.name!r} grants no permits any more: {error}. Was it removed or changed? "
                "Run the same command again: it is made anew, and nothing paid for is lost."
            ) from error

    return acquire
