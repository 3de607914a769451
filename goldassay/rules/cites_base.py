"""What the members of a citation mark name: numbers, places, titles; whether a log counts its sources from 0 or from 1.

Knows marks and numbers of sources, not their ids. Called by `goldassay.rules.cites_resolve` and by who reads a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from goldassay.records import AnswerRecord
from goldassay.rules.cites_marks import Item, find_marks
from goldassay.rules.wordlists import word_set
from goldassay.text import normalise

__all__ = ["detect_base", "expanded", "is_place", "is_title"]

_LONGEST_RANGE = 200
_PLACES = word_set(
    "p pp page pages s seite § section sections sec para paragraph line lines zeile chapter ch pág página str pag table"
)
_PLACE = re.compile(rf"§|(?:{'|'.join(sorted(_PLACES))}|chap|art|abs|fig)\b\.?\s?\d", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")


def expanded(item: Item) -> list[int]:
    """The numbers an item stands for; a range that cannot be one is read as its two ends."""
    first = item.first or 0
    if item.last is None:
        return [first]
    if first <= item.last <= first + _LONGEST_RANGE:
        return [*range(first, item.last + 1)]
    return [first, item.last]


def detect_base(records: Iterable[AnswerRecord]) -> Literal[0, 1]:
    """Whether the answers of a log number their sources from 0 or from 1.

    Args:
        records: Answers of one assistant; some hundred are enough.

    Returns:
        0 if more answers cite [0] than cite the number of sources sent (the one mark only counting from 1 allows).
    """
    zero = last = 0
    for record in records:
        if "[" not in record.answer or not record.sources:
            continue
        numbers: set[int] = set()
        for mark in find_marks(normalise(record.answer).prose, superscripts=False):
            for item in mark.items:
                if mark.kind == "bracket" and item.first is not None and not item.word:
                    numbers.update(expanded(item))
        zero += 0 in numbers
        last += len(record.sources) in numbers and 0 not in numbers
    return 0 if zero > last else 1


def is_place(items: tuple[Item, ...]) -> bool:
    """Whether the item tells where in a source: 'p. 3', '§ 4', 'section 4.2', 'S. 3 ff.'."""
    return any(item.word in _PLACES or _PLACE.match(item.text) for item in items)


def is_title(item: Item) -> bool:
    """Whether the item tells more of a source named before it: its title or its year."""
    return (item.first is None and item.text[0].isupper()) or _YEAR.fullmatch(item.text) is not None
