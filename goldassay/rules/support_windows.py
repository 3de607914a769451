"""The stretches of a source that fit a sentence best: the most weight of its words within so many tokens.

Knows places and weights of single characters (`goldassay.rules.support_codes`), no
words. Called by `goldassay.rules.support_reading`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

__all__ = ["CodedSource", "Search", "Window"]

_SAME = 1e-9
"""Sums of weights that differ by less are the same."""


class Window(NamedTuple):
    """A stretch of a source."""

    recall: float
    """Weight of the sentence's words that stand in it, or its share of that of all of them."""
    source: int
    """Which of the sources it is in."""
    first: int
    """Position of its first token."""
    last: int
    """Position of its last one, included."""


class CodedSource:
    """A source as a string with one character for each word, and where they stand in it.

    Args:
        codes: The string.
        read_once: Many words will be asked for: read it once, instead of a search for each.
    """

    def __init__(self, codes: str, *, read_once: bool = False) -> None:
        self.codes = codes
        self._places: dict[str, list[int]] = {}
        self._read_once = read_once
        self.holds: Callable[[str], bool] = (self._places if read_once else codes).__contains__
        """Whether a word stands in it."""
        if read_once:
            for place, code in enumerate(codes):
                self._places.setdefault(code, []).append(place)

    def places(self, code: str) -> list[int]:
        """Where a word stands, ascending."""
        if self._read_once:
            return self._places.get(code, [])
        found = self._places.get(code)
        if found is None:
            found = self._places[code] = _places(self.codes, code)
        return found


def _places(codes: str, code: str) -> list[int]:
    places: list[int] = []
    place = codes.find(code)
    while place >= 0:
        places.append(place)
        place = codes.find(code, place + 1)
    return places


class Search:
    """Looks for the best window of one sentence.

    Args:
        core: The characters of its words, from the first content word to the last.
        wanted: Those that are looked for.
        sources: All sources.
        weight: Weight of each character.
    """

    def __init__(
        self, core: str, wanted: Iterable[str], sources: Sequence[CodedSource], weight: Mapping[str, float]
    ) -> None:
        self._core = core
        self._wanted = set(wanted)
        self._sources = sources
        self._weight = weight

    @property
    def word_for_word(self) -> Window | None:
        """The first place where the sentence stands as it is."""
        for number, source in enumerate(self._sources):
            place = source.codes.find(self._core)
            if place >= 0:
                return self._weighed(number, place, place + len(self._core) - 1)
        return None

    def best(self, width: int) -> Window | None:
        """The window of `width` tokens with most of the weight; None where none of the words stands anywhere."""
        best = None
        for promise, number in self._by_promise():
            if promise <= (best.recall if best else 0.0) + _SAME:
                break
            source = self._sources[number]
            hits = sorted(chain.from_iterable(map(source.places, self._wanted)))
            codes = list(map(source.codes.__getitem__, hits))
            span = _best_span(hits, codes, self._weight, width, promise, best.recall if best else 0.0)
            best = self._weighed(number, *span) if span else best
        return best

    def _by_promise(self) -> list[tuple[float, int]]:
        """What each source can give at most, the most first, the first source first."""
        promises = [
            (math.fsum(map(self._weight.__getitem__, filter(source.holds, self._wanted))), -number)
            for number, source in enumerate(self._sources)
        ]
        return [(promise, -number) for promise, number in sorted(promises, reverse=True)]

    def _weighed(self, number: int, first: int, last: int) -> Window:
        """A window with the exact sum of its weights, in whatever order they come."""
        there = self._wanted.intersection(self._sources[number].codes[first : last + 1])
        return Window(math.fsum(map(self._weight.__getitem__, there)), number, first, last)


def _best_span(
    hits: Sequence[int], codes: Sequence[str], weight: Mapping[str, float], width: int, most: float, least: float
) -> tuple[int, int] | None:
    """Where the largest weight of distinct words within `width` tokens is; None where it is no more than `least`.

    Args:
        hits: Places of words, ascending.
        codes: What stands there.
        weight: Weight of each character.
        width: Tokens from the first to the last.
        most: No window holds more; ends the search.
        least: What another source holds.
    """
    best, found = least, None
    count = dict.fromkeys(codes, 0)
    current = 0.0
    low = 0
    lowest = hits[0]
    enough = most - _SAME
    for position, code in zip(hits, codes, strict=True):
        if count[code]:
            count[code] += 1
        else:
            count[code] = 1
            current += weight[code]
        while lowest < position - width:
            gone = codes[low]
            count[gone] -= 1
            if not count[gone]:
                current -= weight[gone]
            low += 1
            lowest = hits[low]
        if current > best + _SAME:
            best, found = current, (lowest, position)
            if best >= enough:
                break
    return found
