"""Why a number that stands in no source may yet be no error: counts of the answer's own, names, the day of speaking.

Knows the number and the words around it; what follows from that is decided by `_number_fates`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from goldassay.rules._number_index import NumberIndex, index_numbers
from goldassay.rules._number_model import Kind, Number

__all__ = ["asked_for", "counts_vaguely", "has_sibling", "is_time_of_speaking"]

_ADJECTIVES = "main|key|major|different|separate|distinct|unrelated|common|important|possible|primary|other|simple"
_COUNTED = (
    "ways?|things?|steps?|reasons?|options?|types?|kinds?|topics?|pieces?|subjects?|points?|aspects?|factors?|methods?"
    "|categories|parts?|examples?|tips?|entities|individuals|questions?|areas?|groups?|issues?|elements?|approaches"
)
_COUNTED_BY_ANSWER = re.compile(
    rf" (?:(?:{_ADJECTIVES}) ){{0,3}}(?:{_COUNTED})\b| (?:separate|distinct|unrelated|different)\b", re.IGNORECASE
)
_TOP_BEFORE = re.compile(r"\btop[ -]$", re.IGNORECASE)
_LIST_BEHIND = re.compile(r"[^.!?\n]{0,160}:\s*\n")
_VAGUE_WORDS = frozenset({2, Decimal("0.67")})  # 'two', 'two thirds'
_WORD_BEHIND = re.compile(r"[ -]?[^\W\d_]")
_TIME_OF_SPEAKING = re.compile(
    r"(?:\bas of|\bas at|\bstand(?: vom)?:?|\bà la date du|\ba fecha de) (?:the |early |late |mid-?)?$", re.IGNORECASE
)


def counts_vaguely(number: Number, claims: str) -> bool:
    """'two', 'three main reasons', 'the top 10:', a 0 or a bare 1: counts of what the answer tells itself."""
    if not number.readings or number.kind is not Kind.QUANTITY:
        return False
    value = number.readings[0]
    if value == 0:
        return True  # 'no time' is 0 days
    if number.unit or number.currency:
        return False
    if _is_bare_one(number, claims) or (number.word and value == 2) or _heads_list(number, claims):
        return True
    return 1 < value <= 12 and _COUNTED_BY_ANSWER.match(claims, number.end) is not None


def _heads_list(number: Number, claims: str) -> bool:
    """'The top 10 games are:' above a list that the answer makes itself, be it as long or not."""
    before = claims[max(0, number.start - len("top-") - 1) : number.start]
    return _TOP_BEFORE.search(before) is not None and _LIST_BEHIND.match(claims, number.end) is not None


def _is_bare_one(number: Number, claims: str) -> bool:
    """A 1 that stands for nothing named; '#1' is a rank."""
    if number.written != "1" or number.percent_too or claims[: number.start].endswith("#"):
        return False
    return _WORD_BEHIND.match(claims, number.end) is None


def is_time_of_speaking(before: str) -> bool:
    """Whether the words before a date say 'as of'."""
    return _TIME_OF_SPEAKING.search(before) is not None


_LEAST_DIALLED = 7
_QUARTER = re.compile(r"q[1-4]|[1-4]q")


def _are_siblings(key: str, other: str) -> bool:
    letters, other_letters = (re.sub(r"[^a-z]", "", name) for name in (key, other))
    if letters == other_letters:
        return True
    return bool(key[:1].isdigit() and other_letters) and key.rstrip(letters) == other.rstrip(other_letters)


def has_sibling(number: Number, indexes: Iterable[NumberIndex]) -> bool:
    """Whether a text holds another name of its kind: K-205 beside K-204, 12c beside 12b, Q2 beside Q3.

    A telephone or account number is no name that a text may leave out.
    """
    if number.key.isdigit() and len(number.key) >= _LEAST_DIALLED:
        return True
    if _QUARTER.fullmatch(number.key):
        return any("quarter" in index.text.lower() for index in indexes)
    return any(_are_siblings(number.key, key) for index in indexes for key in index.by_key)


def asked_for(number: Number, question: str) -> str:
    """A note where the question sets a scale that holds the number: 'CONFIDENCE 1-10'."""
    asked = index_numbers(question)
    for low, high in zip(asked.numbers, asked.numbers[1:], strict=False):
        is_range = asked.text[low.end : high.start].strip() in {"-", "to", "bis", "à", "a"}
        if not (is_range and number.readings and low.readings and high.readings):
            continue
        if low.readings[0] <= number.readings[0] <= high.readings[0]:
            return f" (number requested by the question: {low.written} to {high.written})"
    return ""
