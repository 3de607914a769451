"""What it means that two numbers agree: the ways, the match, and which kinds and units may meet.

Shared by `_number_compare` (the same number) and `_number_near` (nearly the same).
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_counted import (
    Sought,
    noun_behind,
    rate_behind,
    share_a_word,
    sure_unit,
    unit_meant,
    words_behind,
)
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import POINT_WORDS, Unit

__all__ = [
    "How",
    "Match",
    "agreement",
    "compatible",
    "hit",
    "kinds_agree",
    "last_place",
    "may_be_year",
    "significant_digits",
]

_O_CLOCK = re.compile(r" o'")
_NAME_BEFORE = re.compile(r"([^\W\d_]{1,24})[.]? $")
_LABEL_BEFORE = re.compile(
    r"\b(?:Room|Section|Chapter|Figure|Fig|Table|Page|Article|Paragraph|Step|Line|Bus|Route|Gate|Platform|Track|Exit|Level"
    r"|Phase|Part|Volume|Appendix|Annex|Clause|Building|Floor|Suite|Raum|Zimmer|Kapitel|Seite|Artikel|Absatz|Linie|Gleis)"
    r"\.? $"
)
"""'Room 25' counts nothing."""
_NUMBERING = frozenset({"no", "number", "nr", "nummer"})
_NAMES_SOURCE = re.compile(r"(?:\[|\b(?:id|passage|source|document|reference|ref|context)\.? ?#?)$", re.IGNORECASE)
_SCORE = re.compile(r"(?<![\w.,-])[0-9]{1,2}-[0-9]{1,2}(?![\w%-]|[.,][0-9])")
_SCORE_REACH = 4
_WORDS = re.compile(r"[^\W\d_]{3,24}")
_LONGEST_MARK = 3
_LONGEST_ADDRESS = 200
_LAST_YEAR = 2100
_IN_ADDRESS = re.compile(r"://\S*\Z")
_SPACES = frozenset({"length", "area", "volume"})
"""'25 m' are surely no 25 m²: a letter that may be a unit is one where the other side measures the like."""
_ANNIVERSARIES = ("birthday", "anniversary", "year")
"""Ranks that count years without saying so: a 40th birthday comes after 40 years."""


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
    POINTS = "points"
    """Percent on one side, percentage points on the other."""
    OTHER_THING = "other_thing"
    """The same figure, but one side counts a unit and the other a plain noun: 20 GB and 20 users."""


class Match(NamedTuple):
    """Where and how a number was found."""

    how: How
    number: Number | None
    """The number of the text; None where words imply it."""
    start: int
    end: int


def hit(how: How, number: Number) -> Match:
    return Match(how, number, number.start, number.end)


def compatible(sought: Sought, there: Number, text: str) -> bool:
    """Whether two numbers of equal value are the same number, as far as kind, currency, unit and noun tell."""
    return agreement(sought, there, text) is How.SAME


def agreement(sought: Sought, there: Number, text: str) -> How | None:
    """What two numbers of equal value have to do with each other.

    Args:
        sought: The number of the answer.
        there: A number of a text.
        text: That text.

    Returns:
        SAME; POINTS or OTHER_THING where a rule cannot know; None where kind, currency or unit clash.
    """
    wanted = sought.number
    if counts_nothing(there, text) and not _NAMES_SOURCE.search(sought.before):
        return None
    if (text.startswith("-", there.end) or text.startswith("-", there.start - 1)) and _is_of_a_score(
        sought, there, text
    ):
        return None
    if sought.rate and rate_behind(text, there.end) not in {"", sought.rate}:
        return None  # 20 a month are not 20 a year
    if wanted.kind is there.kind and not (wanted.unit or wanted.currency or there.unit or there.currency):
        return How.SAME  # nothing to compare but the value; most numbers
    return _by_kind(sought, there, text)


def _by_kind(sought: Sought, there: Number, text: str) -> How | None:
    wanted = sought.number
    is_percent_of_things = there.kind is Kind.PERCENT and wanted.kind is Kind.QUANTITY and _counts_things(sought)
    if not kinds_agree(wanted, there) or _currencies_clash(wanted, there) or is_percent_of_things:
        return None
    if {wanted.kind, there.kind} == {Kind.POINTS, Kind.PERCENT}:
        return How.POINTS
    words = words_behind(text, there.end)
    before = text[max(0, there.start - 30) : there.start]
    if wanted.kind is not there.kind and Kind.ORDINAL in {wanted.kind, there.kind}:
        return How.SAME if _rank_agrees(sought, there, words, before) else None
    return _by_what_they_count(sought, there, words, text[there.end : there.end + 3], before)


def _counts_things(sought: Sought) -> bool:
    """Whether it is '13 teams', which are not 13 percent; '13 points' may be."""
    if sought.number.percent_too:
        return False
    noun = noun_behind(sought.number, sought.words)
    return noun is not None and noun not in POINT_WORDS


def _by_what_they_count(
    sought: Sought, there: Number, words: tuple[str, ...], touching: str, before: str
) -> How | None:
    wanted = sought.number
    mine = sure_unit(wanted, sought.words, sought.behind[:3])
    theirs = sure_unit(there, words, touching)
    if _units_clash(mine or wanted.unit, theirs or there.unit, is_sure=bool(mine and theirs)):
        return None
    if mine and _is_letter_of_another(touching, mine):
        return None
    if _is_money_for_measure(mine, wanted, there) or _is_money_for_measure(theirs, there, wanted):
        return None
    if mine and _O_CLOCK.match(touching):
        return None
    measured, other_measured = mine or wanted.currency, theirs or there.currency
    if measured and not (other_measured or there.unit or words) and _LABEL_BEFORE.search(before):
        return How.OTHER_THING
    noun, other_noun = noun_behind(wanted, sought.words), noun_behind(there, words)
    return How.OTHER_THING if (measured and other_noun) or (other_measured and noun) else How.SAME


def _is_money_for_measure(unit: Unit | None, measured: Number, paid: Number) -> bool:
    """Whether one side surely carries a unit and the other only a currency; pounds may be either."""
    if unit is None or measured.currency or not paid.currency or paid.unit:
        return False
    meant = unit_meant(paid)
    return meant is None or meant.dimension != unit.dimension


def _currencies_clash(wanted: Number, there: Number) -> bool:
    return bool(wanted.currency and there.currency and wanted.currency != there.currency)


def _units_clash(mine: Unit | None, theirs: Unit | None, *, is_sure: bool) -> bool:
    """Days are no hours; that days are no metres counts only where both are surely units."""
    if mine is None or theirs is None:
        return False
    if mine.dimension != theirs.dimension:
        return is_sure or {mine.dimension, theirs.dimension} <= _SPACES
    return mine.factor != theirs.factor


def _is_letter_of_another(touching: str, unit: Unit) -> bool:
    """'4m' may be metres, millions, minutes or months, but no years."""
    is_letter = touching[:1].isalpha() and not touching[1:2].isalpha()
    return is_letter and unit.dimension == "time" and not unit.name.startswith(touching[0].lower())


def _rank_agrees(sought: Sought, there: Number, words: tuple[str, ...], before: str) -> bool:
    """'3 albums' and 'the third album' may be one, so may 'Chapter 3' and 'the third chapter'; '3 months' not."""
    sides = [(sought.number, sought.words, sought.before), (there, words, before)]
    (_, named, _), (count, counted, ahead) = sides if sought.number.kind is Kind.ORDINAL else reversed(sides)
    name = _NAME_BEFORE.search(ahead)
    if name is not None and (name.group(1).casefold() in _NUMBERING or share_a_word(named, (name.group(1),))):
        return True
    if count.unit or count.currency or (named and counted):
        return share_a_word(named, (*counted, *_ANNIVERSARIES))
    return bool(counted) or not named or name is None


def _is_of_a_score(sought: Sought, there: Number, text: str) -> bool:
    """Whether '4 titles' would be found in '4-6 7-6': a pair of small figures that counts nothing like it."""
    if noun_behind(sought.number, sought.words) is None:
        return False
    begin = max(0, there.start - _SCORE_REACH)
    pair = next((m for m in _SCORE.finditer(text, begin, there.end + 3) if m.start() <= there.start < m.end()), None)
    if pair is None:
        return False
    around = (*words_behind(text, pair.end()), *_WORDS.findall(text[max(0, pair.start() - 30) : pair.start()]))
    return not share_a_word(sought.words, around)


def counts_nothing(number: Number, text: str) -> bool:
    """Whether the figure of a source is a citation mark there, '[4]', or stands in an address: no 4 of anything."""
    if not number.written.isdigit():
        return False
    if text[number.start - 1 : number.start] == "[" and text.startswith("]", number.end):
        return len(number.written) <= _LONGEST_MARK
    is_year = may_be_year(number) and number.readings[0] <= _LAST_YEAR  # an article's address may tell its year
    if is_year or "://" not in text[max(0, number.start - _LONGEST_ADDRESS) : number.start]:
        return False
    return _IN_ADDRESS.search(text, max(0, number.start - _LONGEST_ADDRESS), number.start) is not None


def kinds_agree(wanted: Number, there: Number) -> bool:
    if wanted.kind is not there.kind and Kind.TIME in {wanted.kind, there.kind}:
        return wanted.unit is not None and there.unit is not None  # '1h30' may be 90 minutes
    if wanted.kind is Kind.PERCENT or wanted.percent_too:
        return there.kind in {Kind.PERCENT, Kind.POINTS} or there.percent_too or wanted.kind is there.kind
    if wanted.kind is Kind.POINTS:
        return there.kind in {Kind.PERCENT, Kind.POINTS} or there.percent_too
    if there.kind in {Kind.PERCENT, Kind.POINTS}:
        return wanted.unit is None and wanted.currency is None
    return True


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


def significant_digits(number: Number) -> int:
    """Digits before the closing zeros: 4,200 -> 2, 25.3 -> 3."""
    value = number.readings[0]
    return 1 if isinstance(value, Fraction) else len(_digits(Decimal(value))[0])


def _digits(value: Decimal) -> tuple[tuple[int, ...], int]:
    normal = value.normalize().as_tuple()
    exponent = normal.exponent if isinstance(normal.exponent, int) else 0
    return normal.digits, exponent
