"""Words of answers and sources in a form in which they can be compared: lower case, without endings, with a weight.

Latin words lose their endings, numbers their grouping, runs of Chinese, Japanese
or Korean become pairs of neighbouring characters. A word's weight is its rarity
in the texts that `benchmarks/fit_support.py` counted. Called by the `support` rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, islice

__all__ = ["Weights", "is_number", "source_tokens", "token_spans", "tokens", "weights", "without_marks"]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?")
_ASCII_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)?")
"""The same for lower-case ASCII, in half the time."""
_NUMBER_PIECE = re.compile(r"(\d+(?:[.,]\d+)*)[.,;:!?)]*", re.ASCII)
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


class _Pieces(dict[str, tuple[str, ...]]):
    """Stems of each stretch of lower-case ASCII without spaces: no token has a space in it, and words come again."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        if len(self) >= _MOST_PIECES:
            self.clear()
        number = _NUMBER_PIECE.fullmatch(piece)
        if number is None:
            stems = tuple(map(_stems().__getitem__, _ASCII_TOKEN.findall(piece)))
        else:  # the quick way, for most new stretches are numbers
            stems = (number.group(1).replace(",", ""),)
        if len(piece) <= _LONGEST_PIECE:
            self[piece] = stems
        return stems


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
    lower = text.lower()
    if lower.isascii():
        return list(chain.from_iterable(map(_pieces().__getitem__, lower.split())))
    if _DENSE.search(lower):
        return [stem for stem, _, _ in _dense_tokens(lower)]
    return list(map(_stems().__getitem__, _TOKEN.findall(lower)))


def token_spans(text: str, most: int) -> list[tuple[int, int]]:
    """Spans in the text of the first `most` of its `tokens`."""
    lower = text.lower()
    if len(lower) != len(text):  # a letter whose lower case is longer: offsets would drift
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    is_ascii = lower.isascii()
    if not is_ascii and _DENSE.search(lower):
        return [(start, end) for _, start, end in islice(_dense_tokens(lower), most)]
    return [match.span() for match in islice((_ASCII_TOKEN if is_ascii else _TOKEN).finditer(lower), most)]


def _dense_tokens(lower: str) -> Iterator[tuple[str, int, int]]:
    stems = _stems()
    for match in _TOKEN.finditer(lower):
        word, start = match.group(), match.start()
        if len(word) == 1 or not _DENSE.search(word):
            yield stems[word], start, match.end()
        else:
            yield from ((word[i : i + 2], start + i, start + i + 2) for i in range(len(word) - 1))


@lru_cache(maxsize=2048)
def source_tokens(text: str) -> tuple[str, ...]:
    """Stems of a source without citation marks of its own; logs send the same passages again and again."""
    return tuple(tokens(without_marks(text)))


def without_marks(text: str) -> str:
    """The text with its own citation marks blanked, at unchanged offsets."""
    return _MARK.sub(_blank, text) if "[" in text else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
