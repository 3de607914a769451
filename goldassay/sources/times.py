"""Moments as logs write them: ISO 8601 with or without zone, epoch seconds to nanoseconds, mail and browser dates.

A text such as '01/02/2026' is refused: day or month first would be a guess. So is a
zone by its letters ('CET', 'IST') and a clock with 'PM': read halfway, they would be hours off.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from goldassay.sources.faults import UnreadableValueError

__all__ = ["is_no_time", "read_formatted", "read_time"]

PLAIN_CHARS = len("2026-09-01T09:00:00Z")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,20})?")
_ISO = re.compile(
    r"(?P<day>\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{4}-W\d{2}-?\d?|\d{8})"
    r"(?:[Tt_ ]\s?(?P<hour>\d{2}|\d(?=:)):?(?P<minute>\d{2})?:?(?P<second>\d{2})?(?:[.,](?P<fraction>\d{1,40}))?)?"
    r"\s?(?:(?P<zone>[Zz]|UTC|GMT|[+-]\d{2}:?\d{0,2}(?::\d{2})?)(?:\[[\w/+-]{1,40}\])?)?",
    re.ASCII,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MAIL = re.compile(
    r"[A-Za-z]{3},? (?:(?P<day>\d{1,2}) (?P<month>[A-Za-z]{3})|(?P<month2>[A-Za-z]{3}) {1,2}(?P<day2>\d{1,2}))"
    r"(?: (?P<year>\d{4}))? (?P<clock>\d{2}:\d{2}:\d{2})(?: (?P<year2>\d{4}))?"
    r"(?: ?(?P<zone>(?:GMT|UTC)?[+-]\d{4}|GMT|UTC|Z))?(?: \([^()]{1,60}\))?",
    re.ASCII,
)
_NUMERIC = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
"""A date in figures, in an order that only its writer knows."""
_NOTHING = frozenset({"", "null", "none", "nan", "nat", "n/a", "0001-01-01t00:00:00z", "0001-01-01t00:00:00"})
"""What writers put where no time was logged; the last two are the zero of Go and .NET."""
_UNITS = ((1e8, 1e11, 1), (1e11, 1e14, 1_000), (1e14, 1e17, 1_000_000), (1e17, 1e20, 1_000_000_000))
"""Size tells the unit of an epoch: seconds from 1973 to 5138, then milli-, micro- and nanoseconds of the same span."""


def is_no_time(value: object) -> bool:
    """Whether a value says that no time was logged."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None) == datetime(1, 1, 1)  # noqa: DTZ001 - the zero time, in whatever zone
    return value is None or (isinstance(value, str) and value.strip().casefold() in _NOTHING)


def read_time(value: object) -> datetime:
    """Read a moment as UTC; a time without a zone is UTC.

    Raises:
        UnreadableValueError: Not a moment, or one whose reading would be a guess.
    """
    try:
        return _read(value)
    except OverflowError:
        raise UnreadableValueError(f"{value!r:.60} is outside the years 1 to 9999") from None


def read_formatted(text: str, time_format: str) -> datetime:
    """Read a moment in the form that the settings name, as `strptime` writes it; without a zone it is UTC.

    Raises:
        UnreadableValueError: The text has another form.
    """
    try:
        return _in_utc(datetime.strptime(text.strip(), time_format))  # noqa: DTZ007 - the zone is settled behind it
    except (ValueError, OverflowError):
        reason = f"{text[:40]!r} is not of the form {time_format!r} (answers.time_format)"
        raise UnreadableValueError(reason) from None


def _read(value: object) -> datetime:
    if type(value) is str and len(value) == PLAIN_CHARS and value[10] == "T" and value[-1] == "Z":
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(value)  # nearly every log; ten times as fast
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, Mapping):
        return _read(_unwrapped(value))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnreadableValueError(f"a {type(value).__name__} is not a time")
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return _from_text(value.strip())
    return _from_epoch(value)


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _unwrapped(value: Mapping[Any, Any]) -> object:
    """MongoDB writes {"$date": ...}, around a text, milliseconds or {"$numberLong": "..."}."""
    inner = value.get("$date")
    inner = inner.get("$numberLong") if isinstance(inner, Mapping) else inner
    if inner is None or isinstance(inner, Mapping):
        raise UnreadableValueError(f"a {type(value).__name__} is not a time")
    return inner


def _from_epoch(value: str | float) -> datetime:
    number = float(value)
    if not math.isfinite(number):
        raise UnreadableValueError(f"{value!r} is not a time")
    for low, high, per_second in _UNITS:
        if low <= number < high:
            whole = isinstance(value, int) or (isinstance(value, str) and "." not in value)
            micros = int(value) * 1_000_000 // per_second if whole else round(number * 1_000_000 / per_second)
            return EPOCH + timedelta(microseconds=micros)
    text = str(value).strip()
    if len(text) == 8 and 19_000_000 <= number < 22_000_000:
        return _from_text(text)  # '20260901': a day without its dashes
    raise UnreadableValueError(f"{value!r} is not an epoch in seconds, milli-, micro- or nanoseconds")


def _from_text(text: str) -> datetime:
    for pattern, build in ((_ISO, _from_iso), (_MAIL, _from_mail)):
        match = pattern.fullmatch(text)
        if match is not None:
            try:
                return build(match)
            except ValueError:
                break
    hint = "; name its form, for instance answers.time_format = '%d.%m.%Y %H:%M:%S'" if _NUMERIC.match(text) else ""
    raise UnreadableValueError(f"{text[:40]!r} is not an ISO 8601 time such as '2026-09-01T09:00:00Z'{hint}")


def _from_iso(match: re.Match[str]) -> datetime:
    """A day and a clock; 24:00 is the day's end, and a leap second the moment behind it."""
    if match["hour"] is None and match["zone"] is not None:
        raise ValueError
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if hour > 24 or (hour == 24 and (minute or second)) or minute > 59 or second > 60:
        raise ValueError
    micros = int((match["fraction"] or "0")[:6].ljust(6, "0"))
    clock = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micros)
    return _day(match["day"]) + clock - _offset(match["zone"])


def _from_mail(match: re.Match[str]) -> datetime:
    """'Tue, 01 Sep 2026 09:00:00 GMT' (HTTP, mail), and what C and JavaScript print for a date."""
    year, month = match["year"] or match["year2"], (match["month"] or match["month2"]).casefold()
    if year is None or month not in _MONTHS:
        raise ValueError
    day = datetime(int(year), _MONTHS.index(month) + 1, int(match["day"] or match["day2"]), tzinfo=UTC)
    hour, minute, second = map(int, match["clock"].split(":"))
    clock = timedelta(hours=hour, minutes=minute, seconds=second)
    if clock >= timedelta(days=1) or minute > 59 or second > 60:
        raise ValueError
    return day + clock - _offset(match["zone"])


def _day(text: str) -> datetime:
    parts = re.split("[-/]", text)
    if "W" in text or len(parts) == 1:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    year, month, day = map(int, parts)
    return datetime(year, month, day, tzinfo=UTC)


def _offset(zone: str | None) -> timedelta:
    digits = re.sub("[^0-9]", "", zone or "")
    if zone is None or not digits:
        return timedelta(0)
    hours, minutes, seconds = int(digits[:2]), int(digits[2:4] or 0), int(digits[4:6] or 0)
    if hours > 23 or minutes > 59:
        raise ValueError
    size = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -size if "-" in zone else size
