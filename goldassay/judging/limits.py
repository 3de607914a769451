"""When the next request may go out: requests and tokens per minute, and how many at once.

A permit is given in turn (first come, first served), so no criterion starves. The
rate is smoothed: a minute's worth never goes out in one burst. It halves when the
server throttles, and grows back in even steps up to the set maximum.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from typing import Literal, Protocol

from goldassay.judging.clock import Clock, SystemClock
from goldassay.judging.rate_headers import RateHint, rate_hint
from goldassay.judging.settings import JudgeConfig

__all__ = ["AdaptiveLimiter", "Limiter", "Outcome"]

Outcome = Literal["ok", "throttled", "failed"]


class Limiter(Protocol):
    """Gives permits to send; an implementation may fetch them from elsewhere, a second's worth at a time."""

    async def acquire(self, tokens: int) -> None:
        """Wait until one request of about so many tokens may go out."""
        ...

    def release(
        self,
        outcome: Outcome,
        *,
        tokens: int,
        tokens_used: int | None,
        headers: Mapping[str, str],
        wait_s: float | None,
    ) -> None:
        """Say how the request ended.

        Args:
            outcome: 'throttled' when the server said that calls come too fast.
            tokens: As given to `acquire`.
            tokens_used: As the provider counted them; None when unknown.
            headers: Of the response; empty when there was none.
            wait_s: What the server asked to wait, for a throttled request.
        """
        ...


class Bucket:
    """A token bucket that may go into debt: a refill rate and a small stock, never a minute's worth at once."""

    def __init__(self, rate: float, capacity: float, now: float) -> None:
        self.rate = rate
        """Per second; infinity: no limit."""
        self.capacity = capacity
        self._level = capacity
        self._at = now

    def wait_s(self, amount: float, now: float) -> float:
        """Seconds until `amount` is there; an amount above the capacity needs a full bucket."""
        if math.isinf(self.rate):
            return 0.0
        self._refill(now)
        missing = min(amount, self.capacity) - self._level
        return missing / self.rate if missing > 1e-9 else 0.0

    def take(self, amount: float, now: float) -> None:
        """Take it, into debt if need be."""
        if not math.isinf(self.rate):
            self._refill(now)
            self._level -= amount

    def give(self, amount: float) -> None:
        """Correct an estimate afterwards."""
        self._level = min(self.capacity, self._level + amount)

    def at_most(self, level: float, now: float) -> None:
        """The server says that no more than so much is left."""
        self._refill(now)
        self._level = min(self._level, level)

    def set_rate(self, rate: float, capacity: float, now: float) -> None:
        """Change the pace from now on."""
        if math.isinf(self.rate):
            self._level = min(self._level, capacity)
            self._at = now
        else:
            self._refill(now)
        self.rate, self.capacity = rate, capacity
        self._level = min(self._level, capacity)

    def _refill(self, now: float) -> None:
        if now > self._at:
            self._level = min(self.capacity, self._level + (now - self._at) * self.rate)
            self._at = now


_BURST_S = 0.1
"""Stock of requests, in seconds of the permitted rate: enough to make up for a late timer, no more."""
_TOKEN_BURST_S = 6.0
"""Stock of tokens: a tenth of a minute's worth, since one prompt may take much."""
_RECOVERY_S = 8.0
"""From half the rate back to the whole."""
_FIRST_WINDOW = 20
"""In flight at the start when no rate is set: the first replies' headers tell the limit before it is overrun."""


class AdaptiveLimiter:
    """The limiter of one process."""

    def __init__(self, config: JudgeConfig, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        now = self._clock.monotonic()
        share = config.rate_share
        self._set_rate = (config.requests_per_minute or math.inf) * share / 60.0
        token_rate = (config.tokens_per_minute or math.inf) * share / 60.0
        self._burst = config.burst
        self._requests = Bucket(self._set_rate, self._capacity(self._set_rate), now)
        self._tokens = Bucket(token_rate, token_rate * _TOKEN_BURST_S, now)
        self._most = config.max_in_flight
        self._window = float(self._most if config.requests_per_minute else min(_FIRST_WINDOW, self._most))
        self._in_flight = 0
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()
        self._ceiling = self._set_rate
        self._share = share
        self._halved_at = -math.inf
        self._grown_at = now
        self._paused_until = -math.inf
        self._answers: list[tuple[float, bool]] = []

    @property
    def rate_per_s(self) -> float:
        """Requests a second permitted now; infinity while no limit is known."""
        return self._requests.rate

    @property
    def in_flight(self) -> int:
        """Requests sent and not yet answered."""
        return self._in_flight

    @property
    def window(self) -> int:
        """How many may be in flight now."""
        return int(self._window)

    def _capacity(self, rate: float) -> float:
        if self._burst is not None:
            return self._burst
        return 1.0 if math.isinf(rate) else max(1.0, rate * _BURST_S)

    async def acquire(self, tokens: int) -> None:
        """Wait for a permit, in turn."""
        if not self._turn.locked() and self._delay(tokens) == 0.0 and self._in_flight < int(self._window):
            self._take(tokens)
            return
        async with self._turn:
            await self._until_free()
            while (delay := self._delay(tokens)) > 0.0:
                await self._clock.sleep(delay)
                await self._until_free()
            self._take(tokens)

    async def _until_free(self) -> None:
        while self._in_flight >= int(self._window):
            self._freed.clear()
            await self._freed.wait()

    def _delay(self, tokens: int) -> float:
        now = self._clock.monotonic()
        self._grow(now)
        return max(
            self._requests.wait_s(1.0, now), self._tokens.wait_s(float(tokens), now), self._paused_until - now, 0.0
        )

    def _take(self, tokens: int) -> None:
        now = self._clock.monotonic()
        self._requests.take(1.0, now)
        self._tokens.take(float(tokens), now)
        self._in_flight += 1

    def release(
        self,
        outcome: Outcome,
        *,
        tokens: int,
        tokens_used: int | None,
        headers: Mapping[str, str],
        wait_s: float | None,
    ) -> None:
        """Learn from an answer and free its place."""
        now = self._clock.monotonic()
        self._in_flight -= 1
        if tokens_used is not None:
            self._tokens.give(float(tokens - tokens_used))
        if outcome == "throttled":
            self._tokens.give(float(tokens))  # a refused call used no tokens
            self._throttled(now, wait_s)
        elif outcome == "ok":
            self._window = min(float(self._most), self._window + 1.0)
        hint = rate_hint(headers, now_s=self._clock.time()) if headers else None
        if hint is not None:
            self._learn(hint, now)
        self._freed.set()

    def _learn(self, hint: RateHint, now: float) -> None:
        """A limit in the headers caps the pace; it never lifts it above the set maximum."""
        if hint.requests_per_s is not None and math.isinf(self._set_rate):
            ceiling = hint.requests_per_s * self._share
            blend = ceiling if math.isinf(self._ceiling) else 0.8 * self._ceiling + 0.2 * ceiling
            grew = self._requests.rate >= self._ceiling
            self._ceiling = blend
            if grew or self._requests.rate > blend:
                self._requests.set_rate(blend, self._capacity(blend), now)
        if hint.requests_left is not None and not math.isinf(self._requests.rate):
            self._requests.at_most(max(0.0, hint.requests_left * self._share - self._in_flight), now)

    def _throttled(self, now: float, wait_s: float | None) -> None:
        if now - self._halved_at < 1.0:
            return  # the refusals of one burst are one event
        self._halved_at = now
        self._window = max(1.0, self._window / 2)
        if not math.isinf(self._requests.rate):
            floor = self._ceiling / 16
            self._requests.set_rate(max(floor, self._requests.rate / 2), self._requests.capacity, now)
        elif wait_s is not None:
            self._paused_until = now + wait_s

    def _grow(self, now: float) -> None:
        rate = self._requests.rate
        if rate < self._ceiling and now - self._grown_at >= 0.1 and not math.isinf(self._ceiling):
            step = min(now - max(self._grown_at, self._halved_at), 1.0) * self._ceiling / 2 / _RECOVERY_S
            grown = min(self._ceiling, rate + max(0.0, step))
            self._requests.set_rate(grown, self._capacity(grown), now)
        if now - self._grown_at >= 0.1:
            self._grown_at = now
