"""A time that the answer denies: "it could not have existed in 1490".

Nobody need have written of 1490 for that to be right. Amounts are another matter ("you cannot return it within 30
days" is wrong where the source says 14), and so are times where the sources deny one themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_match import may_be_year
from goldassay.rules._number_model import Kind, Number
from goldassay.text import TextCache

__all__ = ["is_denied_time"]

_TIMES = frozenset({Kind.DATE, Kind.DECADE, Kind.ORDINAL})
_BEFORE = 60  # characters
_NOT = r"(?:\b(?:not|never|cannot|nicht|nie|jamais|pas|nunca|non(?= )|nooit|niet)|n't)"
_NO_DENIAL_BEHIND = r"(?!(?:until|till|before|only|but|bis|vor|jusqu|avant|hasta|antes|fino|prima|tot|voor)\b)"
_IN = r"(?:in|on|during|im|am|en|el|il|nel|op)"
_DENIED = re.compile(
    rf"{_NOT}(?: {_NO_DENIAL_BEHIND}[\w'-]{{1,20}}){{0,4}} {_IN}(?: (?:the|early|late|mid))*[ -]$", re.IGNORECASE
)
_DENIAL = re.compile(rf"{_NOT}|\b(?:no|none|without|kein\w{{0,2}}|non|geen)\b", re.IGNORECASE)
_FIGURES = re.compile(r"\d\d")
_CLAUSE_END = re.compile(r"[.!?;\n]")


def is_denied_time(number: Number, claims: str, indexes: Iterable[NumberIndex]) -> bool:
    """Whether the answer denies a date, year or century, and no source denies one.

    Args:
        number: A number of the answer that stands in no source.
        claims: The answer's text, to which the number's place refers.
        indexes: The sources that it should stand in.
    """
    if number.kind not in _TIMES and not may_be_year(number):
        return False
    if _DENIED.search(claims, max(0, number.start - _BEFORE), number.start) is None:
        return False
    return not any(_DENIES.get(index.text) for index in indexes)


def _denies_a_time(text: str) -> bool:
    return any(_DENIAL.search(part) and _FIGURES.search(part) for part in _CLAUSE_END.split(text))


_DENIES = TextCache(_denies_a_time, 3_000_000)
