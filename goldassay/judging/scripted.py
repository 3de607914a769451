"""A judge server for demos and tests: loopback only, OpenAI chat completions, no model.

    with ScriptedJudge({"refund": {"faithful": 5, "reason": "..."}}) as judge:
        ...  # base_url=judge.base_url

It answers from a script, else from a lexical reading of the prompt. It can misbehave on
request (429, 500, garbage, cut, slow, reset, ...) and counts what it was paid for.
Also: python -m goldassay.judging.scripted --port 0 --script file.json
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from goldassay.judging.scripted_http import serve
from goldassay.judging.scripted_replies import Replies

__all__ = ["ScriptedJudge", "main"]

Script = Sequence[Any] | Mapping[str, Any]


class ScriptedJudge:
    """The server, running in a thread of its own between `with` and its end."""

    def __init__(
        self,
        script: Script | None = None,
        *,
        faults: Mapping[str, float] | Sequence[str | None] | None = None,
        latency_s: float = 0.0,
        rate_per_s: float | None = None,
        model: str = "scripted-judge",
        host: str = "127.0.0.1",
        port: int = 0,
        seed: int = 1,
    ) -> None:
        """Set it up; nothing listens yet.

        Args:
            script: Replies keyed by a part of the question (or of the whole record), or replies in turn; text is
                sent as it is, anything else as JSON. None: a lexical reading of the prompt.
            faults: Share of calls per fault, or the fault of each call in turn (None: none). Faults: '429', '500',
                'garbage', 'cut', 'truncated', 'slow', 'reset', 'empty', 'html', or any other status.
            latency_s: Time until a reply.
            rate_per_s: Calls a second; above it 429 with Retry-After and x-ratelimit headers. None: no limit.
            model: Name that replies report.
            host: Loopback address to listen on.
            port: 0: any free one.
            seed: For which calls meet a fault.
        """
        self.replies = Replies(
            script, faults=faults, latency_s=latency_s, rate_per_s=rate_per_s, model=model, seed=seed
        )
        self._host, self._port = host, port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._error: OSError | None = None

    @property
    def base_url(self) -> str:
        """What judge.base_url must be."""
        return f"http://{self._host}:{self._port}/v1"

    @property
    def calls(self) -> int:
        """Requests that arrived."""
        return self.replies.calls

    @property
    def paid(self) -> int:
        """Replies with status 200 and usage: a provider would bill them."""
        return self.replies.paid

    @property
    def paid_twice(self) -> int:
        """Paid replies to a request that had been paid for before."""
        return self.replies.paid_twice

    @property
    def in_flight_max(self) -> int:
        """Most requests held at once."""
        return self.replies.in_flight_max

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, name="scripted-judge", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(timeout=10)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            server = await serve(self.replies, self._host, self._port)
        except OSError as error:
            self._error = error
            self._ready.set()
            return
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        self.replies.close_connections()
        await server.wait_closed()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; the first line printed is the address."""
    parser = argparse.ArgumentParser(prog="goldassay.judging.scripted", description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--script", type=Path, help="JSON file: replies by a part of the question, or a list")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds until a reply")
    parser.add_argument("--rate", type=float, help="calls a second; above it 429")
    parser.add_argument("--fault", action="append", default=[], metavar="KIND=SHARE", help="e.g. 429=0.05")
    parsed = parser.parse_args(arguments)
    script = json.loads(parsed.script.read_text(encoding="utf-8")) if parsed.script else None
    faults = {kind: float(share) for kind, _, share in (fault.partition("=") for fault in parsed.fault)}
    judge = ScriptedJudge(
        script, faults=faults, latency_s=parsed.latency, rate_per_s=parsed.rate, host=parsed.host, port=parsed.port
    )
    with judge:
        sys.stdout.write(judge.base_url + "\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0  # pragma: no cover - waits for ever


if __name__ == "__main__":
    raise SystemExit(main())
