"""Makes one call to the judge: permit, request, reading the reply, retry where that may help.

Knows providers, limits and retries; knows nothing of records, rubrics, verdicts or
journals. A key passes through here and is masked, by value, in all that comes out.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import quote

import httpx
import orjson

from goldassay.judging.adapt import change_for, with_format
from goldassay.judging.clock import Clock, SystemClock
from goldassay.judging.cut_prompts import CutPrompts
from goldassay.judging.limits import AdaptiveLimiter, Limiter
from goldassay.judging.providers.base import (
    JudgeProvider,
    JudgeReply,
    JudgeRequest,
    MalformedReplyError,
    Tuning,
    read_safely,
)
from goldassay.judging.retry import RetryPolicy
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.streamed import body_of_stream
from goldassay.judging.trouble import GOOD_STATUSES, Trouble, from_exception, from_response
from goldassay.judging.wire import HttpAnswer, open_wire

__all__ = ["CallResult", "JudgeClient"]

_CHARS_PER_TOKEN = 4
_DETAIL_CHARS = 200
_PERCENT = re.compile("%[0-9A-F]{2}")
_MOST_EMPTY = 2
"""Responses without a reply, of one call: they are paid for like good ones."""


class CallResult(NamedTuple):
    """How one call ended: a reply, or the last trouble."""

    reply: JudgeReply | None
    trouble: Trouble | None
    attempts: int
    """Requests sent, the first included."""
    latency_ms: float
    """Of the last request."""
    raw: str = ""
    """First 200 characters of what came instead of a reply, keys masked."""
    empty: int = 0
    """Responses among the attempts that held no reply and yet are paid for."""


class _Answer(NamedTuple):
    reply: JudgeReply | None
    trouble: Trouble | None
    headers: Mapping[str, str]
    raw: str


class JudgeClient:
    """Calls one judge model; open it in the event loop that uses it, with `async with`."""

    def __init__(
        self,
        provider: JudgeProvider,
        config: JudgeConfig,
        *,
        key: str | None = None,
        limiter: Limiter | None = None,
        clock: Clock | None = None,
        policy: RetryPolicy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._provider = provider
        self._config = config
        self._key = key
        self._key_forms = _forms_of(key) if key else ()
        self._clock = clock or SystemClock()
        self._limiter = limiter or AdaptiveLimiter(config, clock=self._clock)
        self.policy = policy or RetryPolicy.of(config)
        headers = {"content-type": "application/json", **provider.headers(config, key)}
        self._wire = open_wire(config, provider.url(config), headers, transport)
        self.tuning = provider.first_tuning
        if config.structured != "auto":
            self.tuning = with_format(self.tuning, config.structured)
        self.refused: dict[str, str] = {}
        """What the model refused in this run, and what was sent instead."""
        self.warnings: list[str] = []
        """What a report must say of the judge, e.g. settings without effect; each said once."""
        if config.num_ctx is not None and provider.name != "ollama":
            self.warnings.append(
                f"judge.num_ctx has no effect with provider {config.provider!r}: use provider 'ollama' (Ollama's own "
                "endpoint), or set OLLAMA_CONTEXT_LENGTH where Ollama runs."
            )
        self._cut_prompts = CutPrompts()
        self.requests = 0
        """Requests sent, retries included."""
        self.sending: set[asyncio.Task[Any] | None] = set()
        """Tasks that wait for a reply now: stopping them would waste a call that is being paid for."""
        self._stopped = False

    def __repr__(self) -> str:
        return f"JudgeClient({self._provider.name!r}, model={self._config.model!r})"

    async def __aenter__(self) -> Self:
        await self._wire.__aenter__()
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._wire.__aexit__(exc_type, exc, traceback)

    @property
    def rate_limit_per_s(self) -> float:
        """Requests a second that may go out now; infinity: no limit is known."""
        return float(getattr(self._limiter, "rate_per_s", math.inf))

    def stop(self) -> None:
        """Send nothing more; what is under way is heard to its end."""
        self._stopped = True

    async def call(self, request: JudgeRequest, *, deadline: float = math.inf) -> CallResult:
        """Send until there is a reply, or until sending again cannot help or would take too long.

        Args:
            request: What is asked.
            deadline: On the monotonic clock; past it nothing is sent.

        Returns:
            A reply or the last trouble; neither when the deadline passed or all was stopped before it had ended.
        """
        begun = self._clock.monotonic()
        attempts, failures, empty = 0, 0, 0
        while True:
            tuning = self.tuning
            answer, latency_ms = await self._attempt(request, deadline)
            if answer is None:
                return CallResult(None, None, attempts, 0.0, empty=empty)
            attempts += 1
            trouble = answer.trouble
            if trouble is None:
                cut = self._cut_prompts.trouble_of(request, answer.reply)
                return CallResult(answer.reply, cut, attempts, latency_ms, empty=empty)
            empty += trouble.kind == "empty"
            if self._adapted(trouble, tuning):  # ends: each time there is less to refuse
                continue
            failures += 1
            wait = self.policy.next_wait(trouble, failures=failures, elapsed_s=self._clock.monotonic() - begun)
            if wait is None or empty > _MOST_EMPTY or self._clock.monotonic() + wait > deadline:
                # Its words may echo the key, and were looked at for the last time.
                return CallResult(None, trouble._replace(said=""), attempts, latency_ms, answer.raw, empty)
            if self._stopped:
                return CallResult(None, None, attempts, latency_ms, answer.raw, empty)
            await self._clock.sleep(wait)

    async def _attempt(self, request: JudgeRequest, deadline: float) -> tuple[_Answer | None, float]:
        tokens = request.chars // _CHARS_PER_TOKEN + request.max_tokens // _CHARS_PER_TOKEN
        if not await self._permitted(tokens, deadline):
            return None, 0.0
        begun = self._clock.monotonic()
        answer = _Answer(None, None, {}, "")
        if begun >= deadline or self._stopped:
            self._release(answer, tokens)
            return None, 0.0
        task = asyncio.current_task()
        try:
            self.requests += 1
            self.sending.add(task)
            answer = await self._send(request)
        finally:
            self.sending.discard(task)
            self._release(answer, tokens)
        return answer, (self._clock.monotonic() - begun) * 1000

    async def _permitted(self, tokens: int, deadline: float) -> bool:
        """Wait for the permit, no longer than the run may last: a slow pace must not hold it beyond its minutes."""
        left = deadline - self._clock.monotonic()
        if math.isinf(left):
            await self._limiter.acquire(tokens)
            return True
        try:
            await asyncio.wait_for(self._limiter.acquire(tokens), max(0.0, left))
        except TimeoutError:
            return False
        return True

    def _release(self, answer: _Answer, tokens: int) -> None:
        reply, trouble = answer.reply, answer.trouble
        throttled = trouble is not None and trouble.throttled
        used = (reply.tokens_in or 0) + (reply.tokens_out or 0) if reply else 0
        self._limiter.release(
            "ok" if reply else "throttled" if throttled else "failed",
            tokens=tokens,
            tokens_used=used or None,
            headers=answer.headers,
            wait_s=trouble.wait_s if trouble else None,
        )

    async def _send(self, request: JudgeRequest) -> _Answer:
        body = orjson.dumps(self._provider.body(request, self._config, self.tuning))
        try:
            async with asyncio.timeout(self._config.timeout_s):
                response = await self._wire.post(body)
        except (httpx.HTTPError, TimeoutError) as error:
            trouble = self._masked(from_exception(error))
            return _Answer(None, trouble, {}, "")  # nothing came, so nothing is kept as a reply
        return self._read(response)

    def _read(self, response: HttpAnswer) -> _Answer:
        payload = _payload(response)
        text = "" if response.status in GOOD_STATUSES and payload is not None else response.text[:4000]
        trouble = from_response(response.status, response.headers, payload, text, now=self._clock.time())
        reply = None
        if trouble is None and isinstance(payload, Mapping):
            reply, trouble = self._reply(payload, response)
        if trouble is not None:
            raw = self.masked(response.text[:4000])[:_DETAIL_CHARS]
            return _Answer(None, self._masked(trouble), response.headers, raw)
        return _Answer(reply, None, response.headers, "")

    def _reply(self, payload: Mapping[str, Any], response: HttpAnswer) -> tuple[JudgeReply | None, Trouble | None]:
        try:
            reply = read_safely(self._provider, payload, response.headers)
        except MalformedReplyError as error:
            return None, Trouble("empty", retry=True, status=200, detail=str(error))
        return self._masked_reply(reply), None

    def _masked_reply(self, reply: JudgeReply) -> JudgeReply:
        if not self._key:
            return reply
        model, number = reply.model_reported, reply.request_id
        return reply._replace(
            text=self.masked(reply.text),
            model_reported=self.masked(model) if model else model,
            request_id=self.masked(number) if number else number,
        )

    def _adapted(self, trouble: Trouble, sent: Tuning) -> bool:
        """Whether the request can go out again without what the model refused; remembered for the run."""
        change = change_for(trouble, sent, self.tuning, self._config)
        if change is None:
            return False
        self.tuning = change.tuning
        self.refused.update(change.noted)
        return True

    def _masked(self, trouble: Trouble) -> Trouble:
        return trouble._replace(detail=self.masked(trouble.detail)[:_DETAIL_CHARS])

    def masked(self, text: str) -> str:
        """The text without the key, whoever wrote it there and in whatever escapes."""
        for form in self._key_forms:
            text = text.replace(form, "***")
        return text


def _forms_of(key: str) -> tuple[str, ...]:
    """The key as it is, as JSON may escape it, and as an address would hold it."""
    quoted = json.dumps(key)[1:-1]
    addressed = [quote(key, safe=""), quote(key)]
    lower = [_PERCENT.sub(lambda match: match.group().lower(), form) for form in addressed]
    forms = (key, quoted, quoted.replace("/", "\\/"), *addressed, *lower)
    return tuple(sorted(set(forms), key=len, reverse=True))


def _payload(response: HttpAnswer) -> object:
    """The body as JSON, or None. What was paid for is not thrown away for its wrapping.

    NaN in a field that nobody reads, a sign that is no UTF-8, or a stream that nobody asked for spoil no reply.
    """
    try:
        return orjson.loads(response.content)
    except orjson.JSONDecodeError:
        text = response.text.removeprefix("\ufeff")
    for body in (response.content, text):
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            continue
    return body_of_stream(text) if response.status in GOOD_STATUSES else None
