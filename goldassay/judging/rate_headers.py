"""What a server's rate-limit headers tell about its limit.

OpenAI and its kin send x-ratelimit-{limit,remaining,reset}-{requests,tokens}, Anthropic
anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}. A bucket that is full again
after `reset` refills at (limit - remaining) / reset, whatever period the limit is named for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from goldassay.judging.waits import retry_after_s

__all__ = ["RateHint", "rate_hint"]

_FEWEST_USED = 3
"""Below so many used requests the whole numbers of the headers say too little of the rate."""


class RateHint(NamedTuple):
    """A limit as the headers tell it; None where they are silent."""

    requests_per_s: float | None
    requests_left: float | None


def rate_hint(headers: Mapping[str, str], *, now_s: float) -> RateHint | None:
    """Read the headers of one response; None when they say nothing of requests."""
    for limit, remaining, reset in (
        ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
        (
            "anthropic-ratelimit-requests-limit",
            "anthropic-ratelimit-requests-remaining",
            "anthropic-ratelimit-requests-reset",
        ),
    ):
        left = _count(headers.get(remaining))
        if left is not None:
            return RateHint(_rate(_count(headers.get(limit)), left, headers.get(reset), now_s), left)
    return None


def _count(value: str | None) -> float | None:
    value = (value or "").strip()
    return float(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def _rate(limit: float | None, left: float, reset: str | None, now_s: float) -> float | None:
    if limit is None or reset is None or limit - left < _FEWEST_USED:
        return None
    seconds = retry_after_s(reset, now=now_s)
    # `left` is rounded down, so on average half a request too many looks used.
    return (limit - left - 0.5) / seconds if seconds and seconds > 0.01 else None
