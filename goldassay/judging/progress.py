"""How far the judging is: a snapshot for anybody who listens, drawn on a terminal or said in plain lines."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["OnProgress", "ProgressSnapshot"]


class ProgressSnapshot(NamedTuple):
    """Where a judge stage stands."""

    done: int
    """Calls finished, those found in the journal included."""
    total: int | None
    """Calls in all; None while it is not known."""
    in_flight: int
    rate_per_s: float
    """Calls finished a second, over the last seconds."""
    limit_per_s: float = math.inf
    """Requests a second that the limiter lets through now; infinity: no limit."""
    errors: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    @property
    def seconds_left(self) -> float | None:
        """At the present rate; None while that cannot be told."""
        if self.total is None or self.rate_per_s <= 0:
            return None
        return max(0, self.total - self.done) / self.rate_per_s


OnProgress = Callable[[ProgressSnapshot], None]
