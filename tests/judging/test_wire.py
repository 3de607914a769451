"""The way to the judge, over real sockets on loopback: what is sent, what is read, how mishaps are named."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator

import httpx
import pytest

from goldassay.errors import ConfigError
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.wire import HttpAnswer, open_wire

SEEN: list[bytes] = []


@contextlib.asynccontextmanager
async def replying(raw: bytes, *, keep: bool = False) -> AsyncIterator[str]:
    """A server that says the same bytes to every request, then hangs up."""
    SEEN.clear()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        done = asyncio.Event()
        ends.append(done)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                SEEN.append(head + await reader.readexactly(length))
                writer.write(raw)
                await writer.drain()
                if not keep:
                    break
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        done.set()

    ends: list[asyncio.Event] = []
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        for end in ends:
            await end.wait()


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """A response with its length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


async def post(url: str, *, times: int = 1, **settings: float | bool) -> HttpAnswer:
    """The last answer to so many requests over one wire."""
    config = JudgeConfig(base_url=url, **settings)
    async with open_wire(config, url + "/chat", {"content-type": "application/json", "x-key": "k"}) as wire:
        for _ in range(times):
            answer = await wire.post(b'{"a": 1}')
    return answer


async def test_a_request_goes_out_with_its_headers_and_the_answer_comes_back_whole() -> None:
    """Names of headers are found in any case."""
    async with replying(http(b"{}", "X-Request-Id: r1")) as url:
        answer = await post(url)

    assert (answer.status, answer.content, answer.headers.get("x-request-id")) == (200, b"{}", "r1")
    assert SEEN[0].startswith(b"POST /v1/chat HTTP/1.1\r\n")
    assert b"x-key: k\r\n" in SEEN[0].lower()
    assert SEEN[0].endswith(b'{"a": 1}')


async def test_one_connection_serves_many_and_no_cookie_is_kept() -> None:
    """Calls in a row meet an open connection, and nothing of one answer goes into the next request."""
    async with replying(http(b"{}", "Set-Cookie: s=1"), keep=True) as url:
        await post(url.replace("127.0.0.1", "localhost"), times=3)

    assert len(SEEN) == 3
    assert not any(b"cookie" in request.lower() for request in SEEN)


async def test_a_packed_answer_is_unpacked() -> None:
    """Servers and proxies pack what is large."""
    async with replying(http(gzip.compress(b'{"ok": 1}'), "Content-Encoding: gzip")) as url:
        assert (await post(url)).content == b'{"ok": 1}'


@pytest.mark.parametrize("http2", [False, True])
@pytest.mark.parametrize("zipped", [False, True])
async def test_an_answer_that_does_not_end_is_given_up(*, http2: bool, zipped: bool) -> None:
    """A body of many megabytes, or a small one that unpacks to them, does not fill the memory."""
    body = b" " * (33 << 20)
    raw = http(gzip.compress(body), "Content-Encoding: gzip") if zipped else http(body)

    async with replying(raw) as url:
        with pytest.raises(httpx.TransportError, match="longer than 32 MiB"):
            await post(url, http2=http2)


@pytest.mark.parametrize("raw", [http(b"{}"), http(b"{}", status="429 Too Many Requests")])
async def test_what_a_server_says_unasked_is_no_answer_to_the_next_request(raw: bytes) -> None:
    """A second response behind the first would be read as the verdict on another record."""
    async with replying(raw + http(b'{"smuggled": 1}'), keep=True) as url:
        config = JudgeConfig(base_url=url)
        async with open_wire(config, url, {}) as wire:
            answers = [await wire.post(b"{}")]
            await asyncio.sleep(0.05)  # what came late has arrived on the connection that is kept
            answers.append(await wire.post(b"{}"))

    assert [answer.content for answer in answers] == [b"{}", b"{}"]


async def test_what_a_server_says_late_on_a_kept_connection_is_no_answer_either() -> None:
    """It comes when the connection has been given back: such a one is not used again."""
    asked = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await reader.readuntil(b"\r\n\r\n{}")
                asked += 1
                writer.write(http(b'{"n": %d}' % asked))
                await writer.drain()
                await asyncio.sleep(0.01)
                writer.write(http(b'{"smuggled": %d}' % asked))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        async with open_wire(JudgeConfig(base_url=url), url, {}) as wire:
            answers = []
            for _ in range(3):
                answers.append((await wire.post(b"{}")).content)
                await asyncio.sleep(0.1)

    assert answers == [b'{"n": 1}', b'{"n": 2}', b'{"n": 3}']


async def test_a_long_header_costs_no_reply() -> None:
    """Gateways put whole policies into one."""
    async with replying(http(b"{}", "Content-Security-Policy: " + "a" * 50_000)) as url:
        assert (await post(url)).content == b"{}"


async def test_a_redirect_is_not_followed() -> None:
    """A key goes to the address it was meant for."""
    async with replying(http(b"", "Location: http://127.0.0.1:1/", status="302 Found")) as url:
        assert (await post(url)).status == 302


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\r\n",
        http(b"no gzip at all", "Content-Encoding: gzip"),
        b"not HTTP\r\n\r\n",
    ],
    ids=["hung up", "cut", "cut chunk", "broken gzip", "not http"],
)
async def test_half_an_answer_is_no_answer(raw: bytes) -> None:
    """Each is a mishap on the way, never a reply."""
    async with replying(raw) as url:
        with pytest.raises(httpx.TransportError) as caught:
            await post(url)

    assert not isinstance(caught.value, httpx.TimeoutException)


async def test_nobody_listening_and_nobody_answering_are_told_apart() -> None:
    """One is worth looking at the address, the other at the time limit."""
    async with replying(http(b"{}")) as url:
        pass
    with pytest.raises(httpx.ConnectError):
        await post(url)

    async with replying(b"", keep=True) as url:
        with pytest.raises(httpx.ReadTimeout):
            await post(url, timeout_s=0.2)


async def test_an_address_of_another_kind_is_refused() -> None:
    """Nothing is sent anywhere."""
    with pytest.raises(ConfigError, match="no address"):
        await post("ftp://127.0.0.1:9")


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/html; charset=latin-1", "für".encode("latin-1"), "für"),
        ("text/html", "für".encode(), "für"),
        ("text/html; charset=unheard-of", "für".encode(), "für"),
        ("text/html; charset=ascii", b"f\xfcr", "f\ufffdr"),
    ],
)
def test_a_page_is_read_in_its_own_letters(kind: str, body: bytes, text: str) -> None:
    """An error message of a proxy can be read, and none breaks the run."""
    assert HttpAnswer(502, {"content-type": kind}, body).text == text
