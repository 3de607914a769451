"""Figures that an answer says it has reckoned, from figures that the sources hold: an age, a span of years, a total.

"Born in 1953, he is 68 as of 2021", "five titles and five cups, 10 in total", "last year" told as 2018. Such a figure
stands in no source and may yet be right: whether it was reckoned as it should be is for a judge to say. A figure
that merely happens to be a sum is none of these (`_number_derive`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from typing import NamedTuple

from goldassay.rules._number_counted import Sought
from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_match import may_be_year
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import unit_of
from goldassay.text import TextCache

__all__ = ["reckoning"]

_YEAR = re.compile(r"(?<![\d.,-])(?:1[0-9]|20)\d\d(?![\d%]|[.,]\d)")
_TOTAL = re.compile(
    r"\b(?:in total|a total of|total(?:s|ed|ing)?|altogether|combined|in all|insgesamt|zusammen|au total|en tout"
    r"|en total|in totale|no total|in totaal)\b",
    re.IGNORECASE,
)
_RELATIVE_YEAR = re.compile(
    r"\b(?:(?:last|this|next) (?:year|season)|a year ago"
    r"|letztes jahr|im vorjahr|l'an dernier|l'année dernière|el año pasado|l'anno scorso|no ano passado|vorig jaar)\b",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_END = re.compile(r"[.!?](?=\s)|\n")
_LONGEST = 500  # characters of a sentence that are looked at, on either side of the number
_MOST_PARTS = 4  # figures that make one total
_MOST_FIGURES = 100  # with more of them in one source, nearly every number is some total
_MOST_YEARS = 12  # of one sentence: with more, some two of them lie any span apart
_MOST_SENTENCES = 2000
_MOST_RELATIVE = 200  # sentences that say 'last year'
_LEAST_SHARED = 3  # words that tie 'in 2018' to the sentence that says 'last year'


class _Told(NamedTuple):
    """What one source tells of years."""

    spans: dict[int, str]
    """Years between two years of one sentence, and how: 5 -> '2015 - 2010'."""
    relative: list[tuple[str, frozenset[str]]]
    """Sentences that say 'last year' and name no year: these words, and the long ones of the sentence."""
    newest: int
    """The newest year that is named; 0: none is."""


def reckoning(sought: Sought, claims: str, indexes: Iterable[NumberIndex]) -> str | None:
    """How the answer may have come to the figure, e.g. '2021 - 1953'; None: it does not say that it reckoned.

    Args:
        sought: A number of the answer that stands in no source.
        claims: The answer's text, to which the number's place refers.
        indexes: The sources that it should stand in.
    """
    number = sought.number
    if may_be_year(number):
        said = _sentence(claims, number)
        return _first(_relative_year(int(number.written), said, index) for index in indexes)
    if number.kind is not Kind.QUANTITY or not number.readings or not isinstance(number.readings[0], int):
        return None
    if number.readings[0] <= 1:
        return None
    said = _sentence(claims, number)
    if number.unit is not None and number.unit == unit_of("years"):
        return _first(_span(number.readings[0], said, index) for index in indexes)
    if _TOTAL.search(said) is not None:
        return _first(_total(number, index) for index in indexes)
    return None


def _first(found: Iterable[str | None]) -> str | None:
    return next(filter(None, found), None)


def _sentence(text: str, number: Number) -> str:
    before, behind = text[max(0, number.start - _LONGEST) : number.start], text[number.end : number.end + _LONGEST]
    return _END.split(before)[-1] + text[number.start : number.end] + _END.split(behind, maxsplit=1)[0]


# --- spans of years ----------------------------------------------------------------------------


def _span(value: int, said: str, index: NumberIndex) -> str | None:
    """Two years of the answer's sentence, one of them the source's too, or two years of one sentence of the source."""
    own = _years(said)
    if any(year in index.by_value or year in index.by_part for year in own) and value in (spans := _spans(own)):
        return spans[value]
    return _TOLD.get(index.text).spans.get(value)


def _years(text: str) -> list[int]:
    return list(dict.fromkeys(int(match.group()) for match in islice(_YEAR.finditer(text), _MOST_YEARS)))


def _spans(years: list[int]) -> dict[int, str]:
    pairs = [(max(pair), min(pair)) for pair in combinations(years, 2)]
    return {late - early: f"{late} - {early}" for late, early in pairs}


# --- totals ------------------------------------------------------------------------------------


def _total(wanted: Number, index: NumberIndex) -> str | None:
    """Neighbouring figures of one sentence of the source, all with the total's unit or none."""
    if len(index.numbers) > _MOST_FIGURES:
        return None
    numbers = [number for number in index.numbers if _is_part(number, wanted)]
    for first in range(len(numbers)):
        for last in range(first + 2, first + _MOST_PARTS + 1):
            parts = numbers[first:last]
            if sum(part.readings[0] for part in parts) == wanted.readings[0] and _is_one_sentence(parts, index.text):
                return " + ".join(part.written for part in parts)
    return None


def _is_one_sentence(parts: list[Number], text: str) -> bool:
    return _END.search(text, parts[0].end, parts[-1].start) is None


def _is_part(number: Number, wanted: Number) -> bool:
    return (
        number.kind is wanted.kind
        and bool(number.readings)
        and isinstance(number.readings[0], int)
        and number.readings[0] > 0
        and number.unit in {None, wanted.unit}
        and number.currency in {None, wanted.currency}
        and not may_be_year(number)
    )


# --- 'last year' -------------------------------------------------------------------------------


def _relative_year(year: int, said: str, index: NumberIndex) -> str | None:
    """The source tells the same of 'last year', names no year there, and was not written long after that year."""
    told = _TOLD.get(index.text)
    if not told.relative or year < told.newest - 1:
        return None
    words = set(_LONG_WORD.findall(said.lower()))
    return next((repr(relative) for relative, theirs in told.relative if len(words & theirs) >= _LEAST_SHARED), None)


def _told(text: str) -> _Told:
    spans: dict[int, str] = {}
    relative: list[tuple[str, frozenset[str]]] = []
    newest = 0
    for sentence in islice(_parts(text), _MOST_SENTENCES):
        years = _years(sentence)
        newest = max([newest, *years])
        for span, how in _spans(years).items():
            spans.setdefault(span, how)
        if not years and len(relative) < _MOST_RELATIVE and (said := _RELATIVE_YEAR.search(sentence)) is not None:
            relative.append((said.group(), frozenset(_LONG_WORD.findall(sentence.lower()))))
    return _Told(spans, relative, newest)


def _parts(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        yield text[start : end.start()]
        start = end.end()
    yield text[start:]


_TOLD = TextCache(_told, 3_000_000)
