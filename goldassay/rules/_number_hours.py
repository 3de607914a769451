"""Plain figures that may be times of day: '0900-1700', 'Mon-Fri 9-17', 'dalle 9 alle 17', 'von neun bis siebzehn Uhr'.

They stay what they are, and get the minutes after midnight that they may mean besides. Works on the numbers of one text
in their order; called by `_number_ranges`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldassay.rules._number_clock import either_half
from goldassay.rules._number_model import Kind, Number
from goldassay.text import holds_one

__all__ = ["with_hours"]

_SHORT_TIME = re.compile(r"(?:[01][0-9]|2[0-3])[0-5][0-9]")
_HOURS_BEHIND = re.compile(r"[ -]?(?:hours|hrs|h|Uhr|local time|UTC|GMT|Z)(?!\w)")
_AT_BEFORE = re.compile(r"\b(?:at|by|until|till|from|to|before|after|since|between|and) $", re.IGNORECASE)
_DIGITS = len("0900")

_HINTS = (
    "Mon", "Mo-", "Fri", "Sat", "Sun", "ours", "pen ", "aily", "dalle", "Uhr", "uur", " h ", " h.", " h,", "lun", "Lun",
)  # fmt: skip
_MAY_END = re.compile(r"\s?(?:[-,.;)|]|(?:to|bis|until|till|a|à|alle|Uhr|uur|h|am|pm)\b)|\s*(?:\n|\Z)")
_OPEN_BEFORE = re.compile(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|mié|jeu|jue|gio|ven|vie|sam|sáb|sab|dim|dom|open"
    r"|daily|(?:opening )?hours|[a-z]{3,6}days?|[a-z]{4,8}tags?|täglich|geöffnet|dalle|alle|às|das)[.:,]? $",
    re.IGNORECASE,
)
_FROM_BEFORE = re.compile(r"\b(?:de|da|von|from|van) $", re.IGNORECASE)
_CLOCK_BEHIND = re.compile(r" ?(?:Uhr|uur|o'clock)\b")
_RANGES = frozenset({"-", "to", "until", "till", "and", "bis", "a", "à", "alle", "tot"})
_HOURS_A_DAY = 24
_REACH = 18  # characters before a figure


def with_hours(numbers: list[Number], text: str) -> list[Number]:
    """The numbers, where those that may be times of day have their minutes too.

    Args:
        numbers: In the order of the text.
        text: The text in normal form.
    """
    times = dict(_short_times(numbers, text))
    if holds_one(text, _HINTS) or text.endswith(" h"):
        times.update(_hours(numbers, text))
    return [times.get(place, number) for place, number in enumerate(numbers)] if times else numbers


# --- times of four figures ----------------------------------------------------------------------


def _short_times(numbers: list[Number], text: str) -> Iterator[tuple[int, Number]]:
    last: Number | None = None
    for place, number in enumerate(numbers):
        if len(number.written) != _DIGITS or _SHORT_TIME.fullmatch(number.written) is None or not _is_plain(number):
            continue
        if _is_short_time(number, text) or (last is not None and _is_range(last, number, text)):
            last = number._replace(minutes=(int(number.written[:2]) * 60 + int(number.written[2:]),))
            yield place, last


def _is_short_time(number: Number, text: str) -> bool:
    """A leading zero tells, or words on both sides; all else may be a year or an amount."""
    if number.written.startswith("0"):
        return True
    before = _AT_BEFORE.search(text, max(0, number.start - _REACH), number.start)
    return before is not None and _HOURS_BEHIND.match(text, number.end) is not None


def _is_plain(number: Number) -> bool:
    return number.kind is Kind.QUANTITY and not number.currency and number.scale == 1 and not number.minutes


def _is_range(first: Number, second: Number, text: str) -> bool:
    return text[first.end : second.start].strip() in _RANGES


# --- full hours ---------------------------------------------------------------------------------


def _hours(numbers: list[Number], text: str) -> Iterator[tuple[int, Number]]:
    last: Number | None = None
    is_last_hour = False
    for place, number in enumerate(numbers):
        if not _may_be_hour(number):
            last, is_last_hour = None, False
            continue
        joined = last is not None and _is_range(last, number, text)
        ends = joined and last is not None and _ends_hours(last, number, text)
        if ends and last is not None and not is_last_hour:
            yield place - 1, _as_hour(last)
        is_last_hour = ends or (joined and is_last_hour) or _opens(number, text)
        if is_last_hour:
            yield place, _as_hour(number)
        last = number


def _may_be_hour(number: Number) -> bool:
    if not _is_plain(number) or len(number.readings) != 1 or not (number.unit is None or number.unit.name == "hour"):
        return False
    return isinstance(number.readings[0], int) and 0 <= number.readings[0] <= _HOURS_A_DAY


def _opens(number: Number, text: str) -> bool:
    if number.word:
        return _CLOCK_BEHIND.match(text, number.end) is not None
    before = _OPEN_BEFORE.search(text, max(0, number.start - _REACH), number.start)
    return before is not None and _MAY_END.match(text, number.end) is not None


def _ends_hours(first: Number, second: Number, text: str) -> bool:
    """'de 9 a 17 h' and 'von neun bis siebzehn Uhr': the unit stands behind the last."""
    if _CLOCK_BEHIND.match(text, second.end) is not None:
        return True
    from_before = _FROM_BEFORE.search(text, max(0, first.start - _REACH), first.start)
    return second.unit is not None and first.unit is None and from_before is not None


def _as_hour(number: Number) -> Number:
    return number._replace(minutes=either_half(int(number.readings[0])))
