"""A text as a row of words and numbers, so that a fact is found whatever its spelling.

'20 MB' and '20 megabytes' are one number token, '14 September 2026' and '2026-09-14'
one date token; words are casefolded. Used by `key_fact` for facts and answers alike.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_dates import agree
from goldassay.rules._number_index import MOST_NUMBERS, read_numbers
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import unit_of

__all__ = ["Token", "find_run", "read_tokens", "same_token"]

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:'[^\W_{_CJK}]+)?")
_UNIT_BEHIND = re.compile(r"[ -]?([^\W\d_]{1,24}[²³]?|°[CFcf])")


class Token(NamedTuple):
    """One word or one number with its unit."""

    word: str
    """Casefolded; '' for a number."""
    number: Number | None
    start: int
    end: int


def read_tokens(text: str, language: str) -> list[Token]:
    """Words and numbers of a text in normal form, in order.

    Args:
        text: The text.
        language: For number words and the decimal habit.
    """
    tokens: list[Token] = []
    done = 0
    for number in read_numbers(text, language, MOST_NUMBERS):
        if number.start < done:
            continue
        tokens += _words(text, done, number.start)
        done = _behind_unit(text, number)
        tokens.append(Token("", number, number.start, done))
    return tokens + _words(text, done, len(text))


def _words(text: str, start: int, end: int) -> list[Token]:
    return [Token(match.group().casefold(), None, *match.span()) for match in _WORD.finditer(text, start, end)]


def _behind_unit(text: str, number: Number) -> int:
    if number.unit is None:
        return number.end
    match = _UNIT_BEHIND.match(text, number.end)
    return match.end() if match and unit_of(match.group(1)) == number.unit else number.end


def find_run(wanted: list[Token], tokens: list[Token], start: int = 0) -> int | None:
    """Position at which the wanted tokens stand in a row, from `start` on; None where they do not."""
    for position in range(start, len(tokens) - len(wanted) + 1):
        if all(same_token(mine, tokens[position + i]) for i, mine in enumerate(wanted)):
            return position
    return None


def same_token(wanted: Token, there: Token) -> bool:
    """Whether two tokens say the same: the same word, or numbers equal by value, kind and unit."""
    if wanted.number is None or there.number is None:
        return wanted.number is there.number and wanted.word == there.word
    return _same_number(wanted.number, there.number)


def _same_number(wanted: Number, there: Number) -> bool:
    if wanted.key or (there.key and not there.readings):
        return wanted.key == there.key
    if wanted.dates or there.dates:
        return any(agree(mine, theirs) for mine in wanted.dates for theirs in there.dates)
    if wanted.minutes and there.minutes:
        return bool(set(wanted.minutes) & set(there.minutes))
    return _kinds(wanted) == _kinds(there) and _currencies_agree(wanted, there) and _amounts_agree(wanted, there)


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
    mine = [_amount(value, wanted.unit.factor) for value in wanted.readings]
    return any(_amount(value, there.unit.factor) in mine for value in there.readings)


def _amount(value: int | Decimal | Fraction, factor: Decimal) -> Fraction:
    return Fraction(value) * Fraction(factor)
