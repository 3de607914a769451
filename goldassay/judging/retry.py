"""The one owner of retries: what to do after a request that brought no reply.

Own backoff doubles with jitter either way and is cut; a wait asked by the server is
a lower bound, jittered upwards only. Nothing else in goldassay sends a request twice.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import Trouble

__all__ = ["RetryPolicy"]

_JITTER = 0.2


class RetryPolicy(NamedTuple):
    """How often and how long to try; a call's waits and failed requests are counted against it."""

    max_attempts: int = 5
    base_delay_s: float = 1.0
    max_delay_s: float = 60.0
    total_timeout_s: float = 600.0
    rng: random.Random = random.Random()  # noqa: S311 - jitter, no secret

    @classmethod
    def of(cls, config: JudgeConfig, rng: random.Random | None = None) -> RetryPolicy:
        """The policy an operator set."""
        return cls(
            config.max_attempts,
            config.base_delay_s,
            config.max_delay_s,
            config.total_timeout_s,
            rng or random.Random(),  # noqa: S311 - jitter, no secret
        )

    def own_delay(self, failures: int) -> float:
        """Own backoff after so many failures before this one: base * 2^n, +-20 %, cut."""
        delay = self.base_delay_s * 2.0 ** min(failures, 60)
        return min(delay * self.rng.uniform(1 - _JITTER, 1 + _JITTER), self.max_delay_s)

    def wait(self, trouble: Trouble, failures: int) -> float:
        """Seconds until the next attempt."""
        asked = trouble.wait_s
        if asked is None:
            return self.own_delay(failures)
        if asked <= 0:
            return self.own_delay(0)  # 'now' of a clock that runs behind: a short pause, never a tight loop
        return asked * self.rng.uniform(1.0, 1 + _JITTER)

    def next_wait(self, trouble: Trouble, *, failures: int, elapsed_s: float) -> float | None:
        """Seconds to wait before sending again; None: the call has ended.

        Args:
            trouble: What the last request met.
            failures: Requests of this call that failed so far; one that a parameter was refused of is none.
            elapsed_s: Time since the call began, waits included.
        """
        if not trouble.retry or failures >= self.max_attempts:
            return None
        if trouble.stops_if_long and (trouble.wait_s is None or trouble.wait_s > self.max_delay_s):
            return None
        left = self.total_timeout_s - elapsed_s
        wait = self.wait(trouble, failures - 1)
        if trouble.wait_s is not None and trouble.wait_s <= left:
            wait = min(wait, left)  # what was asked fits; the jitter must not be what ends the call
        return wait if wait <= left else None

    def stops_run(self, trouble: Trouble) -> bool:
        """Whether a call that ended this way ends the run: key, bill, model, a day's quota."""
        return trouble.stops_run or trouble.stops_if_long
