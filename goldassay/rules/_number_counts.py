"""Counts of what the answer itself shows: "three ways:" before three items, "all 4 sources" where four were sent.

Knows the answer's text and the sources sent; such a count need stand in no source.
Called by `goldassay.rules._number_lists`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.rules._number_model import Kind, Number

__all__ = ["counts_own_list", "counts_sources"]

_LARGEST_COUNT = 50
_HEAD = re.compile(r"[ ]?(?P<noun>[^\W\d_][^\n:.!?]{0,100}?)(?P<colon>[:：]|[.]?(?=[ \t]*\n))")
_ITEM = re.compile(r"(?P<indent>[ \t>]*)(?:[-•+*–]|\(?[0-9]{1,2}[.):]|[0-9]️?⃣)[ \t]*\S")
_AND = re.compile(r"\s?[,;]\s(?:and |or |und |et |y )?|\s(?:and|or|und|oder|et|y)\s")
_ENUMERATED = re.compile(r"\(?\b([1-9][0-9]?)\)\s")
_LONGEST_LIST = 6_000
"""Characters behind the count in which its items are looked for."""
_LONGEST_SENTENCE = 600
_PLACES = "passages?|documents?|sources?|excerpts?|snippets?|texts?|articles?|references?|quellen?|dokumente?n?"
_ALL_SOURCES = re.compile(
    r"\b(?:all|the|both|these|those|of|alle[nr]?|die|den|drei|beide[nr]?)(?: \w{1,12})? $", re.IGNORECASE
)
_SOURCES_BEHIND = re.compile(rf" (?:\w{{1,14}} ){{0,2}}(?:{_PLACES})\b", re.IGNORECASE)
_SENT = re.compile(
    r" ?(?:you )?(?:provided|given|retrieved|sent|supplied|above|cited|listed|agree|say|state|mention|confirm)\b",
    re.IGNORECASE,
)
_NUMBER_WORD = r"(?:[0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


def counts_sources(number: Number, text: str, sources: Sequence[str]) -> bool:
    """'All 3 sources', 'the four passages provided': a count of what was sent, not above it."""
    value = _count_of(number)
    if value is None or value > len(sources):
        return False
    behind = _SOURCES_BEHIND.match(text, number.end)
    if behind is None:
        return False
    before = text[max(0, number.start - 24) : number.start]
    return _ALL_SOURCES.search(before) is not None or _SENT.match(text, behind.end()) is not None


def counts_own_list(number: Number, text: str, sources: Sequence[str]) -> bool:
    """'Three people: A, B and C', '4 steps:' before four items; not where a source counts such things otherwise."""
    value = _count_of(number)
    head = _HEAD.match(text, number.end) if value is not None else None
    if value is None or head is None:
        return False
    behind = text[head.end() : head.end() + _LONGEST_LIST]
    is_counted = value in {_lines(behind)} | ({_members(behind)} if head.group("colon") in {":", "："} else set())
    return is_counted and not _is_counted_otherwise(head.group("noun"), sources)


def _count_of(number: Number) -> int | None:
    if number.kind is not Kind.QUANTITY or number.unit or number.currency or not number.readings:
        return None
    value = number.readings[0]
    return int(value) if value == int(value) and 1 < value <= _LARGEST_COUNT else None


def _lines(behind: str) -> int:
    """Items of the list that begins on the next line; deeper ones belong to those above them."""
    indents: list[int] = []
    for position, line in enumerate(behind.split("\n")):
        item = _ITEM.match(line)
        if item is not None:
            indents.append(len(item.group("indent")))
        if len(indents) > 2 * _LARGEST_COUNT:
            break
        if item is None and line.strip() and position and not line.startswith((" ", "\t")):
            break
    return sum(indent == indents[0] for indent in indents)


def _members(behind: str) -> int:
    """Members of a list in the same sentence: 'A, B and C', '(1) A, (2) B'."""
    sentence = re.split(r"[.!?](?:\s|\Z)|\n", behind[:_LONGEST_SENTENCE].strip(), maxsplit=1)[0]
    marked = _ENUMERATED.findall(sentence)
    if len(marked) > 1:
        return len(marked)
    return len([member for member in _AND.split(sentence) if member.strip()])


def _is_counted_otherwise(noun: str, sources: Sequence[str]) -> bool:
    """Whether a source counts such things itself; with this number it would have been found there."""
    word = re.match(r"(?:\w+ ){0,2}?(\w{3,30})(?= (?:are|is|were|was|named|of|to|for|that|who|which|in)\b|\Z)", noun)
    last = word.group(1) if word is not None else noun.rsplit(maxsplit=1)[-1]
    pattern = re.compile(rf"\b{_NUMBER_WORD} (?:\w{{1,20}} )?{re.escape(last[:30])}\b", re.IGNORECASE)
    return any(pattern.search(source) for source in sources)
