"""What the scripted judge says to a request, which fault it meets, and what is counted."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from goldassay.judging.lexical import read_sections, reply_for

__all__ = ["Answer", "Replies"]

_GARBAGE = "Looks fine to me."
_SLOW_S = 10.0
_CHARS_PER_TOKEN = 4


class Answer(NamedTuple):
    """What goes back, and how."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0
    way: str = "whole"
    """'whole'; 'cut': half the body, then the end; 'reset': the end at once."""
    content_type: str = "application/json"
    key: bytes = b""


class Replies:
    """The mind of the scripted judge; used by one event loop."""

    def __init__(
        self,
        script: Sequence[Any] | Mapping[str, Any] | None,
        *,
        faults: Mapping[str, float] | Sequence[str | None] | None,
        latency_s: float,
        rate_per_s: float | None,
        model: str,
        seed: int,
    ) -> None:
        self.script, self.faults, self.latency_s, self.rate_per_s = script, faults or {}, latency_s, rate_per_s
        self.model, self.seed = model, seed
        self.calls = self.paid = self.paid_twice = self.in_flight = self.in_flight_max = 0
        self.bodies: list[dict[str, Any]] = []
        """The last 1,000 request bodies, for looking at what was sent."""
        self.writers: set[asyncio.StreamWriter] = set()
        self._times_seen: dict[bytes, int] = {}
        self._paid_for: set[bytes] = set()
        self._turn = 0
        self._level, self._level_at = rate_per_s or 0.0, time.monotonic()

    def close_connections(self) -> None:
        """Hang up on everybody."""
        for writer in list(self.writers):
            writer.close()

    def answer(self, raw: bytes) -> Answer:
        """The answer to one request body."""
        self.calls += 1
        key = hashlib.sha256(raw).digest()[:16]
        seen = self._times_seen.get(key, 0)
        self._times_seen[key] = seen + 1
        try:
            body = json.loads(raw)
            prompt = _prompt(body)
        except (ValueError, TypeError, AttributeError, KeyError):
            return Answer(400, _error("the body is no chat completion", "invalid_request_error"))
        self.bodies = [*self.bodies[-999:], body]
        wait = self._over_rate()
        if wait is not None:
            return Answer(429, _error("too many requests", "requests"), (*_retry_after(wait), *self._rate_headers()))
        fault = self._fault(key, seen)
        return self._faulty(fault, body, prompt, key) if fault else self._reply(body, prompt, key)

    def sent(self, answer: Answer) -> None:
        """Count an answer that went out."""
        if answer.status == 200 and answer.way != "reset" and answer.content_type == "application/json":
            self.paid += 1
            self.paid_twice += answer.key in self._paid_for
            self._paid_for.add(answer.key)

    def _reply(self, body: dict[str, Any], prompt: str, key: bytes, *, text: str | None = None) -> Answer:
        content = self._text(body, prompt) if text is None else text
        return Answer(
            200,
            self._completion(prompt, content, "stop", key),
            self._rate_headers(),
            delay_s=self.latency_s,
            key=key,
        )

    def _faulty(  # noqa: PLR0911 - one line a fault
        self, fault: str, body: dict[str, Any], prompt: str, key: bytes
    ) -> Answer:
        if fault == "garbage":
            return self._reply(body, prompt, key, text=_GARBAGE)
        if fault == "truncated":
            text = self._text(body, prompt)
            return Answer(200, self._completion(prompt, text[: len(text) // 2], "length", key), key=key)
        if fault == "empty":
            return Answer(200, json.dumps({"id": "x", "choices": [], "usage": {}}).encode(), key=key)
        if fault == "html":
            return Answer(200, b"<html>Please sign in</html>", content_type="text/html")
        whole = self._reply(body, prompt, key)
        if fault in {"cut", "reset"}:
            return whole._replace(way=fault)
        if fault == "slow":
            return whole._replace(delay_s=whole.delay_s + _SLOW_S)
        status = int(fault)
        headers = _retry_after(1.0) if status in {429, 503, 529} else ()
        kind = "requests" if status == 429 else "server_error" if status >= 500 else "invalid_request_error"
        return Answer(status, _error(f"injected {status}", kind), headers, delay_s=self.latency_s)

    def _text(self, body: dict[str, Any], prompt: str) -> str:
        sections = read_sections(prompt)
        scripted = self._from_script(prompt, sections.question)
        if scripted is None:
            return reply_for(sections, _schema(body))
        return scripted if isinstance(scripted, str) else json.dumps(scripted, ensure_ascii=False)

    def _from_script(self, prompt: str, question: str) -> Any:
        """By the question first, so that a word in a source does not decide; then by the whole prompt."""
        if self.script is None:
            return None
        if isinstance(self.script, Mapping):
            for text in (question, prompt):
                for part, reply in self.script.items():
                    if part in text:
                        return reply
            return None
        reply = self.script[self._turn % len(self.script)]
        self._turn += 1
        return reply

    def _completion(self, prompt: str, text: str, finish: str, key: bytes) -> bytes:
        tokens_in, tokens_out = len(prompt) // _CHARS_PER_TOKEN, len(text) // _CHARS_PER_TOKEN + 1
        message = {"role": "assistant", "content": text, "refusal": None}
        completion = {
            "id": "chatcmpl-" + key.hex()[:12],
            "object": "chat.completion",
            "created": 0,
            "model": self.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
                "prompt_tokens_details": {"cached_tokens": 0},
            },
        }
        return json.dumps(completion, ensure_ascii=False).encode("utf-8", "surrogatepass")

    def _fault(self, key: bytes, seen: int) -> str | None:
        """By hash of body and number of the try, so that a retry can succeed and a run can be repeated."""
        if isinstance(self.faults, Mapping):
            digest = hashlib.sha256(f"{self.seed} {seen} ".encode() + key).digest()
            point, edge = int.from_bytes(digest[:8]) / 2**64, 0.0
            for kind, share in self.faults.items():
                edge += share
                if point < edge:
                    return kind
            return None
        return self.faults[self.calls - 1] if self.calls <= len(self.faults) else None

    def _over_rate(self) -> float | None:
        if self.rate_per_s is None:
            return None
        now = time.monotonic()
        self._level = min(max(1.0, self.rate_per_s), self._level + (now - self._level_at) * self.rate_per_s)
        self._level_at = now
        if self._level < 1:
            return (1 - self._level) / self.rate_per_s
        self._level -= 1
        return None

    def _rate_headers(self) -> tuple[tuple[str, str], ...]:
        if self.rate_per_s is None:
            return ()
        limit = max(1.0, self.rate_per_s)
        return (
            ("x-ratelimit-limit-requests", str(int(limit))),
            ("x-ratelimit-remaining-requests", str(int(self._level))),
            ("x-ratelimit-reset-requests", f"{int((limit - self._level) / self.rate_per_s * 1000)}ms"),
        )


def _schema(body: dict[str, Any]) -> dict[str, Any] | None:
    try:
        schema = body["response_format"]["json_schema"]["schema"]
    except (KeyError, TypeError):
        return None
    return schema if isinstance(schema, dict) else None


def _prompt(body: dict[str, Any]) -> str:
    return "\n\n".join(_content(message["content"]) for message in body["messages"])


def _content(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _retry_after(seconds: float) -> tuple[tuple[str, str], ...]:
    return (("retry-after", str(max(1, math.ceil(seconds)))),)


def _error(message: str, kind: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": kind, "param": None, "code": None}}).encode()
