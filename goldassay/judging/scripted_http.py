"""Just enough HTTP/1.1 for the scripted judge: POST in, JSON out, keep-alive. Loopback only, not for the open."""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus

from goldassay.judging.scripted_replies import Answer, Replies

__all__ = ["serve"]

_LARGEST_BODY = 64 * 1024 * 1024
_LARGEST_HEAD = 64 * 1024


async def serve(replies: Replies, host: str, port: int) -> asyncio.Server:
    """Listen; connections are answered until the server is closed."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        replies.writers.add(writer)
        try:
            while await _exchange(replies, reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the caller went away, or does not speak HTTP
        except asyncio.CancelledError:
            pass  # the server ends; asyncio would report a connection that ends cancelled as a fault
        finally:
            replies.writers.discard(writer)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    return await asyncio.start_server(connected, host, port, limit=_LARGEST_HEAD, backlog=4096)


async def _exchange(replies: Replies, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """One request and its answer; False when the connection has ended."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    method, target, _ = head.split("\r\n", 1)[0].split(" ", 2)
    names = dict(line.lower().split(":", 1) for line in head.split("\r\n")[1:] if ":" in line)
    length = int(names.get("content-length", "0"))
    if not 0 <= length <= _LARGEST_BODY:
        return False
    body = await reader.readexactly(length)
    if method != "POST" or not target.partition("?")[0].endswith("/chat/completions"):
        await _send(writer, Answer(404, b'{"error": {"message": "only POST /v1/chat/completions is served here"}}'))
        return True
    replies.in_flight += 1
    replies.in_flight_max = max(replies.in_flight_max, replies.in_flight)
    try:
        answer = replies.answer(body)
        if answer.delay_s:
            await asyncio.sleep(answer.delay_s)
    finally:
        replies.in_flight -= 1
    if not writer.is_closing():
        replies.sent(answer)
    return await _send(writer, answer)


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> bool:
    if answer.way == "reset":
        writer.transport.abort()
        return False
    lines = [
        f"HTTP/1.1 {answer.status} {_phrase(answer.status)}",
        f"content-type: {answer.content_type}",
        f"content-length: {len(answer.body)}",
        *(f"{name}: {value}" for name, value in answer.headers),
    ]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    if answer.way == "cut":
        writer.write(head + answer.body[: len(answer.body) // 2])
        return False
    writer.write(head + answer.body)
    await writer.drain()
    return True


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Status"
