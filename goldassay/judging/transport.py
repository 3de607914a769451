"""What carries the calls: httpx's transport seam over the fastest pool that was measured.

httpx's own pool walks every connection for every request: at 100 in flight it takes
eight times the ideal time. aiohttp's connector does not, so it stands behind the
seam. The seam is used bare: a client around it costs a third of a call's CPU for cookies,
redirects and hooks that a judge has no use for. HTTP/2 is httpx's alone: there the calls
are spread over several small pools.
"""

from __future__ import annotations

import itertools
import ssl
from types import TracebackType
from typing import Self

import httpx
from httpx_aiohttp import AiohttpTransport

from goldassay.judging.settings import JudgeConfig

__all__ = ["SpreadTransport", "open_transport", "timeouts"]

_CONNECTIONS_PER_POOL = 12
"""Measured: httpx's pool costs 1.1 ms a call with 12 connections and 16 ms with 100."""
_CONNECT_TIMEOUT_S = 15.0
_KEEPALIVE_S = 30.0
"""Shorter than the usual idle limit of servers and balancers (60 s), which close without a word."""


class SpreadTransport(httpx.AsyncBaseTransport):
    """Several small pools, taken in turn."""

    def __init__(self, pools: list[httpx.AsyncBaseTransport]) -> None:
        self._pools = pools
        self._turn = itertools.cycle(pools)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send by the next pool."""
        return await next(self._turn).handle_async_request(request)

    async def __aenter__(self) -> Self:
        for pool in self._pools:
            await pool.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        for pool in self._pools:
            await pool.__aexit__(exc_type, exc_value, traceback)


def open_transport(config: JudgeConfig) -> httpx.AsyncBaseTransport:
    """A pool for one event loop and one run; close it with `async with`.

    It holds as many connections as calls may be in flight, so no call queues for one: a
    queue here would never be the judge's fault. Redirects are not followed, no cookies are
    kept and no environment is read.
    """
    verify = ssl.create_default_context(cafile=config.ca_file) if config.ca_file else True
    proxy = httpx.Proxy(config.proxy) if config.proxy else None
    if not config.http2:
        limits = httpx.Limits(max_connections=config.max_in_flight, keepalive_expiry=_KEEPALIVE_S)
        return AiohttpTransport(verify=verify, trust_env=False, limits=limits, proxy=proxy)
    pools = -(-config.max_in_flight // _CONNECTIONS_PER_POOL)
    limits = httpx.Limits(
        max_connections=_CONNECTIONS_PER_POOL,
        max_keepalive_connections=_CONNECTIONS_PER_POOL,
        keepalive_expiry=_KEEPALIVE_S,
    )
    return SpreadTransport(
        [
            httpx.AsyncHTTPTransport(verify=verify, http2=True, trust_env=False, limits=limits, proxy=proxy)
            for _ in range(pools)
        ]
    )


def timeouts(config: JudgeConfig) -> dict[str, float | None]:
    """Time limits of one request, as httpx's transports take them; none for waiting in the pool."""
    connect = min(_CONNECT_TIMEOUT_S, config.timeout_s)
    return {"connect": connect, "read": config.timeout_s, "write": config.timeout_s, "pool": None}
