"""The HTTP client that carries the calls: one httpx.AsyncClient over the fastest pool that was measured.

httpx's own pool walks every connection for every request: at 100 in flight it takes
eight times the ideal time. aiohttp's connector does not, so it stands behind httpx's
transport seam. HTTP/2 is httpx's alone: there the calls are spread over several small pools.
"""

from __future__ import annotations

import itertools
import ssl
from types import TracebackType
from typing import Self

import httpx
from httpx_aiohttp import AiohttpTransport

from goldassay.judging.settings import JudgeConfig

__all__ = ["SpreadTransport", "open_client"]

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


def open_client(config: JudgeConfig, transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """A client for one event loop and one run; close it with `async with`.

    The pool holds at least as many connections as calls may be in flight, and waiting
    for a connection has no time limit of its own: a queue here is never the judge's fault.
    """
    timeout = httpx.Timeout(config.timeout_s, connect=min(_CONNECT_TIMEOUT_S, config.timeout_s), pool=None)
    return httpx.AsyncClient(
        transport=transport or _transport(config), timeout=timeout, trust_env=False, follow_redirects=False
    )


def _transport(config: JudgeConfig) -> httpx.AsyncBaseTransport:
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
