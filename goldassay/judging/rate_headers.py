"""What a server's rate-limit headers tell about its limit.

OpenAI and its kin send x-ratelimit-{limit,remaining,reset}-{requests,tokens}, Anthropic
anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}. `reset` means one of two
things, and the numbers themselves tell which:

    a bucket is full again after `reset`: it refills at used / reset, the same whatever is used;
    a window ends after `reset`: what remains may go out until then, remaining / reset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from goldassay.judging.waits import retry_after_s, server_time

__all__ = ["RateSense"]

_FEWEST_USED = 3
"""Below so many the whole numbers of the headers say too little."""
_MANY_USED = 20
"""From so many on their rounding errs by less than 3 %."""
_CHANGED = 1.3
"""A bucket is told from a window when what is used has changed by this factor."""
_AGREES = 1.15
_LONGEST_BUCKET_S = 3600.0
"""A limit of requests or tokens that fills, or begins anew, in a longer time is that of a day."""
_NEARLY_EMPTY = 0.1
_MARGIN = 0.99
"""Of a limit that was measured from rounded numbers, so that it is not overrun for ever by a little."""


class RateSense:
    """Learns one limit, of requests or of tokens, from response to response."""

    def __init__(self, what: Literal["requests", "tokens"]) -> None:
        self._names = (
            tuple(f"x-ratelimit-{part}-{what}" for part in ("limit", "remaining", "reset")),
            tuple(f"anthropic-ratelimit-{what}-{part}" for part in ("limit", "remaining", "reset")),
        )
        self._seen: tuple[float, float] | None = None
        """Used and refill of an earlier response."""
        self._is_bucket: bool | None = None
        self._refill: float | None = None
        """Of a bucket, smoothed."""

    def observe(self, headers: Mapping[str, str], *, now_s: float) -> float | None:
        """The permitted rate per second; None while the headers do not tell.

        Args:
            headers: Of one response.
            now_s: Seconds since 1970, for reset times given as dates.
        """
        for limit_name, left_name, reset_name in self._names:
            limit, left = _count(headers.get(limit_name)), _count(headers.get(left_name))
            if limit is not None and left is not None:
                reset_s = retry_after_s(headers.get(reset_name, ""), now=server_time(headers, now_s))
                return self._rate(limit, left, reset_s)
        return None

    def _rate(self, limit: float, left: float, reset_s: float | None) -> float | None:
        used = limit - left - 0.5  # `left` is rounded down: on average half a unit too much looks used
        if reset_s is None or reset_s < 0.01 or used < _FEWEST_USED:
            return None
        refill = used / reset_s
        self._decide(used, refill)
        if not self._is_bucket:
            # A window of hours is a quota, which may go out at once; the server says when it is used up.
            return None if reset_s > _LONGEST_BUCKET_S else max(refill, left / reset_s)
        if used >= _MANY_USED or self._refill is None:
            self._refill = refill if self._refill is None else 0.9 * self._refill + 0.1 * refill
        if self._is_days_quota(limit, left, self._refill):
            return None
        return _MARGIN * self._refill

    @staticmethod
    def _is_days_quota(limit: float, left: float, refill: float) -> bool:
        """Whether the bucket takes hours to fill and is far from empty: then it is a quota, and no pace.

        Groq's x-ratelimit-*-requests speak of the day: 14,400 requests are no 10 a minute.
        """
        return limit > refill * _LONGEST_BUCKET_S and left > _NEARLY_EMPTY * limit

    def _decide(self, used: float, refill: float) -> None:
        if self._seen is None:
            self._seen = (used, refill)
            return
        before, refill_before = self._seen
        if max(used, before) >= _CHANGED * min(used, before):
            self._is_bucket = max(refill, refill_before) <= _AGREES * min(refill, refill_before)
            self._seen = (used, refill)


def _count(value: str | None) -> float | None:
    value = (value or "").strip()
    return float(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
