"""One number as it stands in a text: what kind it is, and every value it may mean.

Shared by the modules that read numbers (`_number_scan`, `_number_words`), compare
them (`_number_compare`) and use them (`numbers`, `key_fact`, `explain`).
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_dates import DateFields
from goldassay.rules._number_units import Unit

__all__ = ["Kind", "Number", "Value", "plain"]

Value = int | Decimal | Fraction
"""Exact; equal values of the three types are equal and hash alike."""


class Kind(StrEnum):
    """What a number counts or names; numbers of different kinds are never the same number."""

    QUANTITY = "quantity"
    PERCENT = "percent"
    POINTS = "points"
    """Percentage points."""
    ORDINAL = "ordinal"
    DECADE = "decade"
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    """Compared part by part as text: 7.10 is not 7.1."""
    IDENTIFIER = "identifier"
    """Compared as written: COVID-19, K-204, 12b, telephone numbers."""


class Number(NamedTuple):
    """A number at a place of a text in normal form."""

    kind: Kind
    start: int
    end: int
    """The span with sign, currency, scale and percent sign, without the unit."""
    readings: tuple[Value, ...] = ()
    """Every value it may have, the likeliest first; empty for identifiers and versions."""
    doubtful: tuple[Value, ...] = ()
    """Further values that it has only if its separator is read against the habit of its text."""
    undecided: bool = False
    """Its text shows no habit: the doubtful readings are as good as the others."""
    scale: int = 1
    """The factor of its scale word, already applied."""
    unit: Unit | None = None
    currency: str | None = None
    key: str = ""
    """Identifier or version without spaces and hyphens, casefolded."""
    dates: tuple[DateFields, ...] = ()
    """Days or months it may mean; of a version and a plain figure too: 15.3.24, 20240315."""
    minutes: tuple[int, ...] = ()
    """Possible minutes after midnight of a time of day."""
    parts: tuple[Value, ...] = ()
    """Plain values inside it: the day and year of a date, both sides of 3/5."""
    word: bool = False
    """Written as a word."""
    percent_too: bool = False
    """May be a percentage: '5' in '5-7 %'."""
    written: str = ""
    """Its characters in normal form."""


def plain(number: Number) -> str:
    """The number in plain digits with its scale applied: '$28M' -> '28000000', '61 percent' -> '61%'."""
    if number.kind in {Kind.IDENTIFIER, Kind.VERSION, Kind.TIME} or not number.readings:
        return number.written
    value = number.readings[0]
    text = format(value.normalize(), "f") if isinstance(value, Decimal) else str(value)
    return text + {Kind.PERCENT: "%", Kind.POINTS: "pp"}.get(number.kind, "")
