"""How long a server asks us to wait, in all the ways servers say it.

Seconds (also fractional), HTTP dates, millisecond headers, x-ratelimit-reset
headers, Gemini's RetryInfo, and 'try again in 1.5s' in the message. Junk is no
answer: None. A date in the past means now, never a negative wait.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["duration_s", "retry_after_s", "server_wait"]

_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|us|µs|ns|s|m|h|d)", re.ASCII)
_UNIT_S = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_TRY_AGAIN = re.compile(
    r"(?:try again|retry|wait)\s(?:in|after|for)?\s?((?:\d{1,9}(?:\.\d{1,9})?\s?[a-z]{1,12}\s?){1,4})"
)
_EPOCH_S = 1e9
"""Plain numbers above this are seconds since 1970, not a duration: 1e9 seconds are 31 years."""
_LONGEST_S = 366 * 86400.0


def duration_s(text: str) -> float | None:
    """Seconds of '1.5', '26s', '120ms', '6m0s', '1h2m'; None for anything else."""
    text = text.strip().lower()
    plain = _number(text)
    if plain is not None:
        return plain
    parts = list(_PART.finditer(text))
    if not parts or "".join(part.group() for part in parts) != text:
        return None
    return _sane(sum(float(part[1]) * _UNIT_S[part[2]] for part in parts))


def _number(text: str) -> float | None:
    if not text or not text[0].isdigit() or not text.replace(".", "", 1).isdigit() or not text.isascii():
        return None
    return _sane(float(text))


def _sane(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def retry_after_s(value: str, *, now: float) -> float | None:
    """Seconds of a Retry-After header: a number of seconds or an HTTP date."""
    seconds = duration_s(value)
    if seconds is not None:
        return max(0.0, seconds - now) if seconds > _EPOCH_S else seconds
    return _date_s(value, now)


def _date_s(value: str, now: float) -> float | None:
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        try:
            when = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when
    return max(0.0, when.timestamp() - now)


def server_wait(headers: Mapping[str, str], body: object, *, status: int, now: float) -> float | None:
    """The wait a server asked for, in seconds; None when it did not say, or said nothing that can be read.

    The most exact source wins: milliseconds, Retry-After, a delay in the body, then
    (for 429 alone) the reset times of the limits that are used up.
    """
    lower = {key.lower(): value for key, value in headers.items()}
    for name, unit in (("retry-after-ms", 1e-3), ("x-ms-retry-after-ms", 1e-3)):
        milliseconds = _number(lower.get(name, "").strip())
        if milliseconds is not None:
            return milliseconds * unit
    asked = retry_after_s(lower["retry-after"], now=now) if "retry-after" in lower else None
    if asked is None:
        asked = next(_delays_in(body), None)
    if asked is None and status == 429:
        asked = _reset_wait(lower, now)
    return asked


def _delays_in(node: object, depth: int = 0) -> Iterator[float]:
    """Delays that an error body names, e.g. RetryInfo's retryDelay '26s' or 'try again in 1.5s'."""
    if depth > 6:
        return
    if isinstance(node, Mapping):
        for key, value in node.items():
            seconds = _named_delay(str(key).lower(), value)
            if seconds is not None:
                yield seconds
        for value in node.values():
            yield from _delays_in(value, depth + 1)
    elif isinstance(node, list):
        for value in node[:20]:
            yield from _delays_in(value, depth + 1)
    elif isinstance(node, str):
        seconds = _spoken_delay(node)
        if seconds is not None:
            yield seconds


def _named_delay(key: str, value: object) -> float | None:
    if key in {"retry_after_ms", "retryafterms"} and isinstance(value, int | float):
        return _sane(float(value) / 1000)
    if key not in {"retrydelay", "retry_delay", "retry_after", "retryafter", "retry_after_seconds", "estimated_time"}:
        return None
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _sane(float(value))
    if isinstance(value, Mapping):  # protobuf as JSON: {"seconds": 26, "nanos": 0}
        seconds = value.get("seconds")
        return _sane(float(seconds)) if isinstance(seconds, int | float) else None
    return duration_s(value) if isinstance(value, str) else None


_WORDS = {
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "minute": "m", "minutes": "m", "min": "m", "mins": "m",
    "hour": "h", "hours": "h", "day": "d", "days": "d", "milliseconds": "ms", "millisecond": "ms",
}  # fmt: skip


def _spoken_delay(message: str) -> float | None:
    found = _TRY_AGAIN.search(message[:2000].lower())
    if found is None:
        return None
    total, some = 0.0, False
    for amount, unit in re.findall(r"(\d{1,9}(?:\.\d{1,9})?)\s?([a-z]{1,12})", found[1]):
        unit_s = _UNIT_S.get(_WORDS.get(unit, unit))
        if unit_s is None:
            break
        total, some = total + float(amount) * unit_s, True
    return _sane(total) if some else None


def _reset_wait(headers: Mapping[str, str], now: float) -> float | None:
    """The longest reset among the limits that are used up; of all, when none says what remains."""
    waits: list[float] = []
    unsaid: list[float] = []
    for name, value in headers.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        seconds = retry_after_s(value, now=now)
        if seconds is None or seconds > _LONGEST_S:
            continue
        remaining = headers.get(name.replace("reset", "remaining"))
        if remaining is None:
            unsaid.append(seconds)
        elif _number(remaining.strip()) == 0:
            waits.append(seconds)
    return max(waits or unsaid, default=None)
