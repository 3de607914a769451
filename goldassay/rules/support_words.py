"""Words of answers and sources in a form in which they can be compared: lower case, without endings, with a weight.

Latin words lose their endings, numbers their grouping, runs of Chinese, Japanese
or Korean become pairs of neighbouring characters. A word's weight is its rarity
in the texts that `benchmarks/fit_support.py` counted. Called by the `support` rules.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import accumulate
from typing import cast

__all__ = [
    "Weights",
    "Words",
    "is_number",
    "source_tokens",
    "source_words",
    "span_of_tokens",
    "tokens",
    "weights",
    "without_marks",
]  # fmt: skip

Words = str | tuple[str, ...]
"""Stems of a stretch of text without spaces: nearly always one, else a tuple of none or several."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?")
_SEPARATORS_BLANKED = bytes(
    c if chr(c) in "abcdefghijklmnopqrstuvwxyz0123456789.,'" else c + 32 if 65 <= c <= 90 else 32 for c in range(256)
)
"""Lower case, and a space for what stands in no token, so that nearly every stretch without spaces is one token."""
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARK = re.compile(r"\[\^?\w?\d{1,3}\]")
_ENDINGS = ("ations", "ation", "ments", "ment", "ingly", "edly", "ings", "ing", "ers", "er", "ed", "es", "ly", "s", "e")
"""Longest first: the first that fits is taken."""
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_MORE_NUMBER_WORDS = {
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "hundred": "100", "first": "1", "second": "2", "third": "3",
}  # fmt: skip
_SHORTEST_STEM = 3
_LONGEST_PIECE = 40
_LONGEST_YEAR = 4
_MOST_PIECES = 50_000
_MOST_KEPT = 200_000
"""Words remembered with their stems; beyond it the memory starts anew, so that it stays bounded."""


def _data(name: str) -> str:
    return resources.files("goldassay.rules").joinpath(f"data/{name}").read_text(encoding="utf-8")


def _lines(name: str) -> list[list[str]]:
    return [line.split() for line in _data(name).splitlines() if line and not line.startswith("#")]


def _without_ending(word: str) -> str:
    """A crude stem: two forms of a word should meet, two words should not."""
    word = word.removesuffix("'s")
    if len(word) == 4 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    if len(word) <= 4:
        return word
    word = _american(word)
    if word.endswith("ies"):
        return word[:-3] + "y"
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _SHORTEST_STEM), "")
    if ending:
        word = word.removesuffix(ending)
        if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
        if word.endswith("i"):
            word = word[:-1] + "y"
    return word


def _american(word: str) -> str:
    for british, american in (("isation", "ization"), ("ised", "ized"), ("ise", "ize"), ("our", "or")):
        if word.endswith(british) and len(word) > len(british) + 2:
            return word.removesuffix(british) + american
    return word


class _Stems(dict[str, str]):
    """Stem of each word, made when first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.known = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())} | _MORE_NUMBER_WORDS
        for line in _lines("lemmas.txt"):
            self.known.update((word, _without_ending(line[0])) for word in line)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_KEPT:
            self.clear()
        stem = self.known.get(word)
        if stem is None:
            stem = word.replace(",", "") if word[0].isdigit() else _without_ending(word)
        self[word] = stem
        return stem


@cache
def _stems() -> _Stems:
    return _Stems()


class _Pieces(dict[str, Words]):
    """Stems of each stretch of lower-case text without spaces: no token has a space in it, and words come again."""

    def __missing__(self, piece: str) -> Words:
        plain = piece.rstrip(".,").replace(",", "")
        if plain.isdecimal() and piece[0] != "," and ",," not in piece:
            if len(plain) <= _LONGEST_YEAR:
                self._keep(piece, plain)
            return plain  # most new stretches are numbers, and a long one hardly comes again
        stems = _stems_of(piece)
        words = stems[0] if len(stems) == 1 else tuple(stems)
        if len(piece) <= _LONGEST_PIECE:
            self._keep(piece, words)
        return words

    def _keep(self, piece: str, words: Words) -> None:
        if len(self) >= _MOST_PIECES:
            self.clear()
        self[piece] = words


@cache
def _pieces() -> _Pieces:
    return _Pieces()


class Weights(dict[str, float]):
    """Weight of each stem: 0 for function words, else its rarity, the highest for stems never counted."""

    def __init__(self, rarity: dict[str, float], most: float) -> None:
        super().__init__()
        self.rarity = rarity
        self.most = most
        stems = _stems()
        self.stops = {form for line in _lines("stop_words.txt") for word in line for form in (word, stems[word])}

    def __missing__(self, stem: str) -> float:
        if len(self) >= _MOST_KEPT:
            self.clear()
        weight = self.rarity.get(stem, self.most)
        if stem in self.stops or (len(stem) == 1 and not stem.isdigit() and not _DENSE.match(stem)):
            weight = 0.0
        self[stem] = weight
        return weight


@cache
def weights() -> Weights:
    """The shipped weights."""
    table = json.loads(_data("word_rarity.json"))
    return Weights(table["rarity"], table["most"])


def is_number(stem: str) -> bool:
    """Whether a stem is a number."""
    return stem[:1].isdigit()


def tokens(text: str) -> list[str]:
    """Stems of a text in normal form, in order."""
    return list(_one_by_one(_words(text)))


def _words(text: str) -> list[Words]:
    return list(map(_pieces().__getitem__, _even(text).split()))


def _even(text: str) -> str:
    """The text in lower case, at unchanged offsets."""
    if text.isascii():
        return text.encode().translate(_SEPARATORS_BLANKED).decode()
    return text.replace("İ", "i").lower()  # the one letter whose lower case is longer


def _one_by_one(words: Sequence[Words]) -> Sequence[str]:
    if tuple not in map(type, words):
        return cast("Sequence[str]", words)  # nearly always, and then nothing is to be done
    return [stem for word in words for stem in ((word,) if isinstance(word, str) else word)]


def span_of_tokens(text: str, first: int, last: int) -> tuple[int, int]:
    """Span in a source from one of its `source_tokens` to another, which may be the same."""
    ends = _ends(source_words(text))
    (start, inside), (stop, within) = _stretch_of(ends, first), _stretch_of(ends, last)
    even = _even(without_marks(text))
    # What is left behind so many stretches tells where the next one begins, without a walk over each.
    rest = even.split(None, start)[-1]
    tail = rest.split(None, stop - start)[-1]
    begin = len(even) - len(rest) + _spans_in(rest.split(None, 1)[0])[inside][0]
    return begin, len(even) - len(tail) + _spans_in(tail.split(None, 1)[0])[within][1]


def _ends(words: Sequence[Words]) -> list[int] | None:
    """How many tokens end with each stretch; None where each stretch is one token."""
    if tuple not in map(type, words):
        return None
    return list(accumulate(1 if isinstance(word, str) else len(word) for word in words))


def _stretch_of(ends: list[int] | None, token: int) -> tuple[int, int]:
    """In which stretch a token is, and how many tokens of that stretch are before it."""
    if ends is None:
        return token, 0
    stretch = bisect_right(ends, token)
    return stretch, token - (ends[stretch - 1] if stretch else 0)


def _stems_of(piece: str) -> list[str]:
    return [stem for stem, _, _ in _tokens_in(piece)]


def _spans_in(piece: str) -> list[tuple[int, int]]:
    return [(start, end) for _, start, end in _tokens_in(piece)]


def _tokens_in(piece: str) -> Iterator[tuple[str, int, int]]:
    """The stems of a stretch in lower case, with their spans; of a dense script every pair of neighbours is one."""
    stems = _stems()
    for match in _TOKEN.finditer(piece):
        word, start = match.group(), match.start()
        if len(word) == 1 or word.isascii() or not _DENSE.search(word):
            yield stems[word], start, match.end()
        else:
            yield from ((word[i : i + 2], start + i, start + i + 2) for i in range(len(word) - 1))


@lru_cache(maxsize=2048)
def source_words(text: str) -> tuple[Words, ...]:
    """Stems of a source without citation marks of its own, stretch by stretch; logs send the same passages again."""
    return tuple(_words(without_marks(text)))


@lru_cache(maxsize=2048)
def source_tokens(text: str) -> tuple[str, ...]:
    """The same, stem by stem."""
    return tuple(_one_by_one(source_words(text)))


def without_marks(text: str) -> str:
    """The text with its own citation marks blanked, at unchanged offsets."""
    return _MARK.sub(_blank, text) if "[" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
