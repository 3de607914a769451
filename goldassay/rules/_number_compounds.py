"""Amounts that several numbers or words say together: '1 hour and 30 minutes', '6 ft 2 in', 'deux heures et demie'.

Each part must be smaller than one unit of the part before it. Works on the numbers of one text in their order; called
by `_number_index`: an answer is held to the whole amount, and a source states the whole amount: no 30 minutes where it
says '1 hour and 30 minutes'. `may_be_part` is the quick look of `_number_compare` at one place of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_counted import unit_meant
from goldassay.rules._number_measures import unit_end
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import Unit, unit_of
from goldassay.rules._number_values import tidy

__all__ = ["compounds", "is_list", "may_be_part", "with_compounds"]

_DIMENSIONS = frozenset({"time", "length", "mass"})
_JOINERS = frozenset({"", " ", " and ", ", ", ", and ", " und ", " et ", " y ", " e ", " en ", " & ", " plus ", " + "})
_LONGEST_GAP = 24
_RATE_BEHIND = re.compile(r" (?:a|an|per|each|every|daily|of|pro|par|por|am|al|je)\b| ?/")
_ONE_BEFORE = re.compile(r"\b(?:an?|one|une?|eine|una|um) ([^\W\d_]{3,10}) (?:and|et|und|y|e) $", re.IGNORECASE)
_INCHES = re.compile(r" ?in(?![\w'])(?! (?:the|a|an|all|and|19|20))")
_MINUTES = re.compile(r"m(?![\w²³/])")
_ABBREVIATED = re.compile(r"\b(?:hrs?|mins?|secs?|std|stdn?|ft|lbs?|yrs?|mos?|wks?)\. ?", re.IGNORECASE)
_JOINER = r"(?:,? and |, | & | plus | \+ | und | et | y | e | en | )"
_WORD_BEFORE = re.compile(rf"([^\W\d_]{{1,24}})\.?{_JOINER}$")
_BEHIND = re.compile(
    rf"\.?{_JOINER}(?:[0-9]|(?:a half|demie?|medi[ao]|mezz[ao]|mei[ao])\b|\S{{1,24}} (?P<unit>[^\W\d_]{{3,24}}))"
)
_REACH = 32  # characters looked at before a figure
_GOES_ON = re.compile(r"\.?(?:,? and |, | or |/)(?:an? )?[0-9]|[^.;:\n]{0,20} respectively")
_BEFORE_ANOTHER = re.compile(r" (?:before|after|of|for|at|in|later|earlier)\b")
_POUNDS = frozenset({"pound", "pounds"})
_LIST_BEFORE = re.compile(r"[0-9] ?([^\W\d_]{1,24})\.?(?:, | or )$")
_SMALLER_OF_TWO = frozenset({"inch", "ounce"})
"""Feet and inches are one amount with a comma too; '2 km, 500 m' are rather two."""
_HALF_BEHIND = re.compile(r" (?:and a half|et demie?|y medi[ao]|e mezz[ao]|e mei[ao])\b")


def with_compounds(numbers: list[Number], text: str) -> list[Number]:
    """The numbers with each compound amount in the place of its parts.

    Args:
        numbers: In the order of the text.
        text: The text in normal form.
    """
    if not [number for number in numbers if number.unit is not None]:  # the quick look, for it is run over every answer
        return numbers
    found = list(compounds(numbers, text))
    if not found:
        return numbers
    inside = {place for amount in found for place in range(amount.start, amount.end)}
    return sorted([*found, *(number for number in numbers if number.start not in inside)], key=_start)


def compounds(numbers: list[Number], text: str) -> Iterator[Number]:
    """The compound amounts alone, each as long as it goes on."""
    amount: Number | None = None
    last: Number | None = None
    for number in numbers:
        joined = _joined(amount or last, number, text) if _may_join(last, number) else None
        if joined is None:
            if amount is not None:
                yield amount
            joined = _behind_one(number, text) or _with_half(number, text)
        amount, last = joined, joined or number
    if amount is not None:
        yield amount


def _start(number: Number) -> int:
    return number.start


def may_be_part(number: Number, text: str) -> bool:
    """Whether an amount may go on in front of or behind a number: the quick look before a text is read whole."""
    unit = unit_meant(number)
    if unit is None or unit.dimension not in _DIMENSIONS:
        return False
    before = _WORD_BEFORE.search(text, max(0, number.start - _REACH), number.start)
    if before is not None and _is_measure(before.group(1), unit):
        return True
    behind = _BEHIND.match(text, unit_end(text, number.end, unit))
    return behind is not None and (behind.group("unit") is None or _is_measure(behind.group("unit"), unit))


def is_list(amount: Number, text: str) -> bool:
    """Whether what looks like one amount may be several: '2 km, 500 m, 300 m', '1 h and 5 min, respectively'."""
    if amount.unit is None:
        return False
    before = _LIST_BEFORE.search(text, max(0, amount.start - _REACH), amount.start)
    if before is not None and _is_measure(before.group(1), amount.unit):
        return True
    end = unit_end(text, amount.end, amount.unit)
    if _GOES_ON.match(text, end):
        return True
    is_pair = amount.unit.dimension == "time" or amount.unit.name in _SMALLER_OF_TWO
    return ", " in amount.written and (not is_pair or _BEFORE_ANOTHER.match(text, end) is not None)


def _is_measure(word: str, unit: Unit) -> bool:
    other = unit_of("lb" if word in _POUNDS else word, attached=False)
    return other is not None and other.dimension == unit.dimension


def _may_join(first: Number | None, second: Number) -> bool:
    """The quick look: most numbers carry no unit."""
    return first is not None and (first.unit is not None or first.currency == "GBP") and bool(second.readings)


def _joined(first: Number | None, second: Number, text: str) -> Number | None:
    if first is None or second.start - first.end > _LONGEST_GAP or not _is_amount(first) or not _is_amount(second):
        return None
    larger = _unit_of_first(first, second, text)
    smaller = _short_unit(larger, second, text) or second.unit
    if larger is None or smaller is None or not _fit(larger, smaller, second):
        return None
    end = unit_end(text, first.end, first.unit) if first.unit else first.end
    if not _is_joiner(text, first.end, end, second.start) or _RATE_BEHIND.match(
        text, unit_end(text, second.end, smaller)
    ):
        return None
    return _sum(first, larger, second, smaller, text)


def _is_joiner(text: str, figure_end: int, end: int, start: int) -> bool:
    """Whether what stands between a unit and the next figure joins them; a full stop may end an abbreviation."""
    if text[end:start] in _JOINERS:
        return True
    abbreviated = _ABBREVIATED.match(text, figure_end + text.startswith(" ", figure_end))
    return abbreviated is not None and abbreviated.end() == start


def _is_amount(number: Number) -> bool:
    return number.kind is Kind.QUANTITY and bool(number.readings) and number.scale == 1 and not number.undecided


def _unit_of_first(first: Number, second: Number, text: str) -> Unit | None:
    """Its unit; a pound before ounces is one of weight, the m of '3m 20s' a minute."""
    if first.written.endswith((" pound", " pounds")):
        return unit_of("lb")
    is_minute = text.startswith("m ", first.end) and second.unit is not None and second.unit.name == "second"
    return unit_of("minute") if is_minute else first.unit


def _short_unit(larger: Unit | None, second: Number, text: str) -> Unit | None:
    """'in' is a word, but behind feet it measures; the m of '1h 45m' is a minute."""
    if larger is None or larger.name not in {"foot", "hour"}:
        return None
    if larger.name == "foot":
        return unit_of("inch") if _INCHES.match(text, second.end) else None
    return unit_of("minute") if _MINUTES.match(text, second.end) else None


def _fit(larger: Unit, smaller: Unit, second: Number) -> bool:
    """Whether the second part is less than one unit of the first: '1 hour 30 minutes', not '7 days 24 hours'."""
    if larger.dimension != smaller.dimension or larger.dimension not in _DIMENSIONS:
        return False
    return 0 < Fraction(second.readings[0]) * Fraction(smaller.factor) < Fraction(larger.factor)


def _sum(first: Number, larger: Unit, second: Number, smaller: Unit, text: str) -> Number:
    ratio = Fraction(larger.factor) / Fraction(smaller.factor)
    value = tidy(Fraction(first.readings[0]) * ratio + Fraction(second.readings[0]))
    parts = (*(first.parts or first.readings[:1]), second.readings[0])
    return second._replace(
        start=first.start, readings=(value,), unit=smaller, parts=parts, word=first.word and second.word,
        written=text[first.start : second.end], key="",
    )  # fmt: skip


def _behind_one(number: Number, text: str) -> Number | None:
    """'an hour and 20 minutes', 'a year and three months'."""
    if number.unit is None or not text.endswith((" and ", " et ", " und ", " y ", " e "), 0, number.start):
        return None
    match = _ONE_BEFORE.search(text, max(0, number.start - _LONGEST_GAP), number.start)
    larger = unit_of(match.group(1), attached=False) if match else None
    if match is None or larger is None or not _is_amount(number) or not _fit(larger, number.unit, number):
        return None
    one = Number(Kind.QUANTITY, match.start(), match.end(1), (1,), unit=larger, word=True)
    return _sum(one, larger, number, number.unit, text)


def _with_half(number: Number, text: str) -> Number | None:
    """'2 hours and a half', 'deux heures et demie'."""
    unit = number.unit
    if unit is None or unit.dimension not in _DIMENSIONS or not _is_amount(number):
        return None
    match = _HALF_BEHIND.match(text, unit_end(text, number.end, unit))
    if match is None or not isinstance(number.readings[0], int):
        return None
    value = number.readings[0] + Decimal("0.5")
    return number._replace(end=match.end(), readings=(value,), written=text[number.start : match.end()])
