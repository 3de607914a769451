"""Finds citations that are written out: "passage two", "the second passage says", "laut der zweiten Quelle".

Knows words only; what they mean is for `goldassay.rules.cites_resolve`. Called by
`goldassay.rules.cites_marks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["SINGULAR_NAMES", "written_out"]

_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_GERMAN = ("erste", "zweite", "dritte", "vierte", "fünfte", "sechste", "siebte", "achte", "neunte", "zehnte")
_VALUES = {word: i for row in (_CARDINALS, _ORDINALS, _GERMAN) for i, word in enumerate(row, start=1)}
_SAYS = (
    r"(?:says?|states?|mentions?|notes?|explains?|describes?|confirms?|indicates?|gives?|lists?|contains?|shows?|reports?"
    r"|adds?|provides?|tells?|also|provided|above|sagt|nennt|erwähnt|beschreibt|enthält)"
)
_PLACE = r"(?:passage|excerpt|snippet|source|document|text|quelle|passage|textstelle)"
# "the second source of income" and "the first document you sign" cite nothing: a verb of telling, a comma or a
# bracket must follow, or "according to" stand before.
_WRITTEN = re.compile(
    rf"(?<![\w-])(?:{_PLACE} (?P<cardinal>{'|'.join(_CARDINALS)})(?![\w-])"
    rf"|(?<=\bthe )(?P<ordinal>{'|'.join(_ORDINALS)}) {_PLACE}(?=\s?[,:)]| {_SAYS}\b)"
    rf"|(?:(?<=\baccording to the )|(?<=\bbased on the )|(?<=\bsee the )|(?<=\bper the ))"
    rf"(?P<told>{'|'.join(_ORDINALS)}) {_PLACE}\b"
    rf"|(?:(?<=\blaut der )|(?<=\bnach der )|(?<=\bgemäß der ))(?P<laut>{'|'.join(_GERMAN)})[nr]? {_PLACE}\b)",
    re.IGNORECASE,
)
SINGULAR_NAMES = frozenset({"passage", "excerpt", "snippet", "source", "document", "text", "quelle", "textstelle"})
"""One of them, in any case, stands as a run of letters in every text with a citation that is written out."""
_BEHIND = frozenset(" ,:)\n")
_HINTS = ("assage", "xcerpt", "nippet", "ource", "ocument", "text", "uelle", "telle")
"""Part of every name of a source: a first look that spares most answers the pattern."""


def written_out(text: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, number) of each citation in words, in order."""
    if not _names_one_source(text):
        return
    for match in _WRITTEN.finditer(text):
        word = match.group("cardinal") or match.group("ordinal") or match.group("told") or match.group("laut")
        yield match.start(), match.end(), _VALUES[word.lower()]


def _names_one_source(text: str) -> bool:
    """Whether a name of a source stands in the singular; 'sources' is no single one."""
    for hint in _HINTS:
        position = text.find(hint)
        while position >= 0:
            if text[position + len(hint) : position + len(hint) + 1] in _BEHIND:
                return True
            position = text.find(hint, position + 1)
    return False
