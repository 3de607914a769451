"""Finds wordings in a text whatever their case, quotes, spacing or invisible characters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from goldassay.text import NormalText, normalise

__all__ = ["Hit", "find_phrases"]

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NO_WORD_BEFORE = rf"(?<![^\W_{_CJK}])"
_NO_WORD_AFTER = rf"(?![^\W_{_CJK}])"
_ENDING = r"[^\W\d_]{0,4}"
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
    pattern, names = _compiled(phrases, whole_words, inflected)
    if pattern is None:
        return []
    return [Hit(names[int((match.lastgroup or "_0")[1:])], *match.span()) for match in pattern.finditer(text.text)]


@lru_cache(maxsize=64)
def _compiled(
    phrases: tuple[str, ...],
    whole_words: bool,  # noqa: FBT001 - the cache keys on positions
    inflected: bool,  # noqa: FBT001 - same
) -> tuple[re.Pattern[str] | None, tuple[str, ...]]:
    """One pattern for all phrases, the longest first, so that the fullest wording is named."""
    names = tuple(sorted((phrase for phrase in phrases if phrase.strip()), key=len, reverse=True))
    if not names:
        return None, ()
    patterns = (_phrase_pattern(name, whole_words=whole_words, inflected=inflected) for name in names)
    parts = (f"(?P<_{i}>{pattern})" for i, pattern in enumerate(patterns))
    return re.compile("|".join(parts), re.IGNORECASE), names


def _phrase_pattern(phrase: str, *, whole_words: bool, inflected: bool) -> str:
    words = normalise(phrase).text.split()
    pieces = [re.escape(word) + (_ENDING if inflected and word[-1:].isalpha() else "") for word in words]
    body = r"\s{1,20}".join(pieces)
    if not whole_words:
        return body
    before = _NO_WORD_BEFORE if words[0][0].isalnum() else ""
    after = _NO_WORD_AFTER if words[-1][-1].isalnum() else ""
    return f"{before}{body}{after}"
