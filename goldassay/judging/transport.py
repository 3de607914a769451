"""Connections: time limits, and the pools of httpx that HTTP/2 needs.

httpx's own pool walks every connection for every request: at 100 in flight it takes
eight times the ideal time. So HTTP/1.1 goes over aiohttp (`goldassay.judging.wire`), and
HTTP/2, which is httpx's alone, is spread over several small pools.
"""

from __future__ import annotations

import itertools
import logging
from types import TracebackType
from typing import Self

import httpx

from goldassay.judging.addresses import proxy_of, ssl_context
from goldassay.judging.settings import JudgeConfig

__all__ = ["KEEPALIVE_S", "SpreadTransport", "open_transport", "timeouts"]

_CONNECTIONS_PER_POOL = 12
"""Measured: httpx's pool costs 1.1 ms a call with 12 connections and 16 ms with 100."""
_CONNECT_TIMEOUT_S = 15.0
KEEPALIVE_S = 30.0
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
    """Pools for HTTP/2, enough for all calls in flight; close them with `async with`."""
    _hush_hpack()
    verify = ssl_context(config)
    proxy = proxy_of(config)
    pools = -(-config.max_in_flight // _CONNECTIONS_PER_POOL)
    limits = httpx.Limits(
        max_connections=_CONNECTIONS_PER_POOL,
        max_keepalive_connections=_CONNECTIONS_PER_POOL,
        keepalive_expiry=KEEPALIVE_S,
    )
    return SpreadTransport(
        [
            httpx.AsyncHTTPTransport(verify=verify, http2=True, trust_env=False, limits=limits, proxy=proxy)
            for _ in range(pools)
        ]
    )


def _hush_hpack() -> None:
    """Keep the key out of debug logs: HTTP/2's header packer writes each header there, name and value.

    Only where nobody set a level for it: whoever does so on purpose debugs the packer itself.
    """
    packer = logging.getLogger("hpack")
    if packer.level == logging.NOTSET:
        packer.setLevel(logging.WARNING)


def timeouts(config: JudgeConfig) -> dict[str, float | None]:
    """Time limits of one request, as httpx's transports take them; none for waiting in the pool."""
    connect = min(_CONNECT_TIMEOUT_S, config.timeout_s)
    return {"connect": connect, "read": config.timeout_s, "write": config.timeout_s, "pool": None}
