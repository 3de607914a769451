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

__all__ = ["duration_s", "retry_after_s", "server_time", "server_wait"]

_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|us|µs|ns|s|m|h|d)", re.ASCII)
_UNIT_S = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_TRY_AGAIN = re.compile(
    r"(?:try again|retry|wait)\s(?:in|after|for)?\s?((?:\d{1,9}(?:\.\d{1,9})?\s?[a-z]{1,12}(?: and|,)?\s?){1,4})"
)
_EPOCH_S = 1e9
"""Plain numbers above this are seconds since 1970, not a duration: 1e9 seconds are 31 years."""
_EPOCH_MS = 1e12
"""And above this milliseconds since 1970, as OpenRouter sends them."""
_NAMED_IN_HEADER = re.compile(r"\b(?:reset|t)=(\d{1,9})\b", re.ASCII)
_EMPTY_IN_HEADER = re.compile(r"\b(?:remaining|r)=0\b", re.ASCII)
"""The one header of the IETF's drafts: 'limit=100, remaining=0, reset=50', later '"default";r=0;t=50'."""
_CLOCKS_AGREE_S = 2.0
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
    seconds = _longest(value)
    if seconds is None:
        return _date_s(value, now)
    if seconds > _EPOCH_MS:
        seconds /= 1000
    return max(0.0, seconds - now) if seconds > _EPOCH_S else seconds


def _longest(value: str) -> float | None:
    """The duration a header holds; the longest where two proxies each added theirs: '5, 30'."""
    found = [_spelt(part) for part in value.split(",")[:4]]
    known = [seconds for seconds in found if seconds is not None]
    return max(known) if len(known) == len(found) else None


def _spelt(text: str) -> float | None:
    """A duration, also with its unit in words: '30 seconds'."""
    plain = duration_s(text)
    return plain if plain is not None else _in_words(text.strip().lower(), whole=True)


def _date_s(value: str, now: float) -> float | None:
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError):
        try:
            when = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when
    return max(0.0, when.timestamp() - now)


def server_time(headers: Mapping[str, str], local: float) -> float:
    """The server's own time, in seconds since 1970: its dates are told by its clock, which may not be ours.

    Args:
        headers: Of a response, names in lower case; 'date' tells whole seconds.
        local: Our time, which is finer and is taken where the two agree.
    """
    try:
        told = parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return local
    return local if abs(told - local) <= _CLOCKS_AGREE_S else told


def server_wait(headers: Mapping[str, str], body: object, *, status: int, now: float) -> float | None:
    """The wait a server asked for, in seconds; None when it did not say, or said nothing that can be read.

    The most exact source wins: milliseconds, Retry-After, a delay in the body, then
    (for 429 alone) the reset times of the limits that are used up.
    """
    lower = {key.lower(): value for key, value in headers.items()}
    now = server_time(lower, now)
    for name in ("retry-after-ms", "x-ms-retry-after-ms"):
        milliseconds = _number(lower.get(name, "").strip().lower().removesuffix("ms"))
        if milliseconds:  # 0 says less than the seconds beside it
            return milliseconds * 1e-3
    for name in ("retry-after", "x-retry-after", "x-ratelimit-retry-after"):
        asked = retry_after_s(lower[name], now=now) if name in lower else None
        if asked is not None:
            return asked
    asked = next(_delays_in(body), None)
    if asked is None and status == 429:
        asked = _reset_wait(lower | _passed_on(body), now)
    return asked


def _passed_on(body: object) -> dict[str, str]:
    """Headers of the provider behind a router, which OpenRouter puts into the error."""
    for name in ("error", "metadata", "headers"):
        body = body.get(name) if isinstance(body, Mapping) else None
    headers = body if isinstance(body, Mapping) else {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


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


_DELAY_KEYS = frozenset(
    {
        "retrydelay",
        "retry_delay",
        "retry_after",
        "retryafter",
        "retry_after_seconds",
        "estimated_time",
        "quotaresetdelay",
    }
)


def _named_delay(key: str, value: object) -> float | None:
    if key in {"retry_after_ms", "retryafterms"} and isinstance(value, int | float):
        return _sane(float(value) / 1000)
    if key not in _DELAY_KEYS:
        return None
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _sane(float(value))
    if isinstance(value, Mapping):  # protobuf as JSON: {"seconds": 26, "nanos": 0}
        return _of_protobuf(value)
    return duration_s(value) if isinstance(value, str) else None


_WORDS = {
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "minute": "m", "minutes": "m", "min": "m", "mins": "m",
    "hour": "h", "hours": "h", "day": "d", "days": "d", "milliseconds": "ms", "millisecond": "ms",
}  # fmt: skip


_AMOUNT = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s?([a-z]{1,12})(?: and|,)?\s?", re.ASCII)


def _spoken_delay(message: str) -> float | None:
    found = _TRY_AGAIN.search(message[:2000].lower())
    return None if found is None else _in_words(found[1])


def _in_words(text: str, *, whole: bool = False) -> float | None:
    """Seconds of '2 minutes and 5 seconds' at the beginning of a text, or of all of it."""
    total, at = 0.0, 0
    while found := _AMOUNT.match(text, at):
        unit_s = _UNIT_S.get(_WORDS.get(found[2], found[2]))
        if unit_s is None:
            break
        total, at = total + float(found[1]) * unit_s, found.end()
    return _sane(total) if at and (at == len(text) or not whole) else None


def _of_protobuf(value: Mapping[str, object]) -> float | None:
    """{"seconds": "26", "nanos": 500000000}: 64-bit numbers stand as strings in protobuf's JSON."""
    parts = [_plain(value.get("seconds")), _plain(value.get("nanos"))]
    if parts[0] is None:
        return None
    return _sane(parts[0] + (parts[1] or 0.0) * 1e-9)


def _plain(value: object) -> float | None:
    if isinstance(value, str):
        return _number(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _reset_wait(headers: Mapping[str, str], now: float) -> float | None:
    """The longest reset among the limits that are used up; of all, when none says what remains."""
    waits: list[float] = []
    unsaid: list[float] = []
    for name, value in headers.items():
        plain = name.replace("rate-limit", "ratelimit")
        if plain == "ratelimit" and (whole := _NAMED_IN_HEADER.search(value)):
            (waits if _EMPTY_IN_HEADER.search(value) else unsaid).append(float(whole[1]))
        if "ratelimit" not in plain or "reset" not in plain:
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
