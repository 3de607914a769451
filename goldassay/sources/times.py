"""Moments as logs write them: ISO 8601 with or without zone, epoch seconds to nanoseconds.

A text such as '01/02/2026' is refused: day or month first would be a guess.
"""

from __future__ import annotations

import contextlib
import email.utils
import math
import re
from datetime import UTC, date, datetime, timedelta

from goldassay.sources.faults import UnreadableValueError

__all__ = ["read_time"]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,20})?")
_LONG_FRACTION = re.compile(r"(\.\d{6})\d+")
_UNITS = ((1e8, 1e11, 1), (1e11, 1e14, 1_000), (1e14, 1e17, 1_000_000), (1e17, 1e20, 1_000_000_000))
"""Size tells the unit of an epoch: seconds from 1973 to 5138, then milli-, micro- and nanoseconds of the same span."""


def read_time(value: object) -> datetime:
    """Read a moment as UTC; a time without a zone is UTC.

    Raises:
        UnreadableValueError: Not a moment, or one whose reading would be a guess.
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnreadableValueError(f"a {type(value).__name__} is not a time")
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return _from_iso(value.strip())
    return _from_epoch(value)


def _from_epoch(value: str | float) -> datetime:
    number = float(value)
    if not math.isfinite(number):
        raise UnreadableValueError(f"{value!r} is not a time")
    for low, high, per_second in _UNITS:
        if low <= number < high:
            whole = isinstance(value, int) or (isinstance(value, str) and "." not in value)
            micros = int(value) * 1_000_000 // per_second if whole else round(number * 1_000_000 / per_second)
            return EPOCH + timedelta(microseconds=micros)
    raise UnreadableValueError(f"{value!r} is not an epoch in seconds, milli-, micro- or nanoseconds")


def _from_mail(text: str) -> datetime:
    """'Tue, 01 Sep 2026 09:00:00 GMT', as HTTP and mail write it."""
    if text[:3].isalpha():
        with contextlib.suppress(ValueError, IndexError):
            return email.utils.parsedate_to_datetime(text)
    raise UnreadableValueError(f"{text[:40]!r} is not an ISO 8601 time such as '2026-09-01T09:00:00Z'")


def _from_iso(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(_LONG_FRACTION.sub(r"\1", text).removesuffix(" UTC"))
    except ValueError:
        moment = _from_mail(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
