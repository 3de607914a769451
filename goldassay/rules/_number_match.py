"""What it means that two numbers agree: the ways, the match, and which kinds and units may meet.

Shared by `_number_compare` (the same number) and `_number_near` (nearly the same).
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import Unit

__all__ = ["How", "Match", "compatible", "hit", "kinds_agree", "last_place", "may_be_year"]


class How(StrEnum):
    """How a number of the answer agrees with one of a text."""

    SAME = "same"
    AMBIGUOUS_DATE = "ambiguous_date"
    """One of two readings of day and month agrees."""
    AMBIGUOUS_SEPARATOR = "ambiguous_separator"
    """Agrees only if a separator is read the other way."""
    UNDECIDED_SEPARATOR = "undecided_separator"
    """Same, and the texts do not show how they write decimals."""
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


def hit(how: How, number: Number) -> Match:
    return Match(how, number, number.start, number.end)


def compatible(wanted: Number, there: Number) -> bool:
    """Whether two numbers of equal value may be the same number: kind, currency and unit do not clash."""
    if not kinds_agree(wanted, there):
        return False
    if wanted.currency and there.currency and wanted.currency != there.currency:
        return False
    return not (wanted.unit and there.unit and _units_clash(wanted.unit, there.unit))


def kinds_agree(wanted: Number, there: Number) -> bool:
    if wanted.kind is Kind.PERCENT or wanted.percent_too:
        return there.kind in {Kind.PERCENT, Kind.POINTS} or there.percent_too or wanted.kind is there.kind
    if wanted.kind is Kind.POINTS:
        return there.kind in {Kind.PERCENT, Kind.POINTS} or there.percent_too
    if there.kind in {Kind.PERCENT, Kind.POINTS}:
        return wanted.unit is None and wanted.currency is None
    return True


def _units_clash(mine: Unit, theirs: Unit) -> bool:
    return mine.dimension == theirs.dimension and mine.factor != theirs.factor


def may_be_year(number: Number) -> bool:
    return number.written.isdigit() and len(number.written) == 4


def last_place(number: Number) -> Fraction:
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
