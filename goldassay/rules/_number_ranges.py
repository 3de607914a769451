"""Numbers that belong together: ranges share a percent sign, scale, century, month or hour; 'one in five' is a ratio.

Works on the numbers of one text in their order. Called by `_number_index`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_clock import either_half
from goldassay.rules._number_dates import DateFields, valid
from goldassay.rules._number_days import of_dates
from goldassay.rules._number_hours import with_hours
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_units import SCALES
from goldassay.rules._number_values import tidy, times

__all__ = ["joined_numbers"]

_JOINERS = frozenset(
    {"-", "--", "/", "to", "and", "or", "bis", "und", "oder", "à", "a", "et", "y", "e", "en", ",", "→", "->"}
)
_DATE_JOINERS = frozenset({"-", "--", "to", "until", "till", "through", "and", "bis", "und", "au", "al", "a", "à"})
_RATIO_JOINERS = frozenset({" in ", " in every ", " out of ", " out of every "})
_LONGEST_GAP = 14
_YEAR_GAPS = frozenset({" ", ", ", ","})
_ENDS_LIST = re.compile(r"[.,;:!?)]|$|\s\d{4}(?!\d)")


def joined_numbers(numbers: list[Number], text: str) -> list[Number]:
    """The numbers with what they share with their neighbours.

    Args:
        numbers: In the order of the text.
        text: The text in normal form.
    """
    joined: list[Number] = []
    for number in reversed(with_hours(numbers, text)):
        following = joined.pop() if joined else None
        if following is None:
            joined.append(number)
        elif (ratio := _ratio(number, following, text)) is not None:
            joined.append(ratio)
        else:
            year = joined[-1] if joined else None
            first, second, takes_year = _pair(number, following, year, text)
            if takes_year:
                joined.pop()
            joined += [second, first]
    joined.reverse()
    return joined


def _pair(first: Number, second: Number, third: Number | None, text: str) -> tuple[Number, Number, bool]:
    """Two neighbours, each with what it takes from the other; whether the second takes in the third as its year."""
    gap = text[first.end : second.start]
    if not gap or len(gap) > _LONGEST_GAP:
        return first, second, False
    if gap == ". " and first.written.isdigit() and second.readings and second.written[0].isdigit():
        first = _torn_decimal(first, second)
    if gap.strip(" .") in _DATE_JOINERS:
        days = _days(first, second, third, text)
        if days is not None:
            return days
        if second.minutes and _is_hour(first):
            return _hour(first), second, False
    if len(gap) <= 6 and gap.strip() in _JOINERS and first.readings and second.readings:
        first = _like_next(first, second) if first.kind is Kind.QUANTITY and first.unit is None else first
        second = _with_century(first, second, gap)
    return first, second, False


# --- quantities --------------------------------------------------------------------------------


def _torn_decimal(first: Number, second: Number) -> Number:
    """'31. 8 million' in a text that was taken apart and joined again may be 31.8 million."""
    digits = second.written.split()[0]
    if not digits.isdigit() or len(digits) > 4:
        return first
    return first._replace(parts=(*first.parts, times(Decimal(f"{first.written}.{digits}"), second.scale)))


def _like_next(first: Number, second: Number) -> Number:
    if second.kind is Kind.PERCENT or second.percent_too:
        first = first._replace(percent_too=True)
    scale = _scale(second)
    if scale > 1 and _scale(first) == 1:
        first = first._replace(readings=(*first.readings, *(times(value, scale) for value in first.readings)))
    return first


def _scale(number: Number) -> int:
    """Its factor; that of words is the last of them: 'two thousand'."""
    return SCALES.get(number.written.rpartition(" ")[2].casefold(), 1) if number.word else number.scale


def _with_century(first: Number, second: Number, gap: str) -> Number:
    """'1998-99' ends in 1999."""
    start, end = first.readings[0], second.readings[0]
    is_short = (
        gap.strip() in {"-", "/", "--"} and len(second.written) == 2 and isinstance(start, int) and isinstance(end, int)
    )
    if is_short and 1000 <= start <= 2999 and second.kind is Kind.QUANTITY:
        return second._replace(readings=(*second.readings, int(start) // 100 * 100 + int(end)))
    return second


def _is_bare(number: Number) -> bool:
    """Whether it is a whole number that counts and measures nothing that is written."""
    if number.kind is not Kind.QUANTITY or not number.readings or not isinstance(number.readings[0], int):
        return False
    return number.unit is None and number.currency is None and number.scale == 1 and not number.percent_too


def _ratio(first: Number, second: Number, text: str) -> Number | None:
    """'one in five' and '9 out of 10' are shares."""
    if text[first.end : second.start] not in _RATIO_JOINERS or not _is_bare(first) or not _is_bare(second):
        return None
    upper, lower = int(first.readings[0]), int(second.readings[0])
    if not 0 < upper < lower <= 100:
        return None
    share = tidy(Fraction(upper, lower))
    readings: tuple[Value, ...] = (share,)
    if isinstance(share, Fraction):
        readings = (Decimal(round(share * 100)) / 100, Decimal(round(share * 1000)) / 1000, share)  # 33 %
    if upper == 1:
        readings = (*readings, lower)  # 'every fifth' is one in five too
    written = text[first.start : second.end]
    word = first.word and second.word
    return Number(Kind.QUANTITY, first.start, second.end, readings, parts=(upper, lower), word=word, written=written)


# --- days and hours ----------------------------------------------------------------------------


def _is_hour(number: Number) -> bool:
    return _is_bare(number) and len(number.written) <= 2 and number.written.isdigit() and number.readings[0] <= 24


def _hour(number: Number) -> Number:
    """The 9 of '9-13 Uhr' and '9 to 11 am'."""
    hour = int(number.readings[0])
    return Number(Kind.TIME, number.start, number.end, minutes=either_half(hour), parts=(hour,), written=number.written)


def _day(number: Number) -> int | None:
    is_day = number.kind is Kind.ORDINAL or (_is_bare(number) and number.written.isdigit())
    value = number.readings[0] if is_day and not number.word and number.readings else 0
    return int(value) if 1 <= value <= 31 else None


def _days(first: Number, second: Number, third: Number | None, text: str) -> tuple[Number, Number, bool] | None:
    """'June 3-5, 2025' and '3 to 5 June 2025' name two days each."""
    if len(first.dates) == 1 and first.dates[0].year is None and (day := _day(second)) is not None:
        return _last_day(first, second, day, third, text)
    day = _day(first)
    if day is None or len(second.dates) != 1 or not second.written[0].isdigit() or second.written.isdigit():
        return None
    year, month, last = second.dates[0]
    fields = valid(year, month, day)
    if last is None or day >= last or fields is None:
        return None
    return of_dates(text, first.start, first.end, fields), second, False


def _last_day(
    first: Number, second: Number, day: int, third: Number | None, text: str
) -> tuple[Number, Number, bool] | None:
    month, start = first.dates[0].month, first.dates[0].day
    if start is None or day <= start or valid(None, month, day) is None or second.unit is not None:
        return None
    takes_year = third is not None and text[second.end : third.start] in _YEAR_GAPS and _is_year(third)
    if not takes_year and text[first.end : second.start].strip() == "and" and not _ENDS_LIST.match(text, second.end):
        return None  # 'On June 3 and 5 people came'
    year = int(third.readings[0]) if third is not None and takes_year else None
    end = third.end if third is not None and takes_year else second.end
    begins = of_dates(text, first.start, first.end, DateFields(year, month, start))
    return begins, of_dates(text, second.start, end, DateFields(year, month, day)), takes_year


def _is_year(number: Number) -> bool:
    return _is_bare(number) and len(number.written) == 4 and number.written.isdigit() and number.readings[0] >= 1000
