"""When the next request may go out: requests and tokens per minute together.

Permits are given in turn (first come, first served), so no criterion starves. The pace
is smoothed: a minute's worth never goes out in one burst. It is learnt from the server's
headers and refusals where it is not set; refusals in number halve it, and it grows back
in even steps, never above the set maximum. A lone refusal concerns its own call only.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Mapping
from typing import Literal, Protocol

from goldassay.judging.bucket import Bucket
from goldassay.judging.clock import Clock, SystemClock
from goldassay.judging.rate_headers import RateSense
from goldassay.judging.settings import JudgeConfig

__all__ = ["AdaptiveLimiter", "Ending", "Limiter"]

Ending = Literal["ok", "throttled", "failed"]


class Limiter(Protocol):
    """Gives permits to send; an implementation may fetch them from elsewhere, to share one limit."""

    async def acquire(self, tokens: int) -> None:
        """Wait until one request of about so many tokens may go out."""
        ...

    def release(
        self, ending: Ending, *, tokens: int, tokens_used: int | None, headers: Mapping[str, str], wait_s: float | None
    ) -> None:
        """Say how the request ended.

        Args:
            ending: 'throttled' when the server said that calls come too fast.
            tokens: As given to `acquire`.
            tokens_used: As the provider counted them; None when unknown.
            headers: Of the response; empty when there was none.
            wait_s: What the server asked to wait, for a throttled request.
        """
        ...


_BURST_S = 0.25
"""Stock of requests, in seconds of the permitted rate: enough to make up for a late timer, no more."""
_TOKEN_BURST_S = 6.0
"""Stock of tokens: a tenth of a minute's worth, since one prompt may take much."""
_RECOVERY_S = 8.0
"""From half the pace back to the whole."""
_FIRST_BURST = 20.0
_FILL_PER_S = 100.0
_FILL_GROWTH = 8.0
"""While no limit is known, the calls after the first burst go out one after another, at first so many a second and
faster with each: a server that is overrun says so at once, and is heard before all have gone out."""
_EVIDENCE = 64
"""Answers that are looked back on to tell a throttling server from a lone refusal."""
_REFUSED_SHARE = 0.2
_FEWEST_REFUSED = 3
_LONGEST_PAUSE_S = 60.0
_LEAST_GUESS = 1.0
_PROBE = 0.02
"""A limit guessed from refusals is tried again by this share of it a second."""


class AdaptiveLimiter:
    """The limiter of one process."""

    def __init__(self, config: JudgeConfig, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        now = self._clock.monotonic()
        self._share = config.rate_share
        self._burst = config.burst
        self._most = (config.requests_per_minute or math.inf) * self._share / 60.0
        """The set maximum, per second."""
        self._ceiling = self._most
        """What the pace grows back to: the set maximum, or what was learnt, if less."""
        self._guessed = False
        """Whether the ceiling was guessed from refusals alone."""
        tokens_per_s = (config.tokens_per_minute or math.inf) * self._share / 60.0
        self._most_tokens = tokens_per_s
        self._requests = Bucket(self._most, self._capacity(self._most), now)
        self._tokens = Bucket(tokens_per_s, tokens_per_s * _TOKEN_BURST_S, now)
        self._fill = Bucket(_FILL_PER_S, _FIRST_BURST, now)
        self._unfilled = 0 if config.requests_per_minute else config.max_in_flight
        """Calls of the first filling that are still to go out."""
        self._request_sense, self._token_sense = RateSense("requests"), RateSense("tokens")
        self._turn = asyncio.Lock()
        self._answers: deque[bool] = deque(maxlen=_EVIDENCE)
        """Of the last answers: was it refused?"""
        self._halved_at = -math.inf
        self._grown_at = now
        self._event_at = now
        self._accepted = 0
        """Requests sent since the last throttling and not refused."""

    @property
    def rate_per_s(self) -> float:
        """Requests a second that go out now; infinity while no limit is known."""
        return self._requests.rate

    def _capacity(self, rate: float) -> float:
        if self._burst is not None:
            return self._burst
        return 1.0 if math.isinf(rate) else max(1.0, rate * _BURST_S)

    async def acquire(self, tokens: int) -> None:
        """Wait for a permit, in turn."""
        if not self._turn.locked() and self._delay(tokens) <= 0.0:
            self._take(tokens)
            return
        async with self._turn:
            while (delay := self._delay(tokens)) > 0.0:
                await self._clock.sleep(delay)
            self._take(tokens)

    def _delay(self, tokens: int) -> float:
        now = self._clock.monotonic()
        self._grow(now)
        delay = max(self._requests.wait_s(1.0, now), self._tokens.wait_s(float(tokens), now))
        return max(delay, self._fill.wait_s(1.0, now)) if self._unfilled else delay

    def _take(self, tokens: int) -> None:
        now = self._clock.monotonic()
        self._requests.take(1.0, now)
        self._tokens.take(float(tokens), now)
        self._accepted += 1
        if self._unfilled:
            self._unfilled -= 1
            self._fill.take(1.0, now)
            if self._accepted >= _FIRST_BURST:
                # One by one from here, faster and faster; time lost to a busy loop is not made up for.
                pace = _FILL_PER_S + _FILL_GROWTH * (self._accepted - _FIRST_BURST)
                self._fill.set_rate(pace, 1.0, now)

    def release(
        self, ending: Ending, *, tokens: int, tokens_used: int | None, headers: Mapping[str, str], wait_s: float | None
    ) -> None:
        """Learn from an answer."""
        now = self._clock.monotonic()
        if tokens_used is not None:
            self._tokens.give(float(tokens - tokens_used), now)
        self._answers.append(ending == "throttled")
        if headers:
            self._learn(headers, now)
        if ending == "throttled":
            self._tokens.give(float(tokens), now)  # a refused call used no tokens
            self._accepted -= 1
            self._refused(now, wait_s)

    def _learn(self, headers: Mapping[str, str], now: float) -> None:
        """A limit in the headers caps the pace; it never lifts it above the set maximum."""
        rate = self._request_sense.observe(headers, now_s=self._clock.time())
        if rate is not None:
            self._guessed = False
            self._ceiling = min(self._most, rate * self._share)
            if self._requests.rate > self._ceiling or self._halved_at == -math.inf:
                self._requests.set_rate(self._ceiling, self._capacity(self._ceiling), now)
        tokens = self._token_sense.observe(headers, now_s=self._clock.time())
        if tokens is not None:
            limit = min(self._most_tokens, tokens * self._share)
            self._tokens.set_rate(limit, limit * _TOKEN_BURST_S, now)

    def _refused(self, now: float, wait_s: float | None) -> None:
        """Halve the pace when refusals come in number; those of one burst are one event."""
        refused = sum(self._answers)
        if refused < _FEWEST_REFUSED or refused < _REFUSED_SHARE * len(self._answers) or now - self._halved_at < 1.0:
            return
        if math.isinf(self._ceiling) or self._guessed:
            self._guess(now, wait_s or 0.0)
        self._halved_at = self._event_at = now
        self._accepted = 0
        self._unfilled = 0
        self._answers.clear()
        rate = min(self._requests.rate, self._ceiling)
        floor = self._ceiling / 16
        self._requests.set_rate(max(floor, rate / 2), self._capacity(max(floor, rate / 2)), now)

    def _guess(self, now: float, wait_s: float) -> None:
        """No header tells the limit: what was let through since the last time, over the time it took."""
        seconds = now - self._event_at + min(wait_s, _LONGEST_PAUSE_S)
        guess = max(1.0, float(self._accepted)) / max(seconds, 0.05)
        if self._accepted <= 0:  # nothing went through: an outage, which tells nothing of a limit
            guess = max(guess, _LEAST_GUESS)
        self._ceiling = min(self._most, guess)
        self._guessed = True

    def _grow(self, now: float) -> None:
        passed = now - self._grown_at
        if passed < 0.1 or math.isinf(self._ceiling):
            return
        self._grown_at = now
        if self._guessed and self._requests.rate >= self._ceiling:
            self._ceiling = min(self._most, self._ceiling * (1 + _PROBE) ** min(passed, _LONGEST_PAUSE_S))
        if self._requests.rate < self._ceiling:
            step = min(passed, now - self._halved_at) * self._ceiling / 2 / _RECOVERY_S
            rate = min(self._ceiling, self._requests.rate + step)
            self._requests.set_rate(rate, self._capacity(rate), now)
