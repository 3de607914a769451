"""Carries one request to the judge and brings the answer back; what stands in either is none of its business.

aiohttp's session does it: bare, its connector does not walk all connections for every request as
httpx's pool does (eight times the ideal time at 100 in flight), and it makes no second set of request
and response objects. HTTP/2, which aiohttp does not speak, goes over httpx's transports, and so does
every transport that is handed in, for tests. Errors are httpx's on both ways: there is one list to read.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import NamedTuple, Protocol, Self

import aiohttp
import httpx

from goldassay.judging.addresses import judge_url, proxy_of, ssl_context
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.transport import KEEPALIVE_S, open_transport, timeouts

__all__ = ["AiohttpWire", "HttpAnswer", "HttpxWire", "Wire", "open_wire"]

_LONGEST_BODY = 32 << 20
"""Bytes, unpacked; the longest reply of a judge with all its thinking is a hundredth of it."""
_LONGEST_HEADER = 64 << 10
"""Bytes; gateways put whole policies into one, and a reply is not worth losing for it."""
_CHARSET = re.compile(r"charset=[\"']?([\w.:-]{1,40})", re.IGNORECASE)


class HttpAnswer(NamedTuple):
    """A response that was read to its end."""

    status: int
    headers: Mapping[str, str]
    """Names are looked up in any case."""
    content: bytes

    @property
    def text(self) -> str:
        """The body as text, whatever it holds."""
        named = _CHARSET.search(self.headers.get("content-type", ""))
        try:
            return self.content.decode(named[1] if named else "utf-8", "replace")
        except (LookupError, ValueError):
            return self.content.decode("utf-8", "replace")


class Wire(Protocol):
    """A way to one address, open between `async with`."""

    async def post(self, body: bytes) -> HttpAnswer:
        """Send a body and read the whole answer.

        Raises:
            httpx.HTTPError: If there is no answer, or only a part of one.
        """
        ...

    async def __aenter__(self) -> Self:
        """Open it."""
        ...

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close all connections."""
        ...


def open_wire(
    config: JudgeConfig, url: str, headers: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None
) -> Wire:
    """A wire for one event loop and one run.

    It holds as many connections as calls may be in flight, so no call queues for one: a
    queue here would never be the judge's fault. Redirects are not followed, no cookies are
    kept and no environment is read.

    Args:
        config: Connections, time limits, proxy and certificates.
        url: Where every request goes.
        headers: Of every request.
        transport: Used instead of the network.

    Raises:
        ConfigError: If the address, the proxy or the file of authorities is none.
    """
    address = judge_url(url, config)
    if transport is not None or config.http2:
        return HttpxWire(config, address, headers, transport or open_transport(config))
    return AiohttpWire(config, address, headers)


class HttpxWire:
    """Over one of httpx's transports: a client around it costs a third of a call for cookies, redirects and hooks."""

    def __init__(
        self, config: JudgeConfig, url: httpx.URL, headers: Mapping[str, str], transport: httpx.AsyncBaseTransport
    ) -> None:
        self._transport = transport
        self._url = url
        self._headers = httpx.Headers({"host": self._url.netloc.decode("ascii"), **headers}).raw
        self._extensions = {"timeout": timeouts(config)}

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._transport.__aexit__(exc_type, exc, traceback)

    async def post(self, body: bytes) -> HttpAnswer:
        """Send and read."""
        request = httpx.Request("POST", self._url, headers=self._headers, content=body, extensions=self._extensions)
        response = await self._transport.handle_async_request(request)
        try:
            content = await _bounded(response.aiter_bytes())
        except BaseException:
            await response.aclose()  # else its connection is lost to the pool for ever
            raise
        return HttpAnswer(response.status_code, response.headers, content)


class _SilentConnector(aiohttp.TCPConnector):
    """Gives out kept connections only where the server has said nothing since its last answer.

    What it says unasked would be read as the answer to the next request: a verdict on another record.
    """

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[aiohttp.tracing.Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's own way to say it
    ) -> aiohttp.connector.Connection:
        """A connection with nothing on it."""
        while True:
            connection = await super().connect(req, traces, timeout)
            if not getattr(connection.protocol, "_buffer", None):  # where messages wait that nobody has read
                return connection
            connection.close()


class AiohttpWire:
    """Over aiohttp's connector."""

    _session: aiohttp.ClientSession

    def __init__(self, config: JudgeConfig, url: httpx.URL, headers: Mapping[str, str]) -> None:
        self._config = config
        self._url = str(url)
        self._headers = dict(headers)
        limits = timeouts(config)
        self._timeout = aiohttp.ClientTimeout(sock_connect=limits["connect"], sock_read=limits["read"])
        self._proxy = proxy_of(config)
        is_plain = self._proxy is None and url.scheme == "http"
        self._ssl = True if is_plain else ssl_context(config)  # certificates take 40 ms to load

    async def __aenter__(self) -> Self:
        proxy = self._proxy
        self._session = aiohttp.ClientSession(
            connector=_SilentConnector(
                limit=self._config.max_in_flight,
                keepalive_timeout=KEEPALIVE_S,
                ssl=self._ssl,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            timeout=self._timeout,
            trust_env=False,
            max_line_size=_LONGEST_HEADER,
            max_field_size=_LONGEST_HEADER,
            proxy=str(proxy.url) if proxy else None,
            proxy_auth=aiohttp.BasicAuth(*proxy.auth) if proxy and proxy.auth else None,
        )
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._session.close()

    async def post(self, body: bytes) -> HttpAnswer:
        """Send and read."""
        try:
            async with self._session.post(self._url, data=body, allow_redirects=False) as response:
                return HttpAnswer(response.status, response.headers, await _bounded(response.content.iter_any()))
        except (aiohttp.ClientError, OSError) as error:
            raise _as_httpx(error) from error


async def _bounded(chunks: AsyncIterator[bytes]) -> bytes:
    """All of a body, unless it does not end: a page of a gigabyte, or one that unpacks to it, is no reply.

    Raises:
        httpx.ReadError: If it is longer than any reply.
    """
    parts, size = [], 0
    async for chunk in chunks:
        size += len(chunk)
        if size > _LONGEST_BODY:
            raise httpx.ReadError(f"the response is longer than {_LONGEST_BODY >> 20} MiB")
        parts.append(chunk)
    return b"".join(parts)


def _as_httpx(error: aiohttp.ClientError | OSError) -> httpx.TransportError:
    """The same mishap in httpx's words."""
    kind: type[httpx.TransportError] = httpx.NetworkError
    if isinstance(error, TimeoutError):
        kind = httpx.ConnectTimeout if isinstance(error, aiohttp.ConnectionTimeoutError) else httpx.ReadTimeout
    elif isinstance(error, aiohttp.ClientHttpProxyError | aiohttp.ClientProxyConnectionError):
        kind = httpx.ProxyError
    elif isinstance(error, aiohttp.ClientConnectorError):
        kind = httpx.ConnectError
    elif isinstance(error, aiohttp.ClientPayloadError | aiohttp.ClientConnectionError):
        kind = httpx.ReadError
    elif isinstance(error, aiohttp.ClientResponseError):
        kind = httpx.RemoteProtocolError
    return kind(str(error))
