"""Whether a word or number of an answer is that of a fact: by value, kind and unit, words without their particles.

Knows two tokens, not what stands around them. Called by `key_fact`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from goldassay.rules._fact_tokens import Token
from goldassay.rules._number_dates import agree
from goldassay.rules._number_match import may_be_year
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_names import same_phone
from goldassay.rules._number_units import base_amount
from goldassay.rules.wordlists import word_set

__all__ = ["Agreement", "Run", "find_run", "same_token"]

_MINUTES_A_DAY = 24 * 60
_HANGUL = re.compile(r"[\uac00-\ud7af]+")
# What may follow a Korean noun: case particles, the copula, and both ('서울입니다', '서울에서는').
_PARTICLES = word_set(
    "은 는 이 가 을 를 의 에 로 으로 와 과 도 만 까지 부터 에서 에게 께 께서 한테 보다 처럼 마다 이나 나 이며 이고 인"
    " 이란 란 라고 이라고 이라는 라는 에는 에서는 에도 로는 으로는 에서도 까지는 부터는 입니다 이다 예요 이에요 이었다"
    " 였다 이었습니다 였습니다 이며 이자 라며 이라며 뿐 뿐입니다 까지입니다 부터입니다 이므로 이라서 라서"
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "oe", "å": "aa"})
_ROMAN = [
    "ii",
    "iii",
    "iv",
    "vi",
    "vii",
    "viii",
    "ix",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
    "xvi",
    "xvii",
    "xviii",
    "xix",
    "xx",
    "xxi",
    "xxii",
    "xxiii",
    "xxiv",
    "xxv",
]
_ROMAN_VALUES = dict(zip(_ROMAN, (2, 3, 4, 6, 7, 8, 9, *range(11, 26)), strict=True))
"""'World War II' is 'World War Two'; one letter alone is too often a letter."""
_SAME_WORDS = {"v": "version", "ver": "version"}


class Agreement(IntEnum):
    """How surely two tokens say the same."""

    NO = 0
    MAYBE = 1
    """'9:00' may be 9 in the evening."""
    YES = 2


class Run(NamedTuple):
    """Where the tokens of a fact stand in a row."""

    position: int
    """Of the first of them."""
    agreement: Agreement
    """That of the least sure of them, never `NO`."""


def find_run(wanted: Sequence[Token], tokens: Sequence[Token], start: int = 0) -> Run | None:
    """Where the wanted tokens stand in a row, from `start` on; None where they do not."""
    for position in range(start, len(tokens) - len(wanted) + 1):
        agreement = _agreement_at(wanted, tokens, position)
        if agreement is not Agreement.NO:
            return Run(position, agreement)
    return None


def _agreement_at(wanted: Sequence[Token], tokens: Sequence[Token], position: int) -> Agreement:
    least = Agreement.YES
    for offset, mine in enumerate(wanted):
        found = same_token(mine, tokens[position + offset])
        if found is Agreement.NO:
            return found
        least = min(least, found)
    return least


def same_token(wanted: Token, there: Token) -> Agreement:
    """Whether two tokens say the same: the same word, or numbers equal by value, kind and unit."""
    if wanted.number is None or there.number is None:
        if wanted.number is there.number:
            is_same = _same_word(wanted.word, there.word)
        else:
            is_same = _is_roman(wanted, there) or _is_roman(there, wanted)
        return Agreement.YES if is_same else Agreement.NO
    if wanted.number.minutes and there.number.minutes:
        return _same_time(wanted.number, there.number)
    return Agreement.YES if _same_number(wanted.number, there.number) else Agreement.NO


def _same_word(wanted: str, there: str) -> bool:
    if wanted == there:
        return True
    if _SAME_WORDS.get(wanted, wanted) == _SAME_WORDS.get(there, there):
        return True
    if wanted.isascii() != there.isascii() and _same_letters(wanted, there):
        return True
    if not there.startswith(wanted):
        return False
    # A suffix behind an apostrophe is grammar in Turkish: "İstanbul'da".
    ending = there[len(wanted) :]
    return ending.startswith("'") or (ending in _PARTICLES and _HANGUL.fullmatch(wanted) is not None)


@lru_cache(maxsize=8192)
def _same_letters(one: str, other: str) -> bool:
    """Whether one side only lacks the accents of the other: 'Sao Paulo' is 'São Paulo', 'Mueller' is 'Müller'."""
    plain, written = (one, other) if one.isascii() else (other, one)
    if plain[:1] != unicodedata.normalize("NFD", written[:1])[:1] and plain[:1] != written[:1]:
        return False
    bare = "".join(c for c in unicodedata.normalize("NFD", written) if not unicodedata.combining(c))
    return plain in {bare, written.translate(_UMLAUTS)}


def _is_roman(word: Token, figure: Token) -> bool:
    number = figure.number
    value = _ROMAN_VALUES.get(word.word)
    return value is not None and number is not None and number.unit is None and value in number.readings


def _same_time(wanted: Number, there: Number) -> Agreement:
    """'9 am' is '9:00' and '09:00'; '9 pm' is '21:00', and only perhaps '9:00'."""
    mine, theirs = _time(wanted), _time(there)
    if mine[0] == theirs[0]:
        return Agreement.YES
    return Agreement.MAYBE if mine[0] == theirs[1] or theirs[0] == mine[1] else Agreement.NO


def _time(number: Number) -> tuple[int, int]:
    """Minutes after midnight as the clock of 24 hours has it, and as it may be meant; '09:00' means the morning."""
    first = number.minutes[0] % _MINUTES_A_DAY
    return first, first if number.written.startswith("0") else number.minutes[-1] % _MINUTES_A_DAY


def _same_number(wanted: Number, there: Number) -> bool:
    if wanted.readings and there.readings and _is_share(wanted) != _is_share(there):
        return _share_as_percent(wanted, there) or _share_as_percent(there, wanted)
    if (wanted.key and not wanted.readings) or (there.key and not there.readings):
        return wanted.key == there.key or same_phone(wanted.key, there.key)
    if wanted.dates or there.dates:
        if not wanted.dates and may_be_year(wanted):
            return any(date.year in wanted.readings for date in there.dates)  # '12 March 2024' is in 2024
        return any(agree(mine, theirs) for mine in wanted.dates for theirs in there.dates)
    if _is_span(wanted) != _is_span(there):
        return bool(wanted.unit and there.unit) and _amounts_agree(wanted, there)
    return _kinds(wanted) == _kinds(there) and _currencies_agree(wanted, there) and _amounts_agree(wanted, there)


def _is_span(number: Number) -> bool:
    """Whether it may be a time of day or last so long: '1h30', '1:30 h'."""
    return number.kind is Kind.TIME and number.unit is not None


def _is_share(number: Number) -> bool:
    """A proper fraction, in signs or words: 1/4, ¼, 'a quarter'; a decimal says it by itself."""
    is_written_so = number.word or "/" in number.written or not number.written.isascii()
    if number.kind is not Kind.QUANTITY or not is_written_so:
        return False
    return all(0 < abs(Fraction(value)) < 1 for value in number.readings)


def _share_as_percent(share: Number, percent: Number) -> bool:
    """'a quarter' is 25 %; without a percent sign it is 0.25."""
    if not _is_share(share) or share.unit is not None or percent.unit is not None or percent.currency:
        return False
    factor = {Kind.PERCENT: 100, Kind.QUANTITY: 1}.get(percent.kind, 0)
    return any(Fraction(value) * factor in percent.readings for value in share.readings)


def _kinds(number: Number) -> str:
    """Ordinals count as quantities: 'the 7th' answers '7'."""
    return Kind.QUANTITY if number.kind is Kind.ORDINAL else number.kind


def _currencies_agree(wanted: Number, there: Number) -> bool:
    return not wanted.currency or not there.currency or wanted.currency == there.currency


def _amounts_agree(wanted: Number, there: Number) -> bool:
    if wanted.unit is None:
        return any(value in there.readings for value in wanted.readings)
    if there.unit is None or there.unit.dimension != wanted.unit.dimension:
        return False
    mine = [base_amount(value, wanted.unit) for value in wanted.readings]
    return any(base_amount(value, there.unit) in mine for value in there.readings)
