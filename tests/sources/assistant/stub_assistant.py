"""A stub assistant over real HTTP on loopback, which misbehaves as a question asks it to."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

FAULT = re.compile(r"(429|400|401|5\d\d|cut|echo|garbage|huge|mute|slow)x(\d+) ")


class StubAssistant(ThreadingHTTPServer):
    """Serves until the `with` block ends; a question may begin with a fault and a count: '429x2 How much?'."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: Counter[str] = Counter()
        self.bodies: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/ask"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()

    def handle_error(self, *_: object) -> None:
        """A client that was killed or gave up is the point of some tests."""

    def fault_for(self, question: str) -> str | None:
        """The fault this request meets, by how often the question came."""
        self.seen[question] += 1
        match = FAULT.match(question)
        return match[1] if match is not None and self.seen[question] <= int(match[2]) else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StubAssistant

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        self.server.headers.append(dict(self.headers))
        self.server.times.append(time.monotonic())
        question = body.get("question") or body["messages"][-1]["content"]
        fault = self.server.fault_for(question)
        if fault is None:
            self._good(question)
        elif fault.isdecimal():
            self._send(int(fault), {"error": f"status {fault}"}, wait="0.05" if fault == "429" else None)
        else:
            getattr(self, f"_{fault}")(question)

    def _good(self, question: str) -> None:
        sources = [{"id": "D1", "text": f"About {question}"}]
        self._send(200, {"answer": f"It is so: {question} [D1].", "sources": sources})

    def _garbage(self, question: str) -> None:
        self._send(200, b"<html>Bad gateway</html>")

    def _mute(self, question: str) -> None:
        self._send(200, {"note": "no answer in here"})

    def _slow(self, question: str) -> None:
        time.sleep(1.0)
        self._good(question)

    def _echo(self, question: str) -> None:
        self._send(400, {"you sent": dict(self.headers)})

    def _huge(self, question: str) -> None:
        self._send(200, b'{"answer": "' + b"x" * (2 << 20) + b'"}')

    def _cut(self, question: str) -> None:
        self.send_response(200)
        self.send_header("content-length", "5000")
        self.end_headers()
        self.wfile.write(b'{"answer": "It is')
        self.wfile.flush()
        self.close_connection = True

    def _send(self, status: int, value: Any, *, wait: str | None = None) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        if wait is not None:
            self.send_header("retry-after", wait)
        self.end_headers()
        try:
            self.wfile.write(data)
        except ConnectionError:
            self.close_connection = True  # the client gave up waiting

    def log_message(self, *_: object) -> None:
        """Quiet."""
