"""Finds wordings in a text whatever their case, quotes, spacing, hyphens, accents or invisible characters."""

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
_ACCENTED = {
    "a": "àáâãäå", "c": "ç", "e": "èéêë", "i": "ìíîï", "n": "ñ", "o": "òóôõö", "u": "ùúûü", "y": "ýÿ", "s": "š",
    "z": "ž",
}  # fmt: skip
_PLAIN = str.maketrans(
    {accented: plain for plain, row in _ACCENTED.items() for accented in row}
    | dict.fromkeys("-\u2013\u2014", " ") | {"`": "'", "ß": "ss"}
)  # fmt: skip
"""How texts and keys are compared at a first look."""
_JOINT = re.compile(r"[\s\u2013\u2014-]+")
_BETWEEN = r"[\s\u2013\u2014-]{1,20}"
"""'best-in-class' is 'best in class'."""
_MAY_STAND_APART = frozenset("%!?:;.,€$")
"""'100 %' is '100%'."""
_SHARP = re.compile("ss|ß")
_ALPHANUMERIC = re.compile(r"[^\W_]+")


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
        vocabulary: Its runs of letters in lower case, where the caller has them already.
    """

    def __init__(self, text: NormalText, vocabulary: frozenset[str] | None = None) -> None:
        self.lower = _lowered(text.text)
        self._words = vocabulary
        self._bare: str | None = None
        self._flat: str | None = None

    @property
    def bare(self) -> str:
        """The text with plain letters, as keys are written."""
        if self._bare is None:
            self._bare = self.lower.translate(_PLAIN)
        return self._bare

    @property
    def is_ascii(self) -> bool:
        """Whether its words tell which wordings it cannot hold."""
        return self.lower.isascii() or self.bare.isascii()

    @property
    def words(self) -> frozenset[str]:
        """Its runs of letters."""
        if self._words is None:
            self._words = frozenset(letter_words(self.bare))
        return self._words

    @property
    def flat(self) -> str:
        """The text with plain letters and single spaces."""
        if self._flat is None:
            self._flat = " ".join(self.bare.split())
        return self._flat


def find_phrases(
    text: NormalText | Searched,
    phrases: tuple[str, ...],
    *,
    whole_words: bool = True,
    inflected: bool = False,
    accents: bool = True,
) -> list[Hit]:
    """All places where one of the phrases stands, in order; code counts too, for a user reads it.

    Args:
        text: The answer in normal form: both sides are folded alike.
        phrases: Wordings as a person would write them; blank ones are ignored.
        whole_words: Whether 'art' must not be found in 'party'; no bar where words are not parted by spaces.
        inflected: Whether each word may carry another ending of up to four letters.
        accents: Whether 'cliche' is another word than 'cliché'.
    """
    searched = text if isinstance(text, Searched) else Searched(text)
    worth_trying = _all_wordings(phrases, whole_words, inflected, accents).worth_trying(searched)
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
    """What must stand in a text with plain letters and single spaces before the pattern is tried; it spares most."""
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
        if not searched.is_ascii:
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
    accents: bool,  # noqa: FBT001 - same
) -> _Phrases:
    wordings: list[_Wording] = []
    for phrase in phrases:
        lower = _lowered(normalise(phrase).text)
        words = [word for word in _JOINT.split(lower) if word] or lower.split()  # a dash alone may be a wording
        if words:
            pattern = _phrase_pattern(words, whole_words=whole_words, inflected=inflected, accents=accents)
            wordings.append(_Wording(_key(words, inflected=inflected), phrase, pattern))
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


def _key(words: list[str], *, inflected: bool) -> str:
    plain = " ".join(words).translate(_PLAIN)
    if inflected or not _MAY_STAND_APART.isdisjoint(plain):
        return max(_ALPHANUMERIC.findall(plain), key=len, default=plain.strip())
    return " ".join(plain.split())


def _phrase_pattern(words: list[str], *, whole_words: bool, inflected: bool, accents: bool) -> str:
    pieces = [
        _word_pattern(word, accents=accents) + (_ENDING if inflected and word[-1:].isalpha() else "") for word in words
    ]
    body = "".join(
        (_BETWEEN if position and words[position][0] not in _MAY_STAND_APART else "") + piece
        for position, piece in enumerate(pieces)
    )
    if not whole_words:
        return body
    # A phrase in Chinese ends where it ends: a figure may touch it.
    before = _NO_WORD_BEFORE if _IS_LETTER.match(words[0][0]) else ""
    after = _NO_WORD_AFTER if _IS_LETTER.match(words[-1][-1]) else ""
    return f"{before}{body}{after}"


def _word_pattern(word: str, *, accents: bool) -> str:
    """One word in any of its spellings."""
    patterns = ("".join(_sign_pattern(sign, accents=accents) for sign in part) for part in _SHARP.split(word))
    return "(?:ss|ß)".join(patterns)


def _sign_pattern(sign: str, *, accents: bool) -> str:
    if sign == "'":
        return "['`]"
    if sign in _MAY_STAND_APART:
        return rf"\s?{re.escape(sign)}"
    plain = sign.translate(_PLAIN)
    row = "" if accents else _ACCENTED.get(plain, "")
    return f"[{plain}{row}]" if row else re.escape(sign)
