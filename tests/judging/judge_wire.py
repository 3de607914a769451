"""Shared by the tests of the judge's client side: items, a small rubric, virtual time, a counting transport."""

from __future__ import annotations

import asyncio
import datetime as dt
import heapq
import itertools
import json
from collections.abc import Callable
from typing import Any

import httpx

from goldassay.judging.prompt import JudgeItem
from goldassay.judging.rubric import load_rubric
from goldassay.judging.rubric_model import Rubric
from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.verdicts import RunStamp

STAMP = RunStamp("run-1", "nightly", dt.datetime(2026, 9, 1, tzinfo=dt.UTC))
GOOD = '{"reason": "ok", "score": 4, "category": "none"}'


def one_criterion() -> Rubric:
    """The shipped rubric's criterion `faithful` alone: one call a record."""
    rubric = load_rubric("rag")
    return rubric.model_copy(update={"criteria": rubric.criteria[:1]})


def item(number: int = 0, *, source: str = "Parcels can be returned within 30 days.", **record: Any) -> JudgeItem:
    """A record of its own question."""
    fields = {
        "record_id": f"r{number}",
        "question": f"How long may I keep parcel {number}?",
        "answer": "30 days [1].",
        "sources": (Source(id="1", text=source),),
        **record,
    }
    return JudgeItem(AnswerRecord(**fields))


def items(count: int) -> list[JudgeItem]:
    """So many records."""
    return [item(number) for number in range(count)]


def in_stratum(number: int, stratum: str) -> JudgeItem:
    """A record whose golden question belongs to a stratum."""
    golden = GoldenQuestion(question_id=f"q{number}", question="?", stratum=stratum)
    return JudgeItem(item(number).record, golden)


def completion(text: str = GOOD, *, finish: str = "stop", tokens_in: int = 800, tokens_out: int = 40) -> dict[str, Any]:
    """A chat completion."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "model": "judge-x",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out},
    }


class VirtualClock:
    """Time that passes only when everybody waits for it; `naps` are the waits asked for, in order."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = 0.0
        self.naps: list[float] = []
        self._epoch = now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._number = itertools.count()
        self._driver: asyncio.Task[None] | None = None

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self._epoch + self.now

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._number), woken))
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())
        await woken

    async def _drive(self) -> None:
        while self._sleepers:
            for _ in range(40):  # let everybody run until all wait
                await asyncio.sleep(0)
            when, _, woken = heapq.heappop(self._sleepers)
            self.now = max(self.now, when)
            if not woken.done():
                woken.set_result(None)
            await asyncio.sleep(0)


class Quiet:
    """The same time for a limiter, whose waits are not counted as retries."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.monotonic, self.time = clock.monotonic, clock.time

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._clock.naps.remove(seconds)


class Wire(httpx.AsyncBaseTransport):
    """A server in memory: `answer(number)` gives the reply to each request in turn; it counts and remembers."""

    def __init__(
        self, answer: Callable[[int], dict[str, Any]], *, clock: VirtualClock | None = None, latency_s: float = 0.0
    ) -> None:
        self._answer, self._clock, self._latency_s = answer, clock, latency_s
        self.bodies: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.times: list[float] = []
        self.in_flight = self.in_flight_max = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.bodies.append(json.loads(request.content))
        self.times.append(self._clock.monotonic() if self._clock else 0.0)
        answer = self._answer(len(self.bodies) - 1)
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight_max, self.in_flight)
        try:
            if self._clock and self._latency_s:
                await self._clock.sleep(self._latency_s)
            else:
                await asyncio.sleep(0)
        finally:
            self.in_flight -= 1
        return respond(answer, request)


def respond(answer: dict[str, Any], request: httpx.Request) -> httpx.Response:
    """A reply as the cases write it: status, headers, and body, text or error."""
    if "error" in answer:
        raise getattr(httpx, answer["error"])(answer.get("message", ""))
    headers = {"content-type": "application/json", **answer.get("headers", {})}
    if "text" in answer:
        return httpx.Response(answer["status"], headers=headers, text=answer["text"], request=request)
    return httpx.Response(answer["status"], headers=headers, content=json.dumps(answer["body"]), request=request)


def ok(text: str = GOOD, **more: Any) -> dict[str, Any]:
    """A good reply."""
    return {"status": 200, "body": completion(text, **more)}
