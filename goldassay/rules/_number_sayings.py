"""Counts and shares that have a word of their own: 'two dozen', 'ein Dutzend', 'anderthalb', 'zweieinhalb', '五分之一'.

All languages at once, for their words do not clash. Called by `_number_index`; fractions that English writes in
several words are in `_number_fractions`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_cjk import cjk_value
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_values import tidy
from goldassay.rules._number_words import number_of_words

__all__ = ["sayings"]

_DOZEN = 12
_TIMES_A_DOZEN = {
    word: Fraction(value)
    for value, words in {
        "1/2": "half_a a_half halbes media mezza meia half_een demi une_demi une_demie",
        "1": "a one ein einem une una uma een",
        "2": "two zwei deux dos due duas twee",
        "3": "three drei trois tres tre três drie",
        "4": "four vier quatre cuatro quattro quatro",
        "5": "five fünf cinq cinco cinque vijf",
        "6": "six sechs seis sei zes",
        "10": "ten zehn dix diez dieci dez tien",
    }.items()
    for word in words.split()
}
_MULTIPLIER = "|".join(sorted((word.replace("_", "[ -]") for word in _TIMES_A_DOZEN), key=len, reverse=True))
_DOZENS = re.compile(
    rf"\b(?P<times>{_MULTIPLIER}|[0-9]{{1,3}})[ -](?:dozen|dutzend|douzaines?|docenas?|dozzin[ae]|dúzias?|dozijn)\b",
    re.IGNORECASE,
)

_WHOLES = {
    word: value
    for words in (
        "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
    )
    for value, word in enumerate(words.split(), start=1)
}
_HALVES = re.compile(
    rf"\b(?:(?P<whole>{'|'.join(_WHOLES)})(?:einhalb|(?:en|ën)half|(?:en|ën)een?half|eneenhalf)"
    r"|anderthalb|anderhalve?)(?!\w)",
    re.IGNORECASE,
)


_CJK_DIGITS = "[0-9零一二两三四五六七八九十]{1,3}"
_CJK_SHARE = re.compile(rf"(?<![\d百千万])({_CJK_DIGITS})(?:分之|分の) ?({_CJK_DIGITS})(?![0-9百千万])")


def _cjk_value(numeral: str) -> int:
    return int(numeral) if numeral.isdigit() and numeral.isascii() else cjk_value(numeral) or 0


def _cjk_shares(text: str) -> Iterator[Number]:
    """'五分之一' is a fifth, '3分の2' two thirds."""
    for match in _CJK_SHARE.finditer(text):
        lower, upper = (_cjk_value(numeral) for numeral in match.groups())
        if 0 < upper < lower:
            share = (tidy(Fraction(upper, lower)),)
            yield Number(Kind.QUANTITY, *match.span(), share, parts=(upper, lower), word=True, written=match.group())


_UPPERS = {
    word: value
    for value, words in {
        2: "zwei deux dos due dois duas twee",
        3: "drei trois tres tre três drie",
        4: "vier quatre cuatro quattro quatro",
    }.items()
    for word in words.split()
}  # fmt: skip
_LOWERS = {
    word: value
    for value, words in {
        3: "drittel tiers tercios terzi terços derde derden",
        4: "viertel quarts cuartos quarti quartos kwart",
        5: "fünftel cinquièmes quintos quinti vijfde vijfden",
        10: "zehntel dixièmes décimos decimi tiende tienden",
    }.items()
    for word in words.split()
}
_SHARE = re.compile(rf"\b({'|'.join(_UPPERS)})[ -]?({'|'.join(_LOWERS)})(?!\w)", re.IGNORECASE)


def _shares(text: str) -> Iterator[Number]:
    """'drei Viertel', 'deux tiers'; one part alone is often something else, as 'un quart d'heure' and 'ein Viertel'."""
    for match in _SHARE.finditer(text):
        share = Fraction(_UPPERS[match.group(1).lower()], _LOWERS[match.group(2).lower()])
        if share < 1:
            yield number_of_words(text, *match.span(), _rounded(share))


def _rounded(share: Fraction) -> Value:
    """Thirds as people write them: 0.67."""
    value = tidy(share)
    return Decimal(round(share * 100)) / 100 if isinstance(value, Fraction) else value


def _dozens(text: str) -> Iterator[Number]:
    for match in _DOZENS.finditer(text):
        times = match.group("times").lower()
        if match.group().lower() != "a dozen":  # counts only at its noun: `_number_implied`
            factor = _TIMES_A_DOZEN.get(re.sub("[ -]", "_", times)) or Fraction(times)
            yield number_of_words(text, *match.span(), tidy(factor * _DOZEN))


def _halves(text: str) -> Iterator[Number]:
    for match in _HALVES.finditer(text):
        whole = _WHOLES[match.group("whole").lower()] if match.group("whole") else 1
        yield number_of_words(text, *match.span(), whole + Decimal("0.5"))


def sayings(text: str, language: str) -> Iterator[Number]:
    """All such counts of a text, by kind.

    Args:
        text: A text in normal form.
        language: Its language; '' where it is unknown.
    """
    if language == "en":  # the quick way, for most texts are English
        return _dozens(text) if "dozen" in text else iter(())
    read = (_cjk_shares,) if language == "zh" else (_shares, _dozens, _halves)
    return itertools.chain.from_iterable(reader(text) for reader in read)
