"""Whether '1:45:00' lasts as long as '1 hour 45 minutes'.

What lasts is often written like a time of day. It is taken for an amount only where words say that something lasts, or
the other side says the amount in hours and minutes. Asked by `_number_compare` when the same number was not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldassay.rules._number_counted import Sought
from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_match import How, Match, hit
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import base_amount

__all__ = ["find_lasting"]

_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
_AT_BEFORE = re.compile(r"\b(?:at|by|until|till|from|around|um|bis|ab|à|alle|às) $", re.IGNORECASE)
_LASTS_BEFORE = re.compile(
    r"\b(?:durations?|last(?:s|ed|ing)?|tak(?:es?|ing)|took|runs?|running time|run ?time|length|elapsed|total time"
    r"|cook(?:ing)? time|prep(?:aration)? time|Dauer|dauert|Laufzeit|durée|dure|duración|dura|durata|duração|duurt?)"
    r"(?! (?:at|from)\b)[^\w.;\n]{1,4}(?:[^\W\d]{1,12} ){0,3}$",
    re.IGNORECASE,
)
_REACH = 60


def find_lasting(sought: Sought, index: NumberIndex) -> Match | None:
    """An amount of time of the text that lasts as long as a clock of the answer shows, or the other way round."""
    wanted = sought.number
    if wanted.kind is Kind.TIME and _AT_BEFORE.search(sought.before) is None:
        return _amount(wanted, index, is_told=_LASTS_BEFORE.search(sought.before) is not None)
    if wanted.unit is not None and wanted.unit.dimension == "time" and wanted.readings:
        return _clock(wanted, index)
    return None


def _amount(wanted: Number, index: NumberIndex, *, is_told: bool) -> Match | None:
    lengths = frozenset(_lengths(wanted))
    for number in index.numbers if lengths else ():
        if number.unit is None or number.unit.dimension != "time" or not number.readings:
            continue
        if (is_told or len(number.parts) > 1) and base_amount(number.readings[0], number.unit) in lengths:
            return hit(How.SAME, number)
    return None


def _clock(wanted: Number, index: NumberIndex) -> Match | None:
    assert wanted.unit is not None  # the caller looked
    length = base_amount(wanted.readings[0], wanted.unit)
    for number in index.times:
        if not any(length == lasting for lasting in _lengths(number)):
            continue
        before = index.text[max(0, number.start - _REACH) : number.start]
        is_amount = len(wanted.parts) > 1 and _AT_BEFORE.search(before) is None
        if is_amount or _LASTS_BEFORE.search(before) is not None:
            return hit(How.SAME, number)
    return None


def _lengths(clock: Number) -> Iterator[int]:
    """Seconds that '1:45' and '1:45:00' may last; none where it says which half of the day it is."""
    match = _CLOCK.fullmatch(clock.written)
    if match is None:
        return
    first, second, third = (int(group or 0) for group in match.groups())
    yield first * 3600 + second * 60 + third
    if match.group(3) is None:
        yield first * 60 + second
