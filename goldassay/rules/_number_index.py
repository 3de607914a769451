"""All numbers of one text, and an index over them by value.

Reading a text is remembered (`read_numbers` is cached on the text), since the same
sources come again and again. Joins what digits and words say, spreads units over
ranges ('5-7 million'), and keeps dates and times apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from goldassay.rules._number_language import decimal_style, language_of, word_tokens
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_scan import scan_digits
from goldassay.rules._number_values import times
from goldassay.rules._number_words import has_number_words, scan_words

__all__ = ["MOST_NUMBERS", "NumberIndex", "index_numbers", "read_numbers"]

MOST_NUMBERS = 5000
"""Numbers read of one answer; one with more is no answer, and the rest is left unread so that it costs no time."""
_JOINERS = frozenset({"-", "--", "/", "to", "and", "or", "bis", "und", "oder", "à", "a", "et", "y", "e", "en", ","})


def read_numbers(text: str, language: str | None = None, limit: int | None = None) -> list[Number]:
    """All numbers of a text in normal form, in order, digits and words.

    Args:
        text: The text.
        language: Its language; None: found from the text.
        limit: Most figures read; None: all.
    """
    tokens = word_tokens(text)
    language = language_of(text, tokens) if language is None else language
    numbers = scan_digits(text, decimal_style(language), limit)
    spoken = language or ("en" if text.isascii() else "")
    words = scan_words(text, spoken) if has_number_words(tokens, spoken) else []
    if words:
        numbers = sorted([*numbers, *words], key=lambda number: number.start)
    return _spread_over_ranges(numbers, text)


def _spread_over_ranges(numbers: list[Number], text: str) -> list[Number]:
    """Give the first figures of a range or list the percent sign, scale and century of the last."""
    for index in range(len(numbers) - 2, -1, -1):
        first, second = numbers[index], numbers[index + 1]
        gap = text[first.end : second.start]
        if gap == ". " and first.written.isdigit() and second.readings and second.written[0].isdigit():
            numbers[index] = _torn_decimal(first, second)
        if len(gap) > 6 or gap.strip() not in _JOINERS or not gap or not first.readings or not second.readings:
            continue
        if first.kind is Kind.QUANTITY and first.unit is None:
            numbers[index] = _like_next(first, second)
        numbers[index + 1] = _with_century(first, second, gap)
    return numbers


def _torn_decimal(first: Number, second: Number) -> Number:
    """'31. 8 million' in a text that was taken apart and joined again may be 31.8 million."""
    digits = second.written.split()[0]
    if not digits.isdigit() or len(digits) > 4:
        return first
    return first._replace(parts=(*first.parts, times(Decimal(f"{first.written}.{digits}"), second.scale)))


def _like_next(first: Number, second: Number) -> Number:
    if second.kind is Kind.PERCENT or second.percent_too:
        first = first._replace(percent_too=True)
    if second.scale > 1 and first.scale == 1:
        first = first._replace(
            readings=(*first.readings, *(times(value, second.scale) for value in first.readings)),
        )
    return first


def _with_century(first: Number, second: Number, gap: str) -> Number:
    """'1998-99' ends in 1999."""
    start, end = first.readings[0], second.readings[0]
    is_short = (
        gap.strip() in {"-", "/", "--"} and len(second.written) == 2 and isinstance(start, int) and isinstance(end, int)
    )
    if is_short and 1000 <= start <= 2999 and second.kind is Kind.QUANTITY:
        return second._replace(readings=(*second.readings, int(start) // 100 * 100 + int(end)))
    return second


@dataclass(frozen=True, slots=True)
class NumberIndex:
    """The numbers of one text, by what they are compared by."""

    text: str
    numbers: list[Number]
    by_value: dict[Value, list[Number]] = field(default_factory=dict)
    by_part: dict[Value, list[Number]] = field(default_factory=dict)
    """Days and years of dates, sides of fractions, pieces of '12 500'."""
    doubtful: dict[Value, list[Number]] = field(default_factory=dict)
    by_key: dict[str, Number] = field(default_factory=dict)
    dates: list[Number] = field(default_factory=list)
    times: list[Number] = field(default_factory=list)


@lru_cache(maxsize=256)  # a source is read whole only for a number that was not found as written
def index_numbers(text: str) -> NumberIndex:
    """Read a text in normal form and index its numbers."""
    index = NumberIndex(text, read_numbers(text))
    for number in index.numbers:
        for value in number.readings:
            index.by_value.setdefault(value, []).append(number)
        for value in number.parts:
            index.by_part.setdefault(value, []).append(number)
        for value in number.doubtful:
            index.doubtful.setdefault(value, []).append(number)
        if number.key:
            index.by_key.setdefault(number.key, number)
        if number.dates:
            index.dates.append(number)
        if number.minutes:
            index.times.append(number)
    return index
