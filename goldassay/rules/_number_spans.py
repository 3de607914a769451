"""Amounts and times that several figures say with few or no signs: '3m20s', '2d 4h', '1m80', '20€50', '0900-1700'.

Reads single tokens and neighbours; `span_at` is called by `_number_scan`, `with_short_times` by `_number_ranges`.
Amounts in words, '3 minutes 20 seconds', are those of `_number_compounds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import currency_of, unit_of

__all__ = ["span_at", "with_short_times"]

_SPAN = re.compile(
    r"(?:([0-9]{1,3})d ?)?(?:([0-9]{1,2})h(?:rs?)? ?)?(?:([0-9]{1,3})m(?:in)? ?)?(?:([0-9]{1,2})s(?:ec)?)?(?![^\W_])"
)
_UNITS = ("day", "hour", "minute", "second")
_SECONDS = (86_400, 3_600, 60, 1)
_METRES = re.compile(
    r"([0-9]) ?m ?([0-9]{2})(?![^\W_]|[.,:/-][0-9]|%| ?[%°$€£])"
    r"(?:(?! ?[^\W_])"
    r"|(?= (?:tall|high|long|wide|deep|in|and|or|de|hoch|groß|lang|breit|und|et|pour|alt[oa]s?|di|y|e)\b))"
)
_FEET = re.compile(
    r"([0-9]{1,2})' ?([0-9]|1[01])(?:\"|''|(?<=[4-7]'[0-9])(?![\w'\"]|[.,][0-9])|(?<=[4-7]'1[01])(?![\w'\"]|[.,][0-9]))"
)
_INCHES_A_FOOT = 12
_PRICE = re.compile(r"([0-9]{1,5})[€£]([0-9]{2})(?![0-9]|[.,][0-9])")


def span_at(text: str, start: int) -> Number | None:
    """The duration '3m20s', the length '1m80' or the price '20€50' whose first figure stands at `start`."""
    duration = _SPAN.match(text, start)
    if duration is not None and (read := _duration(duration)) is not None:
        return read
    metres = _METRES.match(text, start)
    if metres is not None:
        return _amount(metres, *_worth(metres), unit="metre")
    feet = _FEET.match(text, start)
    if feet is not None:
        parts = (int(feet.group(1)), int(feet.group(2)))
        return _amount(feet, parts[0] * _INCHES_A_FOOT + parts[1], parts, unit="inch")
    price = _PRICE.match(text, start)
    if price is None:
        return None
    return _amount(price, *_worth(price), currency=currency_of(text[price.end(1)]))


def _worth(match: re.Match[str]) -> tuple[Decimal, tuple[int, ...]]:
    """The value of what has a sign for its decimal point, and its parts."""
    whole, decimals = match.group(1), match.group(2)
    return Decimal(f"{whole}.{decimals}"), (int(whole), int(decimals))


def _duration(match: re.Match[str]) -> Number | None:
    """The whole in its smallest unit; '1h30m' is left to the clock, for it may be a time of day."""
    said = [place for place, group in enumerate(match.groups()) if group]
    if len(said) < 2 or said == [1, 2]:
        return None
    parts = tuple(int(match.groups()[place] or 0) for place in said)
    seconds = sum(part * _SECONDS[place] for part, place in zip(parts, said, strict=True))
    return _amount(match, seconds // _SECONDS[said[-1]], parts, unit=_UNITS[said[-1]])


def _amount(
    match: re.Match[str], value: int | Decimal, parts: tuple[int, ...], *, unit: str = "", currency: str | None = None
) -> Number:
    written = match.group().rstrip()
    return Number(
        Kind.QUANTITY, match.start(), match.start() + len(written), (value,), unit=unit_of(unit), currency=currency,
        parts=parts, written=written,
    )  # fmt: skip


# --- times of four figures ----------------------------------------------------------------------

_SHORT_TIME = re.compile(r"(?:[01][0-9]|2[0-3])[0-5][0-9]")
_HOURS_BEHIND = re.compile(r"[ -]?(?:hours|hrs|h|Uhr|local time|UTC|GMT|Z)(?!\w)")
_AT_BEFORE = re.compile(r"\b(?:at|by|until|till|from|to|before|after|since|between|and) $", re.IGNORECASE)
_RANGES = frozenset({"-", "to", "until", "till", "and", "bis"})
_DIGITS = len("0900")


def with_short_times(numbers: list[Number], text: str) -> list[Number]:
    """The numbers, where '0900', 'at 1700 hours' and both of '0900-1700' may be times of day too.

    Args:
        numbers: In the order of the text.
        text: The text in normal form.
    """
    times = dict(_short_times(numbers, text))
    return [times.get(place, number) for place, number in enumerate(numbers)] if times else numbers


def _short_times(numbers: list[Number], text: str) -> Iterator[tuple[int, Number]]:
    last: Number | None = None
    for place, number in enumerate(numbers):
        if len(number.written) != _DIGITS or _SHORT_TIME.fullmatch(number.written) is None:
            continue
        if _is_time(number, text) or (last is not None and _ends_range(last, number, text)):
            last = number._replace(minutes=(int(number.written[:2]) * 60 + int(number.written[2:]),))
            yield place, last


def _is_time(number: Number, text: str) -> bool:
    """A leading zero tells, or words on both sides; all else may be a year or an amount."""
    if number.kind is not Kind.QUANTITY or number.currency or number.scale != 1:
        return False
    if number.written.startswith("0"):
        return True
    before = _AT_BEFORE.search(text, max(0, number.start - len("between ")), number.start)
    return before is not None and _HOURS_BEHIND.match(text, number.end) is not None


def _ends_range(first: Number, second: Number, text: str) -> bool:
    is_plain = second.kind is Kind.QUANTITY and not second.currency and second.scale == 1
    return is_plain and text[first.end : second.start].strip() in _RANGES
