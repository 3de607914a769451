"""Amounts that several figures say in one token: '3m20s', '2d 4h', '1m80', '20€50', '5'10"'.

Called by `_number_scan`; amounts in words, '3 minutes 20 seconds', are those of `_number_compounds`.
"""

from __future__ import annotations

import re
from decimal import Decimal

from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import currency_of, unit_of

__all__ = ["span_at"]

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
