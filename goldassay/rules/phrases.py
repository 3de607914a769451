"""Finds wordings in a text whatever their case, quotes, spacing or invisible characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from goldassay.text import NormalText, letter_words, normalise

__all__ = ["Hit", "Searched", "find_phrases"]

# Letters of scripts that part words by spaces; others (Chinese, Japanese, Thai) may touch a phrase. Short ranges,
# since each pattern that ignores case compiles its own table of them.
_LETTER = r"0-9a-z\u00df-\u024f\u0370-\u052f"
_NO_WORD_BEFORE = f"(?<![{_LETTER}])"
_NO_WORD_AFTER = f"(?![{_LETTER}])"
_IS_LETTER = re.compile(f"[{_LETTER}]")
_ENDING = r"[a-z\u00df-\u024f\u0370-\u052f]{0,4}"
"""Endings by which a word may differ from the listed one when inflected forms count: 'guarantee' finds 'guaranteed'."""


_PLAIN_WORD = re.compile(r"[a-z]+")


class Hit(NamedTuple):
    """One wording found."""

    phrase: str
    """As listed in the settings."""
    start: int
    end: int
    """Span in the normal form."""


class Searched:
    """A text made ready to be searched for several lists of wordings.

    Args:
        text: Any text in normal form.
        vocabulary: Its runs of letters, where the caller has them already.
    """

    def __init__(self, text: NormalText, vocabulary: frozenset[str] | None = None) -> None:
        self.lower = _lowered(text.text)
        self._words = vocabulary
        self._flat: str | None = None

    @property
    def words(self) -> frozenset[str]:
        """Its runs of letters."""
        if self._words is None:
            self._words = frozenset(letter_words(self.lower))
        return self._words

    @property
    def flat(self) -> str:
        """The text with single spaces."""
        if self._flat is None:
            self._flat = " ".join(self.lower.split())
        return self._flat


def find_phrases(
    text: NormalText | Searched, phrases: tuple[str, ...], *, whole_words: bool = True, inflected: bool = False
) -> list[Hit]:
    """All places where one of the phrases stands, in order; code counts too, for a user reads it.

    Args:
        text: The answer in normal form: both sides are folded alike; made ready where it is searched more than once.
        phrases: Wordings as a person would write them; blank ones are ignored.
        whole_words: Whether 'art' must not be found in 'party'; no bar where words are not parted by spaces.
        inflected: Whether each word may carry another ending of up to four letters.
    """
    searched = text if isinstance(text, Searched) else Searched(text)
    worth_trying = _all_wordings(phrases, whole_words, inflected).worth_trying(searched)
    hits: list[Hit] = []
    for item in worth_trying:
        if item.key in searched.flat:
            hits.extend(Hit(item.phrase, *match.span()) for match in item.pattern.finditer(searched.lower))
    return _apart(hits) if hits else hits


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


@dataclass(frozen=True)
class _Wording:
    key: str
    """What must stand in a text with single spaces before the pattern is tried, which spares nearly all of them."""
    phrase: str
    source: str
    """The pattern, not compiled yet: few of them are ever tried, and all together take longer than a small check."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Over lower-case text."""
        return re.compile(self.source)


@dataclass(frozen=True)
class _Phrases:
    every: tuple[_Wording, ...]
    by_word: dict[str, list[int]]
    """Positions in `every` of phrases by the word that must stand in an ASCII text: their last of the longest."""
    always: frozenset[int]
    """Positions of those that may begin within a word."""

    def worth_trying(self, searched: Searched) -> Sequence[_Wording]:
        """Those whose longest word stands in the text, in the order of the settings."""
        if not searched.lower.isascii():
            return self.every
        if not self.always and searched.words.isdisjoint(self.by_word):
            return ()
        seen = self.by_word.keys() & searched.words
        found = self.always.union(*(self.by_word[word] for word in seen))
        return [self.every[position] for position in sorted(found)]


@lru_cache(maxsize=64)
def _all_wordings(
    phrases: tuple[str, ...],
    whole_words: bool,  # noqa: FBT001 - the cache keys on positions
    inflected: bool,  # noqa: FBT001 - same
) -> _Phrases:
    wordings: list[_Wording] = []
    for phrase in phrases:
        words = _lowered(normalise(phrase).text).split()
        if words:
            pattern = _phrase_pattern(words, whole_words=whole_words, inflected=inflected)
            key = max(words, key=len) if inflected else " ".join(words)
            wordings.append(_Wording(key, phrase, pattern))
    return _by_longest_word(tuple(wordings), is_whole=whole_words and not inflected)


def _by_longest_word(wordings: tuple[_Wording, ...], *, is_whole: bool) -> _Phrases:
    by_word: dict[str, list[int]] = {}
    always: set[int] = set()
    for position, item in enumerate(wordings):
        words = _PLAIN_WORD.findall(item.key) if is_whole else []
        if not item.key.isascii():
            continue  # cannot stand in an ASCII text
        if words:
            by_word.setdefault(max(reversed(words), key=len), []).append(position)
        else:
            always.add(position)
    return _Phrases(wordings, by_word, frozenset(always))


def _phrase_pattern(words: list[str], *, whole_words: bool, inflected: bool) -> str:
    pieces = [re.escape(word) + (_ENDING if inflected and word[-1:].isalpha() else "") for word in words]
    body = r"\s{1,20}".join(pieces)
    if not whole_words:
        return body
    # A phrase in Chinese ends where it ends: a figure may touch it.
    before = _NO_WORD_BEFORE if _IS_LETTER.match(words[0][0]) else ""
    after = _NO_WORD_AFTER if _IS_LETTER.match(words[-1][-1]) else ""
    return f"{before}{body}{after}"
