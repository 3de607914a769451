"""Finds the numbers that are written as words: 'twenty-five', 'fünfundzwanzig', '二十五'.

The reading is text2num's (seven languages); this module finds where to ask it, puts
the words back in their place, and adds Chinese and Japanese numerals, 'and a half'
and years said in two halves.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Protocol

import text_to_num

from goldassay.rules._number_behind import Behind
from goldassay.rules._number_cjk import cjk_value
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_units import SCALES
from goldassay.rules._number_values import times

__all__ = ["has_number_words", "number_of_words", "scan_words"]

_LANGUAGES = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})
_TOKEN = re.compile(r"[^\W\d_]+|[^\S\n]+|\n|[^\w\s]|[\d_]+")
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_MINUS = re.compile(r"\b[mM]inus $")
_NAME_BEFORE = re.compile(r"[0-9][^\W_]{0,9}-$")
_HALF = re.compile(r" and a half\b")

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion"
    " first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
)
_ENGLISH_WORDS = frozenset(_ENGLISH.split())
_CJK_NUMERAL = re.compile(
    r"百分之([零〇一二三四五六七八九十百千万萬点]{1,12})|([零〇一二两兩三四五六七八九十百千万萬亿億]{1,16})"
)


class _Token:
    """One token in the form that text2num asks for."""

    __slots__ = ("_lower", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._lower = text.lower()

    def text(self) -> str:
        return self._text

    def text_lowercase(self) -> str:
        return self._lower

    def nt_separated(self, _previous: object) -> bool:
        return self._text == "\n"

    def not_a_number_part(self) -> bool:
        return False


class _Occurrence(Protocol):
    """What text2num says of one number: token range, value, whether it is an ordinal."""

    start: int
    end: int
    value: float
    is_ordinal: bool


def has_number_words(tokens: list[str], language: str) -> bool:
    """Whether it is worth asking for number words; exact for English, always true for other languages."""
    if language == "en":
        return not _ENGLISH_WORDS.isdisjoint(tokens)
    return language == "zh" or language in _LANGUAGES


def scan_words(text: str, language: str) -> list[Number]:
    """All numbers written as words, in order.

    Args:
        text: A text in normal form.
        language: Its language; '' gives none, 'zh' reads Chinese numerals.
    """
    if language == "zh":
        return _scan_cjk(text)
    if language not in _LANGUAGES:
        return []
    if not text.isascii():
        text = _HALF_CHARACTERS.sub("\ufffd", text)  # text2num ends the program at one
    matches = list(_TOKEN.finditer(text))
    found = text_to_num.find_numbers([_Token(match.group()) for match in matches], language, threshold=0)
    numbers = []
    for occurrence in found:
        start, end = matches[occurrence.start].start(), matches[occurrence.end - 1].end()
        in_name = _NAME_BEFORE.search(text[max(0, start - 12) : start]) is not None  # '70ty-three'
        if not in_name and not text[start].isdigit() and text[start:end].casefold() not in SCALES:
            numbers.append(_number(text, start, end, occurrence))
    return _with_said_years(numbers, text)


def _number(text: str, start: int, end: int, occurrence: _Occurrence) -> Number:
    value = _exact(occurrence.value)
    if occurrence.is_ordinal:
        return Number(Kind.ORDINAL, start, end, (value,), word=True, written=text[start:end])
    half = _HALF.match(text, end)
    if half is not None and isinstance(value, int):
        value, end = Decimal(value) + Decimal("0.5"), half.end()
    if _MINUS.search(text[max(0, start - 6) : start]):
        return number_of_words(text, start, end, -value)
    return number_of_words(text, start, end, value)


def _exact(value: float) -> Value:
    return int(value) if value == int(value) else Decimal(str(value))


def _with_said_years(numbers: list[Number], text: str) -> list[Number]:
    """'nineteen ninety-nine' is read as 19 and 99: add the year to the first."""
    for index in range(len(numbers) - 1):
        first, second = numbers[index], numbers[index + 1]
        if second.start - first.end != 1 or text[first.end] != " " or not first.readings or not second.readings:
            continue
        century, year = first.readings[0], second.readings[0]
        if 10 <= century <= 20 and 10 <= year <= 99:
            numbers[index] = first._replace(parts=(int(century) * 100 + int(year),))
    return numbers


def _scan_cjk(text: str) -> list[Number]:
    numbers = []
    for match in _CJK_NUMERAL.finditer(text):
        percent, numeral = match.groups()
        value = cjk_value((percent or numeral).partition("点")[0])
        if value is None or (match.start() and text[match.start() - 1].isdigit()):
            continue  # '3万' was read with its digits
        if text.startswith("成", match.end()):
            numbers.append(
                Number(Kind.PERCENT, match.start(), match.end() + 1, (value * 10,), word=True, written=match.group())
            )
        elif percent:
            numbers.append(Number(Kind.PERCENT, *match.span(), (value,), word=True, written=match.group()))
        else:
            numbers.append(number_of_words(text, *match.span(), value))
    return numbers


def number_of_words(text: str, start: int, end: int, value: Value) -> Number:
    """Add what stands around a number word; its letters are no name."""
    behind = Behind(text, end, money=False)
    value = -value if behind.below_zero and value > 0 else value
    return Number(
        behind.kind,
        start,
        behind.end,
        (times(value, behind.factor),),
        scale=behind.scale,
        unit=behind.unit,
        currency=behind.currency,
        word=True,
        written=text[start : behind.end],
    )
