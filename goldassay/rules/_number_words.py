"""Finds the numbers that are written as words: 'twenty-five', 'fünfundzwanzig', '二十五'.

The reading is text2num's (seven languages); this module finds where to ask it, puts
the words back in their place, and adds Chinese and Japanese numerals, 'and a half'
and years said in two halves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

import text_to_num

from goldassay.rules._number_behind import Behind
from goldassay.rules._number_cjk import cjk_value
from goldassay.rules._number_dates import valid
from goldassay.rules._number_days import of_dates
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_units import SCALES
from goldassay.rules._number_values import times

__all__ = ["has_number_words", "number_of_words", "scan_words"]

_LANGUAGES = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})
_TOKEN = re.compile(r"[^\W\d_]+|[^\S\n]+|\n|[^\w\s]|[\d_]+")
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_MINUS = re.compile(r"\b[mM]inus $")
_NAME_BEFORE = re.compile(r"[0-9][^\W_]{0,9}-$")
_BESIDE_FIGURE = re.compile(r"\bsept\.? ?[0-9]|[0-9](?:st|nd|rd|th|\.)?[ -]sept\b", re.IGNORECASE)
"""September, not the French 7."""
_HALF = re.compile(r" and a half\b")

_ARTICLE_BEFORE = re.compile(r"(?<![\w,.-])(?:an?|eine[mnrs]?|une?|una|uma?|een) $", re.IGNORECASE)
_LONGEST_ARTICLE = 7
_LEAST_WITH_COMMA = 1000
_COUNT_ALONE = frozenset({"hundert", "tausend", "mille", "mil", "duizend"})

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

_CJK_DATE = re.compile(
    r"(?:([零〇一二三四五六七八九]{4})年)?([一二三四五六七八九十]{1,3})月([一二三四五六七八九十]{1,3})[日号]"
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
    numbers: list[Number] = []
    for occurrence in found:
        start, end = matches[occurrence.start].start(), matches[occurrence.end - 1].end()
        if numbers and start < numbers[-1].end:
            continue  # the 'cent' of 'soixante-quinze pour cent'
        in_name = _NAME_BEFORE.search(text[max(0, start - 12) : start]) is not None  # '70ty-three'
        if not in_name and not text[start].isdigit() and _is_a_number(text, start, end):
            numbers.append(_number(text, start, end, occurrence))
    return _joined(numbers, text)


def _is_a_number(text: str, start: int, end: int) -> bool:
    """Whether a scale word counts by itself: 'a thousand', 'tausend', but neither 'some thousand' nor '40 million'."""
    word = text[start:end].casefold()
    if word == "sept" and _BESIDE_FIGURE.search(text, max(0, start - 4), end + 3) is not None:
        return False
    if word not in SCALES:
        return True
    if _ARTICLE_BEFORE.search(text, max(0, start - _LONGEST_ARTICLE), start) is not None:
        return True
    return word in _COUNT_ALONE and not text[max(0, start - 2) : start].strip(" -")[-1:].isdigit()


def _number(text: str, start: int, end: int, occurrence: _Occurrence) -> Number:
    value = _exact(occurrence.value)
    if occurrence.is_ordinal:
        return Number(Kind.ORDINAL, start, end, (value,), word=True, written=text[start:end])
    half = _HALF.match(text, end)
    if half is not None and isinstance(value, int):
        scale = SCALES.get(text[start:end].rpartition(" ")[2].casefold(), 1)  # 'two million and a half'
        value, end = times(Fraction(1, 2) + Fraction(value, scale), scale), half.end()
    if _MINUS.search(text[max(0, start - 6) : start]):
        return number_of_words(text, start, end, -value)
    return number_of_words(text, start, end, value)


def _exact(value: float) -> Value:
    return int(value) if value == int(value) else Decimal(str(value))


def _joined(numbers: list[Number], text: str) -> list[Number]:
    """The numbers with those in one that the reader of words takes for two."""
    kept: list[Number] = []
    for number in numbers:
        both = (_said_year(kept[-1], number, text) or _sum(kept[-1], number, text)) if kept else None
        if both is None:
            kept.append(number)
        else:
            kept[-1] = both
    return kept


def _sum(first: Number, second: Number, text: str) -> Number | None:
    """'five thousand, six hundred' with a comma, as figures have one."""
    if text[first.end : second.start] != ", " or not _is_bare(first) or not second.readings:
        return None
    scale = SCALES.get(first.written.rpartition(" ")[2].casefold(), 1)
    values = (first.readings[0], second.readings[0])
    if scale < _LEAST_WITH_COMMA or second.kind is not Kind.QUANTITY or not 0 < values[1] < scale or values[1] < 100:
        return None
    total = int(values[0]) + int(values[1])
    return second._replace(start=first.start, readings=(total,), parts=values, written=text[first.start : second.end])


def _said_year(first: Number, second: Number, text: str) -> Number | None:
    """'nineteen ninety-nine', read as 19 and 99, is a year; 'twelve thirty' rather a time of day."""
    if second.start - first.end != 1 or text[first.end] not in " -" or not (_is_bare(first) and _is_bare(second)):
        return None
    century, year = first.readings[0], second.readings[0]
    if not (13 <= century <= 20 and 10 <= year <= 99):
        return None
    written = text[first.start : second.end]
    return second._replace(start=first.start, readings=(int(century) * 100 + int(year),), written=written)


def _is_bare(number: Number) -> bool:
    return number.kind is Kind.QUANTITY and bool(number.readings) and number.scale == 1 and number.unit is None


def _scan_cjk(text: str) -> list[Number]:
    numbers = list(_cjk_dates(text))
    taken = {place for date in numbers for place in range(date.start, date.end)}
    for match in _CJK_NUMERAL.finditer(text):
        if match.start() in taken:
            continue
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
    return sorted(numbers, key=_start)


def _start(number: Number) -> int:
    return number.start


def _cjk_dates(text: str) -> Iterator[Number]:
    """'二〇二四年三月五日' and '三月五日'."""
    for match in _CJK_DATE.finditer(text):
        year, month, day = (cjk_value(group) if group else None for group in match.groups())
        fields = valid(year, month, day) if month is not None else None
        if fields is not None:
            yield of_dates(text, *match.span(), fields)


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
