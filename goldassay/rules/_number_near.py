"""Whether a number of the answer stands in a text nearly: converted, rounded, implied, or read another way.

Asked by `_number_compare` only after the same number was not found.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from fractions import Fraction
from math import inf
from operator import attrgetter

from goldassay.rules._number_counted import Sought, unit_meant
from goldassay.rules._number_implied import implied_words
from goldassay.rules._number_index import NumberIndex, index_numbers
from goldassay.rules._number_match import (
    How,
    Match,
    compatible,
    hit,
    kinds_agree,
    last_place,
    may_be_year,
    significant_digits,
)
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_units import Unit, base_amount, unit_of
from goldassay.text import TextCache

__all__ = ["find_nearly"]


_AT_LEAST = (
    "over|more than|at least|above|exceed(?:s|ed|ing)?|upwards of|minimum of|über|mehr als|mindestens|plus de|más de"
    "|oltre|mais de|meer dan"
)
_AT_MOST = "under|less than|fewer than|below|up to|at most|maximum of|bis zu|weniger als|moins de|menos de"
_NEARLY = "nearly|almost|fast|knapp|près de|casi|quasi|quase|bijna"
_ABOUT = (
    r"about|around|roughly|approximately|approx\.?|some|circa|ca\.?|close to|etwa|rund|environ|unos|unas|cerca de"
    "|ongeveer"
)
_HEDGE = re.compile(
    rf"(?:\b(?:(?P<least>{_AT_LEAST})|(?P<most>{_AT_MOST})|(?P<nearly>{_NEARLY})|{_ABOUT})|~|≈|±)"
    r" ?(?:the |a |an )?[$€£]?$",
    re.IGNORECASE,
)


_SHORT_OF = Fraction(3, 20)
"""How much less than a number may be called nearly that: 85 are nearly 100, 70 are not."""


def find_nearly(sought: Sought, index: NumberIndex) -> Match | None:
    """The best place where the number nearly stands; None: it does not."""
    wanted = sought.number
    hedge = _HEDGE.search(sought.before[-24:])
    return (
        _converted(wanted, index)
        or _implied(sought, index)
        or _ambiguous(wanted, index)
        or _rounded(sought, index, hedge)
        or (_within_amount(wanted, index, hedge) if hedge is not None else None)
    )


def _implied(sought: Sought, index: NumberIndex) -> Match | None:
    span = implied_words(sought, index.text)
    return Match(How.SAME, None, *span) if span is not None else None


def _ambiguous(wanted: Number, index: NumberIndex) -> Match | None:
    pairs = [(value, index.doubtful) for value in wanted.readings]
    pairs += [(value, index.by_value) for value in wanted.doubtful]
    for value, table in pairs:
        for number in table.get(value, ()):
            if kinds_agree(wanted, number):
                is_open = wanted.undecided or number.undecided or _figure(wanted) == _figure(number)
                return hit(How.UNDECIDED_SEPARATOR if is_open else How.AMBIGUOUS_SEPARATOR, number)
    return None


def _figure(number: Number) -> str:
    """Its digits and separators: who copies '3,500' into a text of another habit copies its meaning."""
    return "".join(character for character in number.written if character.isdigit() or character in ".,")


def _converted(wanted: Number, index: NumberIndex) -> Match | None:
    for value in wanted.readings:
        other = _percent_or_fraction(wanted, value)
        for number in index.by_value.get(other, ()) if other is not None else ():
            if (number.kind is Kind.PERCENT) != (wanted.kind is Kind.PERCENT) and number.unit is None:
                return hit(How.CONVERTED, number)
    if wanted.currency is not None and wanted.readings and (coin := _in_cents(wanted, index)) is not None:
        return coin
    unit = unit_meant(wanted) if wanted.readings else None
    return _other_unit(wanted, unit, index) if unit is not None else None


def _percent_or_fraction(wanted: Number, value: Value) -> Value | None:
    """13 % is 0.13 of a whole."""
    if wanted.kind is Kind.PERCENT:
        return _exact_ratio(value, 100)
    if wanted.kind is Kind.QUANTITY and 0 < value < 1:
        return _exact_ratio(value, Fraction(1, 100))
    return None


def _exact_ratio(value: Value, by: int | Fraction) -> Value:
    return Fraction(value) / by


def _in_cents(wanted: Number, index: NumberIndex) -> Match | None:
    """'20 cents' are '$0.20'."""
    is_coin = wanted.currency == "cent"
    other = _exact_ratio(wanted.readings[0], 100 if is_coin else Fraction(1, 100))
    for number in index.by_value.get(other, ()):
        if number.currency and (number.currency == "cent") != is_coin:
            return hit(How.CONVERTED, number)
    return None


_PLAIN_DIGITS = 3
_NAME_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_]{0,12}[A-Z][^\W\d_]{0,12}) $")
_LONGEST_NAME = 26
_MOST_MEASURED = 2000  # amounts of one text that are converted
_MOST_NEAR = 200  # numbers of one text looked at for rounding
_ONE_OF = "second minute hour day week month year decade century kilogram tonne kilometre mile litre"


def _one_unit(amount: Fraction, unit: Unit, index: NumberIndex) -> Match | None:
    """'12 months' are 'a year'."""
    for name in _ONE_OF.split():
        other = unit_of(name)
        if other is None or other.dimension != unit.dimension or Fraction(other.factor) != amount:
            continue
        match = re.search(rf"\b(?:a|an|per|each|every|whole|full) {name}\b", index.text)
        return Match(How.CONVERTED, None, *match.span()) if match else None
    return None


def _other_unit(wanted: Number, unit: Unit, index: NumberIndex) -> Match | None:
    """The same amount in another unit, as far as the rounder of the two is written out."""
    amount = base_amount(wanted.readings[0], unit)
    for number in index.measured[:_MOST_MEASURED]:
        theirs = unit_meant(number)
        if theirs is None or theirs.dimension != unit.dimension or theirs.factor == unit.factor:
            continue
        if (number.start, number.end) in index.pieces:
            continue
        for other in number.readings[:1]:
            there = base_amount(other, theirs)
            slack = max(last_place(wanted) * Fraction(unit.factor), last_place(number) * Fraction(theirs.factor)) / 2
            if len(wanted.parts) > 1:  # '1 hour and 57 minutes' are no rounding of two hours
                slack = min(slack, Fraction(unit.factor) / 2)
            if there and abs(amount - there) <= min(slack, abs(there) / 20):
                return hit(How.CONVERTED, number)
    return _one_unit(amount, unit, index)


def _within_amount(wanted: Number, index: NumberIndex, hedge: re.Match[str]) -> Match | None:
    """'over 2 hours' where '2 hours and 20 minutes' stand."""
    unit = unit_meant(wanted)
    if unit is None or not wanted.readings or not index.pieces:
        return None
    low, high = (bound * Fraction(unit.factor) for bound in _bounds(wanted, hedge))
    for number in index.measured[:_MOST_MEASURED]:
        theirs = number.unit if len(number.parts) > 1 and number.readings else None
        if theirs is None or theirs.dimension != unit.dimension:
            continue
        if low <= base_amount(number.readings[0], theirs) <= high:
            return hit(How.ROUNDED, number)
    return None


def _rounded(sought: Sought, index: NumberIndex, hedge: re.Match[str] | None) -> Match | None:
    """The text's number, rounded to the places that the answer writes; looser where the answer says 'about'."""
    wanted = sought.number
    if not wanted.readings or wanted.kind in {Kind.ORDINAL, Kind.DECADE, Kind.TIME}:
        return None
    if hedge is None and may_be_year(wanted):
        return None
    low, high = _bounds(wanted, hedge)
    unit = last_place(wanted)
    for number in _between(low, high, index):
        is_rounded = low <= number.readings[0] <= high and last_place(number) < unit
        if not is_rounded or _is_version_of(sought, number, index.text):
            continue
        if (hedge or _is_plain_rounding(wanted, number)) and compatible(sought, number, index.text):
            return hit(How.ROUNDED, number)
    return None


def _is_version_of(sought: Sought, there: Number, text: str) -> bool:
    """Whether the same name stands before both: 'Python 3.1' is no rounded 'Python 3.11'."""
    mine = _NAME_BEFORE.search(sought.before)
    return mine is not None and text.endswith(f"{mine.group(1)} ", max(0, there.start - _LONGEST_NAME), there.start)


def _between(low: Fraction, high: Fraction, index: NumberIndex) -> list[Number]:
    """The text's numbers that may lie between the two, in their order; a few on the edges may lie outside."""
    sizes, numbers = _BY_SIZE.get(index.text)
    first, last = _size(low), _size(high)
    edge = 1e-9 * (abs(first) + abs(last))  # floats are only nearly right; the caller compares exactly
    found = numbers[bisect_left(sizes, first - edge) : bisect_right(sizes, last + edge)]
    return sorted(found, key=attrgetter("start"))[:_MOST_NEAR]


def _by_size(text: str) -> tuple[list[float], list[Number]]:
    numbers = sorted((n for n in index_numbers(text).numbers if n.readings), key=lambda n: _size(n.readings[0]))
    return [_size(number.readings[0]) for number in numbers], numbers


_BY_SIZE = TextCache(_by_size, 3_000_000)


def _size(value: Value) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _bounds(wanted: Number, hedge: re.Match[str] | None) -> tuple[Fraction, Fraction]:
    """Between which values a number may round to the wanted one."""
    value = Fraction(wanted.readings[0])
    unit = last_place(wanted)
    if hedge is not None and hedge.group("least"):
        return value, value + min(unit, abs(value) / 2)
    if hedge is not None and hedge.group("most"):
        return value - min(unit, abs(value) / 2), value
    if hedge is not None and hedge.group("nearly"):
        return value - min(unit, abs(value) * _SHORT_OF), value
    slack = min(unit / 2, abs(value) / 20) if hedge is None else min(unit, abs(value) / 10)
    return value - slack, value + slack


def _is_plain_rounding(wanted: Number, there: Number) -> bool:
    """Whether rounding needs no 'about': decimals left out, or a figure of three digits or with a scale word.

    '20 days' for 21 days is another number; '25 %' for 25.3 % and '48,200' for 48,213 are the same.
    """
    value, other = abs(Fraction(wanted.readings[0])), abs(Fraction(there.readings[0]))
    if wanted.scale > 1 or significant_digits(wanted) >= _PLAIN_DIGITS:
        return True
    half = min(last_place(wanted), Fraction(1)) / 2
    return (other / there.scale).denominator != 1 and value - half <= other < value + half
