"""All numbers of one text, and an index over them by value.

Indexes are kept within a bound of characters, since the same sources come again and
again. Joins what digits and words say, and keeps dates and times apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from goldassay.rules._number_also import further_numbers
from goldassay.rules._number_clock import spoken_times
from goldassay.rules._number_compounds import compounds, is_list, with_compounds
from goldassay.rules._number_fractions import spoken_fractions
from goldassay.rules._number_language import decimal_style, language_of
from goldassay.rules._number_model import Number, Value
from goldassay.rules._number_ranges import joined_numbers
from goldassay.rules._number_sayings import sayings
from goldassay.rules._number_scan import scan_digits
from goldassay.rules._number_words import has_number_words, scan_words
from goldassay.text import TextCache, letter_words

__all__ = ["MOST_NUMBERS", "NumberIndex", "index_numbers", "read_numbers"]

MOST_NUMBERS = 5000
"""Numbers read of one answer; one with more is no answer, and the rest is left unread so that it costs no time."""


def read_numbers(
    text: str, language: str | None = None, limit: int | None = None, tokens: list[str] | None = None
) -> list[Number]:
    """All numbers of a text in normal form, in order, digits and words.

    Args:
        text: The text.
        language: Its language; None: found from the text.
        limit: Most figures read; None: all.
        tokens: Its runs of letters, where the caller has them already; there may be more than stand in the text.
    """
    return with_compounds(_read(text, language, limit, tokens), text)


def _read(text: str, language: str | None, limit: int | None, tokens: list[str] | None) -> list[Number]:
    """The same with the parts of compound amounts apart."""
    tokens = letter_words(text) if tokens is None else tokens
    language = language_of(text, tokens) if language is None else language
    numbers = scan_digits(text, decimal_style(language), limit)
    spoken = language or ("en" if text.isascii() else "")
    words = scan_words(text, spoken) if has_number_words(tokens, spoken) else []
    if words:
        numbers = sorted([*numbers, *words], key=_start)
    said = _spoken(text, spoken)
    return joined_numbers(_with(said, numbers) if said else numbers, text)


def _with(spoken: list[Number], numbers: list[Number]) -> list[Number]:
    """The numbers with those said in several words in the place of the words."""
    taken = {place for number in spoken for place in range(number.start, number.end)}
    return sorted([*spoken, *(number for number in numbers if number.start not in taken)], key=_start)


def _start(number: Number) -> int:
    return number.start


def _spoken(text: str, language: str) -> list[Number]:
    """Times and fractions that words say together; of two that overlap the one that begins earlier, or is longer."""
    found = [*spoken_times(text), *sayings(text, language), *(spoken_fractions(text) if language == "en" else ())]
    if not found:
        return found
    kept: list[Number] = []
    for number in sorted(found, key=lambda number: (number.start, -number.end)):
        if not kept or number.start >= kept[-1].end:
            kept.append(number)
    return kept


def _pieces(numbers: list[Number], amounts: list[Number]) -> frozenset[tuple[int, int]]:
    if not amounts:
        return frozenset()
    inside = {place for amount in amounts for place in range(amount.start, amount.end)}
    return frozenset((number.start, number.end) for number in numbers if number.start in inside)


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
    measured: list[Number] = field(default_factory=list)
    """Those with a unit or a currency: pounds may be either."""
    pieces: frozenset[tuple[int, int]] = frozenset()
    """Spans of the parts of compound amounts: the 2 hours of '2 hours and 10 minutes' are no amount of their own."""


def index_numbers(text: str) -> NumberIndex:
    """The numbers of a text in normal form; a source is read whole only for one that was not found as written."""
    return _INDEXES.get(text)


def _index(text: str) -> NumberIndex:
    numbers = _read(text, None, None, None)
    amounts = list(compounds(numbers, text))
    further = further_numbers(text, numbers)
    whole = [amount for amount in amounts if not is_list(amount, text)]
    spans = {(amount.start, amount.end) for amount in whole}
    index = NumberIndex(text, [*numbers, *amounts, *further], pieces=_pieces(numbers, whole))
    for number in index.numbers:
        for value in number.readings if (number.start, number.end) not in index.pieces else ():
            index.by_value.setdefault(value, []).append(number)
        for value in number.parts if (number.start, number.end) not in spans else ():
            index.by_part.setdefault(value, []).append(number)
        for value in number.doubtful:
            index.doubtful.setdefault(value, []).append(number)
        if number.key:
            index.by_key.setdefault(number.key, number)
        if number.dates:
            index.dates.append(number)
        if number.unit is not None or number.currency is not None:
            index.measured.append(number)
        if number.minutes:
            index.times.append(number)
    return index


_INDEXES = TextCache(_index, 1_500_000)
"""An index takes some ten bytes for each character of its text."""
