"""Shares and fractions that English writes as words: 'half a million', 'three quarters', 'an hour and a half'.

Called by `_number_index`; whole numbers as words are read by `_number_words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import unit_of
from goldassay.rules._number_values import tidy
from goldassay.rules._number_words import number_of_words

__all__ = ["spoken_fractions"]

_HALF_OR_QUARTER = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "three quarters": Fraction(3, 4)}
# The space or hyphen before the measure stays outside, as it does behind a figure.
_OF_MEASURE = re.compile(
    r"\b(?:a |one )?(half|quarter|three[ -]quarters)(?:(?: of)? an?)?(?=[ -]([a-z]{2,10})\b)", re.IGNORECASE
)
_NUMERATORS = {
    word: value for value, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine"], start=2)
}
_DENOMINATORS = {"thirds": 3, "quarters": 4, "fifths": 5, "eighths": 8, "tenths": 10}
_TWO_THIRDS = (Decimal("0.67"), Decimal("0.66"), Decimal("0.667"), Decimal("0.666"))
_SHARE = re.compile(rf"\b({'|'.join(_NUMERATORS)})[ -]({'|'.join(_DENOMINATORS)})\b", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\b(?:an?|one) ([a-z]{3,10}) and a half\b", re.IGNORECASE)
_WHOLE_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_WHOLES = {word: value for value, word in enumerate(_WHOLE_WORDS.split(), start=1)}
_AND_PART = re.compile(
    r"(?<=[ -])and[ -](?:(an?|one|two|three)[ -])?(half|halves|quarters?|thirds?|[1-9]/[1-9][0-9]?(?![0-9/]))(?!\w)"
)
_UPPERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_LOWERS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4, "third": 3, "thirds": 3}
_WHOLE_BEFORE = re.compile(rf"(?<![\w.,-])(?:{'|'.join(_WHOLES)}|[0-9]{{1,3}})$", re.IGNORECASE)
_LONGEST_WHOLE = 10
_MEASURED = frozenset({"time", "length", "mass", "volume"})


def spoken_fractions(text: str) -> Iterator[Number]:
    """All fractions of an English text that are written as words and worth a number, by kind of wording."""
    if not ("alf" in text or "uarter" in text or "third" in text or "ths" in text or "/" in text):
        return
    if "alf " in text or "alf-" in text or "uarter " in text or "uarters of" in text:
        yield from _of_measures(text)
    if "and a half" in text:
        yield from _and_a_half(text)
    if (
        "and a " in text
        or "and-a-" in text
        or "and one" in text
        or "and three" in text
        or "and two" in text
        or "/" in text
    ):
        yield from _wholes_with_parts(text)
    if "thirds" in text or "quarters" in text or "fifths" in text or "eighths" in text or "tenths" in text:
        yield from _shares(text)


def _of_measures(text: str) -> Iterator[Number]:
    """'half a million', 'half an hour', 'a quarter of a million'; 'half of them' is a share of anything."""
    for match in _OF_MEASURE.finditer(text):
        value = _HALF_OR_QUARTER[match.group(1).lower().replace("-", " ")]
        number = number_of_words(text, match.start(), match.end(), tidy(value))
        if number.scale > 1 or number.kind is Kind.PERCENT:
            yield number
        elif match.group().endswith((" a", " an")) and number.unit and number.unit.dimension in _MEASURED:
            yield number._replace(end=match.end(2), written=text[match.start() : match.end(2)])


def _wholes_with_parts(text: str) -> Iterator[Number]:
    """'two and a quarter hours', 'one and one-half miles', 'two-and-a-half years', '2 and 1/2 cups'."""
    for match in _AND_PART.finditer(text):
        whole = _WHOLE_BEFORE.search(text, max(0, match.start() - _LONGEST_WHOLE), match.start() - 1)
        if whole is None:
            continue
        value = Fraction(_WHOLES.get(whole.group().lower()) or whole.group()) + _part(match)
        number = number_of_words(text, whole.start(), match.end(), tidy(value))
        is_amount = number.unit or number.currency or number.scale > 1 or number.kind is not Kind.QUANTITY
        if match.group(2) == "half" or is_amount or not match.group().endswith(("third", "quarter")):
            yield number._replace(word=not whole.group().isdigit())  # no 'two and a third party'


def _part(match: re.Match[str]) -> Fraction:
    upper, lower = match.groups()
    return Fraction(lower) if "/" in lower else Fraction(_UPPERS.get((upper or "a").lower(), 1), _LOWERS[lower.lower()])


def _and_a_half(text: str) -> Iterator[Number]:
    for match in _AND_A_HALF.finditer(text):
        unit = unit_of(match.group(1), attached=False)
        if unit is not None and unit.dimension in _MEASURED:
            yield Number(Kind.QUANTITY, *match.span(), (Decimal("1.5"),), unit=unit, word=True, written=match.group())


def _shares(text: str) -> Iterator[Number]:
    """'three quarters' is 0.75, or three of them: quarters of a year."""
    for match in _SHARE.finditer(text):
        upper, lower = _NUMERATORS[match.group(1).lower()], _DENOMINATORS[match.group(2).lower()]
        if upper < lower:
            share = tidy(Fraction(upper, lower))
            readings = (*_TWO_THIRDS, share, upper) if isinstance(share, Fraction) else (share, upper)
            yield Number(Kind.QUANTITY, *match.span(), readings, word=True, written=match.group())
