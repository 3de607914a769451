"""A token bucket: a pace and a small stock, so that a limit per minute never goes out in one burst."""

from __future__ import annotations

import math

__all__ = ["Bucket"]

_ENOUGH = 1e-9
"""Rounding: a permit that is missing by less is there."""


class Bucket:
    """Pure arithmetic; the caller tells the time."""

    def __init__(self, rate: float, capacity: float, now: float) -> None:
        """A full bucket.

        Args:
            rate: Refill per second; infinity: no limit.
            capacity: Most that can be in stock.
            now: Seconds on a clock that never runs backwards.
        """
        self.rate = rate
        self.capacity = capacity
        self._level = capacity
        self._at = now

    def wait_s(self, amount: float, now: float) -> float:
        """Seconds until `amount` is there; more than the capacity needs a full bucket and leaves a debt."""
        if math.isinf(self.rate):
            return 0.0
        self._refill(now)
        missing = min(amount, self.capacity) - self._level
        return missing / self.rate if missing > _ENOUGH else 0.0

    def take(self, amount: float, now: float) -> None:
        """Take it, into debt if need be."""
        if not math.isinf(self.rate):
            self._refill(now)
            self._level -= amount

    def give(self, amount: float, now: float) -> None:
        """Correct an estimate afterwards; a negative amount takes more."""
        if not math.isinf(self.rate):
            self._refill(now)
            self._level = min(self.capacity, self._level + amount)

    def set_rate(self, rate: float, capacity: float, now: float) -> None:
        """Change the pace from now on; a bucket that had no limit begins empty, for much may be under way."""
        if math.isinf(self.rate):
            self._level, self._at = 0.0, now
        else:
            self._refill(now)
        self.rate, self.capacity = rate, capacity
        self._level = min(self._level, capacity)

    def _refill(self, now: float) -> None:
        if now > self._at:
            self._level = min(self.capacity, self._level + (now - self._at) * self.rate)
            self._at = now
