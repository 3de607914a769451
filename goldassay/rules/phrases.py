"""Finds wordings in a text whatever their case, quotes, spacing or invisible characters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from goldassay.text import NormalText, normalise

__all__ = ["Hit", "find_phrases"]

# Letters of scripts that part words by spaces; others (Chinese, Japanese, Thai) may touch a phrase. Short ranges,
# since each pattern that ignores case compiles its own table of them.
_LETTER = r"0-9a-z\u00df-\u024f\u0370-\u052f"
_NO_WORD_BEFORE = f"(?<![{_LETTER}])"
_NO_WORD_AFTER = f"(?![{_LETTER}])"
_ENDING = r"[a-z\u00df-\u024f\u0370-\u052f]{0,4}"
"""Endings by which a word may differ from the listed one when inflected forms count: 'guarantee' finds 'guaranteed'."""


class Hit(NamedTuple):
    """One wording found."""

    phrase: str
    """As listed in the settings."""
    start: int
    end: int
    """Span in the normal form."""


def find_phrases(
    text: NormalText, phrases: tuple[str, ...], *, whole_words: bool = True, inflected: bool = False
) -> list[Hit]:
    """All places where one of the phrases stands, in order; code counts too, for a user reads it.

    Args:
        text: The answer in normal form: both sides are folded alike.
        phrases: Wordings as a person would write them; blank ones are ignored.
        whole_words: Whether 'art' must not be found in 'party'; no bar where words are not parted by spaces.
        inflected: Whether each word may carry another ending of up to four letters.
    """
    hits: list[Hit] = []
    lower = _lowered(text.text)
    flat = " ".join(lower.split())
    compiled = _all_compiled(phrases, whole_words, inflected)
    for key, phrase, pattern in compiled.ascii if flat.isascii() else compiled.every:
        if key in flat:
            hits.extend(Hit(phrase, *match.span()) for match in pattern.finditer(lower))
    return _apart(hits)


def _lowered(text: str) -> str:
    """Lower case of the same length, so that offsets stay: the few letters that would grow are left as they are."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


def _apart(hits: list[Hit]) -> list[Hit]:
    """Hits in order; where two overlap, the fuller wording stays."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


class _Compiled(NamedTuple):
    key: str
    """What must stand in a text with single spaces before the pattern is tried, which spares nearly all of them."""
    phrase: str
    pattern: re.Pattern[str]


class _Phrases(NamedTuple):
    every: tuple[_Compiled, ...]
    ascii: tuple[_Compiled, ...]
    """Those that can stand in an ASCII text."""


@lru_cache(maxsize=64)
def _all_compiled(
    phrases: tuple[str, ...],
    whole_words: bool,  # noqa: FBT001 - the cache keys on positions
    inflected: bool,  # noqa: FBT001 - same
) -> _Phrases:
    compiled: list[_Compiled] = []
    for phrase in phrases:
        words = _lowered(normalise(phrase).text).split()
        if words:
            pattern = _phrase_pattern(words, whole_words=whole_words, inflected=inflected)
            key = max(words, key=len) if inflected else " ".join(words)
            compiled.append(_Compiled(key, phrase, re.compile(pattern)))
    return _Phrases(tuple(compiled), tuple(item for item in compiled if item.key.isascii()))


def _phrase_pattern(words: list[str], *, whole_words: bool, inflected: bool) -> str:
    pieces = [re.escape(word) + (_ENDING if inflected and word[-1:].isalpha() else "") for word in words]
    body = r"\s{1,20}".join(pieces)
    if not whole_words:
        return body
    before = _NO_WORD_BEFORE if words[0][0].isalnum() else ""
    after = _NO_WORD_AFTER if words[-1][-1].isalnum() else ""
    return f"{before}{body}{after}"
