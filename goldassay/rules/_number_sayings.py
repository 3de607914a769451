"""Counts and halves that have a word of their own: 'two dozen', 'ein Dutzend', 'anderthalb', 'zweieinhalb'.

All languages at once, for their words do not clash. Called by `_number_index`; fractions that English writes in
several words are in `_number_fractions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_model import Number
from goldassay.rules._number_values import tidy
from goldassay.rules._number_words import number_of_words
from goldassay.text import holds_one

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
_DOZEN_HINTS = ("dozen", "utzend", "ouzain", "ocena", "ozzin", "dúzia", "dozijn")

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
_HALF_HINTS = ("inhalb", "nderthalb", "nderhal", "nhalf", "enhalf")


def sayings(text: str) -> Iterator[Number]:
    """All such counts of a text, by kind."""
    if holds_one(text, _DOZEN_HINTS):
        for match in _DOZENS.finditer(text):
            if match.group().lower() == "a dozen":
                continue  # counts only at its noun: `_number_implied`
            times = match.group("times").lower()
            factor = _TIMES_A_DOZEN.get(re.sub("[ -]", "_", times)) or Fraction(times)
            yield number_of_words(text, *match.span(), tidy(factor * _DOZEN))
    if holds_one(text, _HALF_HINTS):
        for match in _HALVES.finditer(text):
            whole = _WHOLES[match.group("whole").lower()] if match.group("whole") else 1
            yield number_of_words(text, *match.span(), whole + Decimal("0.5"))
