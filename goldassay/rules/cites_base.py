"""Which numbers a citation mark names, and whether a log counts its sources from 0 or from 1.

Knows marks and numbers of sources, not their ids. Called by `goldassay.rules.cites_resolve` and by who reads a log.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from goldassay.records import AnswerRecord
from goldassay.rules.cites_marks import Item, find_marks
from goldassay.text import normalise

__all__ = ["detect_base", "expanded"]

_LONGEST_RANGE = 200


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
