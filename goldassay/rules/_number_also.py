"""What else a source says with its numbers: table scales, years of ranges, days in figures, decades and 'midnight'.

These readings only help to find a number of an answer; an answer is never held to them. Called by `_number_index` for
texts that are looked in.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from decimal import Decimal

from goldassay.rules._number_clock import either_half
from goldassay.rules._number_dates import DateFields, valid
from goldassay.rules._number_days import of_dates
from goldassay.rules._number_match import may_be_year
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import SCALES, unit_of
from goldassay.rules._number_values import times
from goldassay.text import holds_one

__all__ = ["further_numbers", "sets_a_scale"]


def further_numbers(text: str, numbers: list[Number]) -> Iterator[Number]:
    """Numbers that a text holds besides those written in it.

    Args:
        text: The text in normal form.
        numbers: Its numbers in order.
    """
    yield from _dates(text, numbers)
    yield from _hours(text, numbers)
    yield from _halves(text)
    yield from _words(text)
    yield from _scaled(text, numbers)
    yield from _shares(text, numbers)


# --- dates -------------------------------------------------------------------------------------

_DAY_AND_MONTH = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
_RANGE_GAPS = frozenset({"-", "--", "to", "until", "till", "through", "bis", "au", "al", "a", "à"})


def _dates(text: str, numbers: list[Number]) -> Iterator[Number]:
    for number in numbers:
        fields = list(_days_in_figures(text, number))
        if fields:
            yield of_dates(text, number.start, number.end, *fields)
    for first, second in itertools.pairwise(numbers):
        gap = text[first.end : second.start].strip()
        shared = _shared_year(first, second, gap) if gap in _RANGE_GAPS else None
        if shared is not None:
            yield of_dates(text, first.start, first.end, shared)


def _days_in_figures(text: str, number: Number) -> Iterable[DateFields]:
    """'1/1' and '31.12.' may be days of a year."""
    if number.kind is not Kind.QUANTITY or number.unit is not None or number.currency is not None:
        return ()
    if "/" in number.key and len(number.parts) == 2 and not text.startswith(" of", number.end):
        first, second = (int(part) for part in number.parts)
    elif text.startswith(".", number.end) and _DAY_AND_MONTH.fullmatch(number.written):
        first, second = (int(part) for part in number.written.split("."))
        return tuple(filter(None, (valid(None, second, first),)))
    else:
        return ()
    both = (valid(None, second, first), valid(None, first, second))
    return tuple(dict.fromkeys(fields for fields in both if fields is not None))


def _shared_year(first: Number, second: Number, gap: str) -> DateFields | None:
    """'June 3 to June 5, 2025' begins in 2025, '30 December to 2 January 2025' in 2024; '2010-11' may be a month."""
    if len(first.dates) == len(second.dates) == 1:
        start, end = first.dates[0], second.dates[0]
        if start.year is None and end.year is not None:
            is_before = (start.month, start.day or 0) <= (end.month, end.day or 0)
            return start._replace(year=end.year if is_before else end.year - 1)
    is_month = gap == "-" and may_be_year(first) and len(second.written) == 2 and second.written.isdigit()
    return valid(int(first.written), int(second.written), None) if is_month else None


# --- words -------------------------------------------------------------------------------------

_MIDNIGHT = re.compile(r"\b(?:midnight|Mitternacht|minuit|medianoche|mezzanotte|middernacht)\b", re.IGNORECASE)
_DECADES = {
    word: value
    for value, word in enumerate(
        ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"], 2
    )
}
_DECADE = re.compile(
    rf"\b(?:the|his|her|their|my|your|our|mid|early|late)[ -](?:early |late |mid-?|roaring )?({'|'.join(_DECADES)})\b",
    re.IGNORECASE,
)
_TIMES = {
    word: value
    for value, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=2)
} | {"hundred": 100}
_FOLD = re.compile(rf"\b({'|'.join(_TIMES)})-?fold\b", re.IGNORECASE)


_AT = re.compile(r"\b(?:from|de|to|until|bis|um|jusqu'à) $", re.IGNORECASE)


def _hours(text: str, numbers: list[Number]) -> Iterator[Number]:
    """'de 9h à 19h' names times of day, though '9h' may be nine hours."""
    for number in numbers:
        unit = number.unit
        if unit is None or unit.name != "hour" or not number.written.isdigit() or len(number.written) > 2:
            continue
        if int(number.written) <= 24 and _AT.search(text[max(0, number.start - 6) : number.start]):
            minutes = either_half(int(number.written))
            yield Number(Kind.TIME, number.start, number.end, minutes=minutes, written=number.written)


_HALF = re.compile(r"\b[Hh]alf[ -]([a-z]{3,10})\b")


def _halves(text: str) -> Iterator[Number]:
    """'a half-hour ride' takes half an hour; in an answer it may be the name of a thing."""
    for match in _HALF.finditer(text) if "alf" in text else ():
        unit = unit_of(match.group(1), attached=False)
        if unit is not None:
            yield Number(Kind.QUANTITY, *match.span(), (Decimal("0.5"),), unit=unit, word=True, written=match.group())


def _words(text: str) -> Iterator[Number]:
    lower = text.lower()
    midnight = _MIDNIGHT.search(text)
    if midnight is not None:
        yield Number(Kind.TIME, *midnight.span(), minutes=(0,), word=True, written=midnight.group())
    for match in _DECADE.finditer(text) if "ties" in lower else ():
        start = _DECADES[match.group(1).lower()] * 10
        yield Number(Kind.DECADE, *match.span(), (1900 + start, start), word=True, written=match.group())
    for match in _FOLD.finditer(text) if "fold" in lower else ():
        value = _TIMES[match.group(1).lower()]
        yield Number(Kind.QUANTITY, *match.span(), (value,), word=True, written=match.group())


# --- scales over tables ------------------------------------------------------------------------

_MONEY = r"(?:US ?)?[$€£¥₹]|USD|EUR|GBP|CHF|JPY|INR"
_MANY = r"thousands?|millions?|billions?|crores?|lakhs?|mio\.?|mrd\.?|tsd\.?|millionen|milliarden|tausend|mn|bn|'?000s?"
_HEADER = re.compile(
    rf"""\([^()\n]{{0,30}}?\bin\ (?:(?:{_MONEY})\ ?)?(?P<bracket>{_MANY})(?:\ [^()\n]{{0,40}})?
            (?:[,;][^()\n]{{0,60}})?\)
    |\bin\ (?:{_MONEY})\ ?(?P<money>{_MANY}|m|k)(?!\w)
    |\b(?:figures|amounts|values|numbers)\ (?:are\ )?(?:in|given\ in|shown\ in|stated\ in|expressed\ in|presented\ in)
        \ (?:(?:{_MONEY})\ ?)?(?P<said>{_MANY})\b
    |(?:^|[(|\t])\ ?(?:{_MONEY})\ ?(?P<cell>{_MANY}|m|k)(?=\ ?(?:[)|\t,]|$))
    |\(\ ?(?P<thousands>'?000s?)\ ?\)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_SHORT_SCALES = {"m": 10**6, "k": 10**3, "000": 10**3, "000s": 10**3}
_HINTS = (
    "$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "JPY", "INR", "000s", "(000", "'000", "illion", "housand",
    "ausend", "mio", "Mio", "mrd", "Mrd", "tsd", "Tsd", "crore", "lakh", " mn", " bn",
)  # fmt: skip


def sets_a_scale(text: str) -> bool:
    """Whether a heading such as '(in thousands)', 'in EUR million' or '$m' multiplies the figures below it."""
    return _may_set(text) and _HEADER.search(text) is not None


def _may_set(text: str) -> bool:
    """The quick look: most texts name no money and no scale, and those that do seldom in brackets or behind 'in'."""
    return holds_one(text, _HINTS)


def _scaled(text: str, numbers: list[Number]) -> Iterator[Number]:
    if not _may_set(text):
        return
    headings = [(match.end(), _factor(match)) for match in _HEADER.finditer(text)]
    for number in numbers if headings else ():
        above = bisect_right(headings, number.start, key=_end_of) - 1
        factor = headings[above][1] if above >= 0 else 1
        is_plain = number.kind is Kind.QUANTITY and number.scale == 1 and number.unit is None and not number.word
        if factor > 1 and is_plain and number.readings and not may_be_year(number):
            yield number._replace(
                readings=tuple(times(value, factor) for value in number.readings),
                doubtful=tuple(times(value, factor) for value in number.doubtful),
                scale=factor, parts=(), key="",
            )  # fmt: skip


_PERCENT_HEADER = re.compile(
    r"[(\[] ?(?:in )?(?:%|percent|per cent|Prozent) ?[)\]]|\b(?:in|en|als) ?%|(?:^|\|) ?% ?(?:\||$)", re.MULTILINE
)
_REACH = 1_500
"""Characters of a table below a heading that says '(%)'."""


def _shares(text: str, numbers: list[Number]) -> Iterator[Number]:
    """The figures below a heading such as 'Share (%)' may be percentages."""
    ends = [match.end() for match in _PERCENT_HEADER.finditer(text)] if "%" in text or "ercent" in text else []
    for number in numbers if ends else ():
        above = bisect_right(ends, number.start) - 1
        if above >= 0 and number.start - ends[above] < _REACH and _is_plain(number):
            yield number._replace(kind=Kind.PERCENT, parts=(), key="")


def _is_plain(number: Number) -> bool:
    """Whether nothing stands beside the figure that says what it is."""
    is_plain = number.kind is Kind.QUANTITY and number.scale == 1 and number.unit is None and number.currency is None
    return is_plain and not number.word and bool(number.readings) and not may_be_year(number)


def _end_of(heading: tuple[int, int]) -> int:
    return heading[0]


def _factor(match: re.Match[str]) -> int:
    word = str(match[str(match.lastgroup)]).casefold().strip("'.")
    return _SHORT_SCALES.get(word) or SCALES.get(word, 1)
