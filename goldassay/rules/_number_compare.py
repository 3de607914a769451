"""Whether a number of the answer stands in a text: by value, scale and kind, never by its characters alone.

`find_number` gives the first place where it stands, and how: just so, converted,
rounded, or only if an ambiguous separator or date is read one way. Knows nothing of
citations, settings or findings.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_dates import agree
from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_units import Unit
from goldassay.rules._number_words import implied_words

__all__ = ["How", "Match", "find_month_and_day", "find_number", "holds_year", "names_years"]


class How(StrEnum):
    """How a number of the answer agrees with one of a text."""

    SAME = "same"
    AMBIGUOUS_DATE = "ambiguous_date"
    """One of two readings of day and month agrees."""
    AMBIGUOUS_SEPARATOR = "ambiguous_separator"
    """Agrees only if a separator is read the other way."""
    CONVERTED = "converted"
    """The same amount in another unit, or a percentage and its decimal fraction."""
    ROUNDED = "rounded"
    SIGN = "sign"
    """The same figure with another sign."""


class Match(NamedTuple):
    """Where and how a number was found."""

    how: How
    number: Number | None
    """The number of the text; None where words imply it."""
    start: int
    end: int


def find_number(wanted: Number, index: NumberIndex, context: str = "") -> Match | None:
    """The best agreement of a number with those of a text.

    Args:
        wanted: A number of the answer.
        index: The numbers of one source, question or turn.
        context: The answer's characters before the number, for words such as 'about'.

    Returns:
        The match, or None where the text does not hold the number.
    """
    if wanted.kind in {Kind.IDENTIFIER, Kind.VERSION}:
        return _by_key(wanted, index)
    if wanted.dates:
        return _by_date(wanted, index)
    return (
        _same(wanted, index)
        or _pieces(wanted, index)
        or _euros_and_cents(wanted, index)
        or _beside_its_word(wanted, index, context)
        or _near(wanted, index, context)
    )


def _hit(how: How, number: Number) -> Match:
    return Match(how, number, number.start, number.end)


# --- names -------------------------------------------------------------------------------------


def _by_key(wanted: Number, index: NumberIndex) -> Match | None:
    found = index.by_key.get(wanted.key)
    if found is not None:
        return _hit(How.SAME, found)
    quarter = _QUARTER.fullmatch(wanted.key)
    if quarter is not None:
        return _quarter(int(quarter.group(1) or quarter.group(2)), index)
    pieces = re.findall(r"[^\W\d_]+|[0-9]+", wanted.written)[:12]
    pattern = r"(?<![^\W_])" + r"[\W_]{0,2}".join(re.escape(piece) for piece in pieces) + r"(?![^\W_])"
    if wanted.kind is Kind.VERSION:
        pattern = rf"(?<![\w.]){re.escape(wanted.written)}(?![\w]|\.[0-9])"
    match = re.search(pattern, index.text, re.IGNORECASE)
    return Match(How.SAME, None, *match.span()) if match else None


_QUARTER = re.compile(r"q([1-4])|([1-4])q")
_QUARTER_WORDS = ("", "first|1st|1", "second|2nd|2", "third|3rd|3", "fourth|4th|final|last|4")


def _quarter(number: int, index: NumberIndex) -> Match | None:
    """'Q3' is '3Q' and 'the third quarter'."""
    pattern = rf"\b(?:(?:{_QUARTER_WORDS[number]})(?: fiscal)?[ -]quarter|quarter {number}|q{number}|{number}q)"
    match = re.search(pattern, index.text, re.IGNORECASE)
    return Match(How.SAME, None, *match.span()) if match else None


# --- dates -------------------------------------------------------------------------------------


def _by_date(wanted: Number, index: NumberIndex) -> Match | None:
    for number in index.dates:
        if any(agree(mine, theirs) for mine in wanted.dates for theirs in number.dates):
            how = How.SAME if len(wanted.dates) == len(number.dates) == 1 else How.AMBIGUOUS_DATE
            return _hit(how, number)
    return None


def find_month_and_day(wanted: Number, index: NumberIndex) -> Match | None:
    """A date of the text without a year that agrees with the wanted one but for its year; for a month, its name."""
    fields = wanted.dates[0]
    for number in index.dates:
        if number.dates[0].year is None and agree(fields._replace(year=None), number.dates[0]):
            return _hit(How.SAME, number)
    if fields.day is None:
        name = wanted.written.split()[0].strip(".,")
        month = re.search(rf"(?<!\w){re.escape(name)}", index.text, re.IGNORECASE)
        return Match(How.SAME, None, *month.span()) if month else None
    return None


def holds_year(year: int, index: NumberIndex) -> bool:
    """Whether the text names the year, alone or in a date."""
    return _holds(year, index)


def _holds(value: Value, index: NumberIndex) -> bool:
    return value in index.by_value or value in index.by_part


def names_years(index: NumberIndex) -> bool:
    """Whether the text names any year, alone or in a date."""
    return any(number.dates and number.dates[0].year is not None for number in index.dates) or any(
        _may_be_year(number) and 1000 <= number.readings[0] <= 2100 for number in index.numbers if number.readings
    )


# --- values ------------------------------------------------------------------------------------


def _same(wanted: Number, index: NumberIndex) -> Match | None:
    signed: Match | None = None
    for value in wanted.readings:
        for number in index.by_value.get(value, ()):
            if compatible(wanted, number):
                return _hit(How.SAME, number)
        for number in index.by_value.get(-value, ()) if value else ():
            if compatible(wanted, number) and signed is None:
                signed = _hit(How.SAME if value > 0 else How.SIGN, number)
    return signed or _parts(wanted, index) or _time(wanted, index) or _span_of_years(wanted, index)


def compatible(wanted: Number, there: Number) -> bool:
    """Whether two numbers of equal value may be the same number: kind, currency and unit do not clash."""
    if not _kinds_agree(wanted, there):
        return False
    if wanted.currency and there.currency and wanted.currency != there.currency:
        return False
    return not (wanted.unit and there.unit and _units_clash(wanted.unit, there.unit))


def _kinds_agree(wanted: Number, there: Number) -> bool:
    if wanted.kind is Kind.PERCENT or wanted.percent_too:
        return there.kind in {Kind.PERCENT, Kind.POINTS} or there.percent_too or wanted.kind is there.kind
    if wanted.kind is Kind.POINTS:
        return there.kind in {Kind.PERCENT, Kind.POINTS} or there.percent_too
    if there.kind in {Kind.PERCENT, Kind.POINTS}:
        return wanted.unit is None and wanted.currency is None
    return True


def _units_clash(mine: Unit, theirs: Unit) -> bool:
    return mine.dimension == theirs.dimension and mine.factor != theirs.factor


def _parts(wanted: Number, index: NumberIndex) -> Match | None:
    if wanted.kind in {Kind.PERCENT, Kind.POINTS}:
        return None
    for value in wanted.readings:
        for number in index.by_part.get(value, ()):
            return _hit(How.SAME, number)
    return None


def _pieces(wanted: Number, index: NumberIndex) -> Match | None:
    """'3/5' stands where 3 and 5 do; '12 500' where 12 and 500 do."""
    if len(wanted.parts) < 2 or wanted.minutes or not all(_holds(part, index) for part in wanted.parts):
        return None
    first = (index.by_value.get(wanted.parts[0]) or index.by_part[wanted.parts[0]])[0]
    return _hit(How.SAME, first)


def _euros_and_cents(wanted: Number, index: NumberIndex) -> Match | None:
    """'12.50 euros' stands where 'twelve euros and fifty cents' does."""
    if wanted.currency is None or not isinstance(wanted.readings[0], Decimal):
        return None
    whole = int(wanted.readings[0])
    cents = int((wanted.readings[0] - whole) * 100)
    for number in index.by_value.get(whole, ()):
        for other in index.by_value.get(cents, ()):
            if number.currency and 0 < other.start - number.end <= 6:
                return Match(How.SAME, number, number.start, other.end)
    return None


def _time(wanted: Number, index: NumberIndex) -> Match | None:
    for number in index.times if wanted.minutes else ():
        if set(wanted.minutes) & set(number.minutes):
            return _hit(How.SAME, number)
    if len(wanted.parts) == 1 and wanted.minutes and _holds(wanted.parts[0], index):
        return _hit(How.SAME, (index.by_value.get(wanted.parts[0]) or index.by_part[wanted.parts[0]])[0])
    return None


def _span_of_years(wanted: Number, index: NumberIndex) -> Match | None:
    """'the 1990s' or 'the 15th century', where the text names a year of it."""
    if wanted.kind is Kind.DECADE:
        years = range(int(wanted.readings[0]), int(wanted.readings[0]) + 10)
    elif wanted.unit is not None and wanted.unit.name == "century" and 1 <= wanted.readings[0] <= 21:
        last = int(wanted.readings[0]) * 100
        years = range(last - 100, last + 1)
    else:
        return None
    for value in (*index.by_value, *index.by_part):
        if value in years:
            return _hit(How.SAME, (index.by_value.get(value) or index.by_part[value])[0])
    return None


_WORD_BEFORE = re.compile(r"([^\W\d_]{1,20})[ -]{1,3}$")


def _beside_its_word(wanted: Number, index: NumberIndex, context: str) -> Match | None:
    """'SU - 27' and 'Type 2' where the text writes 'SU-27' and 'type2': names that were torn apart."""
    before = _WORD_BEFORE.search(context) if wanted.kind is Kind.QUANTITY and not wanted.word else None
    if before is None:
        return None
    pattern = rf"(?<![^\W_]){re.escape(before.group(1))}[ -]{{0,3}}{re.escape(wanted.written.lstrip('-'))}(?![^\W_]|[.,][0-9])"
    match = re.search(pattern, index.text, re.IGNORECASE)
    return Match(How.SAME, None, *match.span()) if match else None


# --- nearly ------------------------------------------------------------------------------------

_HEDGE = re.compile(
    r"(?:\b(?:(?P<least>over|more than|at least|above|exceed(?:s|ed|ing)?|upwards of|minimum of|über|mehr als|mindestens"
    r"|plus de|más de|oltre|mais de|meer dan)"
    r"|(?P<most>nearly|almost|under|less than|fewer than|below|up to|at most|maximum of|fast|knapp|bis zu|weniger als"
    r"|près de|moins de|casi|menos de|quasi|quase|bijna)"
    r"|about|around|roughly|approximately|approx\.?|some|circa|ca\.?|close to|etwa|rund|environ|unos|unas|cerca de|ongeveer)"
    r"|~|≈|±) ?(?:the |a |an )?[$€£]?$",
    re.IGNORECASE,
)


def _near(wanted: Number, index: NumberIndex, context: str) -> Match | None:
    return (
        _converted(wanted, index)
        or _implied(wanted, index)
        or _ambiguous(wanted, index)
        or _rounded(wanted, index, _HEDGE.search(context[-24:]))
    )


def _implied(wanted: Number, index: NumberIndex) -> Match | None:
    for value in wanted.readings[:1]:
        span = implied_words(value, index.text)
        if span is not None:
            return Match(How.SAME, None, *span)
    return None


def _ambiguous(wanted: Number, index: NumberIndex) -> Match | None:
    for value in wanted.readings:
        for number in index.doubtful.get(value, ()):
            if _kinds_agree(wanted, number):
                return _hit(How.AMBIGUOUS_SEPARATOR, number)
    for value in wanted.doubtful:
        for number in index.by_value.get(value, ()):
            if _kinds_agree(wanted, number):
                return _hit(How.AMBIGUOUS_SEPARATOR, number)
    return None


def _converted(wanted: Number, index: NumberIndex) -> Match | None:
    for value in wanted.readings[:1]:
        other = _percent_or_fraction(wanted, value)
        for number in index.by_value.get(other, ()) if other is not None else ():
            if (number.kind is Kind.PERCENT) != (wanted.kind is Kind.PERCENT) and number.unit is None:
                return _hit(How.CONVERTED, number)
        if wanted.unit is not None:
            return _other_unit(wanted, wanted.unit, index)
    return None


def _percent_or_fraction(wanted: Number, value: Value) -> Value | None:
    """13 % is 0.13 of a whole."""
    if wanted.kind is Kind.PERCENT:
        return _exact_ratio(value, 100)
    if wanted.kind is Kind.QUANTITY and 0 < value < 1:
        return _exact_ratio(value, Fraction(1, 100))
    return None


def _exact_ratio(value: Value, by: int | Fraction) -> Value:
    return Fraction(value) / by


def _other_unit(wanted: Number, unit: Unit, index: NumberIndex) -> Match | None:
    """The same amount in another unit, as far as the rounder of the two is written out."""
    amount = Fraction(wanted.readings[0]) * Fraction(unit.factor)
    for number in index.numbers:
        theirs = number.unit
        if theirs is None or theirs.dimension != unit.dimension or theirs.factor == unit.factor:
            continue
        for other in number.readings[:1]:
            there = Fraction(other) * Fraction(theirs.factor)
            slack = max(_last_place(wanted) * Fraction(unit.factor), _last_place(number) * Fraction(theirs.factor)) / 2
            if there and abs(amount - there) <= min(slack, abs(there) / 20):
                return _hit(How.CONVERTED, number)
    return None


def _rounded(wanted: Number, index: NumberIndex, hedge: re.Match[str] | None) -> Match | None:
    """The text's number, rounded to the places that the answer writes; looser where the answer says 'about'."""
    if not wanted.readings or wanted.kind in {Kind.ORDINAL, Kind.DECADE, Kind.TIME}:
        return None
    if hedge is None and _may_be_year(wanted):
        return None
    low, high = _bounds(wanted, hedge)
    unit = _last_place(wanted)
    for number in index.numbers:
        for other in number.readings[:1]:
            if low <= other <= high and _finer(number, unit) and compatible(wanted, number):
                return _hit(How.ROUNDED, number)
    return None


def _bounds(wanted: Number, hedge: re.Match[str] | None) -> tuple[Fraction, Fraction]:
    """Between which values a number may round to the wanted one."""
    value = Fraction(wanted.readings[0])
    unit = _last_place(wanted)
    slack = min(unit / 2, abs(value) / 20) if hedge is None else min(unit, abs(value) / 10)
    low, high = value - slack, value + slack
    if hedge is not None and hedge.group("least"):
        return value, value + min(unit, abs(value) / 2)
    if hedge is not None and hedge.group("most"):
        return value - min(unit, abs(value) / 2), value
    return low, high


def _may_be_year(number: Number) -> bool:
    return number.written.isdigit() and len(number.written) == 4


def _finer(number: Number, unit: Fraction) -> bool:
    return _last_place(number) < unit


def _last_place(number: Number) -> Fraction:
    """Worth of the last significant digit as written: 25.3 -> 0.1, 4,200 -> 100, 1.2 million -> 100,000."""
    value = number.readings[0]
    if isinstance(value, Fraction):
        return Fraction(1, 1000)
    digits, exponent = _digits(Decimal(value))
    del digits
    place = Fraction(10) ** exponent
    return place if number.scale == 1 else min(place, Fraction(number.scale))


def _digits(value: Decimal) -> tuple[tuple[int, ...], int]:
    normal = value.normalize().as_tuple()
    exponent = normal.exponent if isinstance(normal.exponent, int) else 0
    return normal.digits, exponent
