"""One answer laid beside its sources: their stems, where they meet, and the best window of each sentence.

Measures nothing itself; `goldassay.rules.support_features` does. Parts are
computed once and only if asked for.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, pairwise
from operator import itemgetter
from typing import NamedTuple

from goldassay.rules.support_words import source_tokens, tokens, weights

__all__ = ["Reading", "Sentence", "Window"]

_GAP = ("",) * 60
"""Stands between two sources, so that no window reaches over the border."""


class Window(NamedTuple):
    """The stretch of the sources that fits one sentence of the answer best."""

    recall: float
    """Share of the sentence's weight that stands in it."""
    first: int
    """Position of its first token in `Reading.flat`."""
    last: int
    """Position of its last one, included."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of the answer with content words."""

    start: int
    end: int
    """Span in the text of the answer."""
    text: str
    stems: list[str]


class Reading:
    """One answer laid beside its sources; parts are computed when first asked for.

    Args:
        question: The question, normal form; may be empty.
        sources: Texts of the sources, normal form.
        answer: The answer, normal form, citation marks and code blanked.
        spans: Spans of its sentences.
        begins_with_refusal: Whether it refuses and then tells something.
    """

    def __init__(
        self,
        question: str,
        sources: Sequence[str],
        answer: str,
        spans: Sequence[tuple[int, int]],
        *,
        begins_with_refusal: bool = False,
    ) -> None:
        self.weights = weights()
        self.answer = answer
        self.begins_with_refusal = begins_with_refusal
        self.asked = set(tokens(question))
        every = [Sentence(s, e, answer[s:e], tokens(answer[s:e])) for s, e in spans]
        self.every = [sentence for sentence in every if sentence.stems]
        self.stems = [stem for sentence in self.every for stem in sentence.stems]
        self.content = [stem for stem in self.stems if self.weights[stem] > 0]
        self.sentences = [s for s in self.every if any(self.weights[stem] > 0 for stem in s.stems)]
        self.texts = tuple(sources)
        self.per_source = [source_tokens(text) for text in sources]
        self.flat: list[str] = []
        self.starts: list[int] = []
        for source in self.per_source:
            self.starts.append(len(self.flat))
            self.flat.extend(source)
            self.flat.extend(_GAP)
        self.vocabulary: set[str] = set().union(*self.per_source)
        self._by_sentence: dict[int, tuple[list[tuple[int, str]], float, float]] = {}

    @cached_property
    def novel(self) -> list[str]:
        """Content words of the answer that stand in no source."""
        return [stem for stem in self.content if stem not in self.vocabulary]

    @cached_property
    def invented(self) -> list[str]:
        """Those of them that are not in the question either."""
        return [stem for stem in self.novel if stem not in self.asked]

    @cached_property
    def hits(self) -> list[tuple[int, str]]:
        """Positions in `flat` of the answer's content words, ascending."""
        return _hits_among(self.all_hits, set(self.content))

    @cached_property
    def all_hits(self) -> list[tuple[int, str]]:
        """Positions in `flat` of all words of the answer, ascending."""
        wanted = set(self.stems)
        placed = zip(self.starts, self.per_source, strict=True)
        return [(i, stem) for start, source in placed for i, stem in enumerate(source, start) if stem in wanted]

    @cached_property
    def known_by_source(self) -> list[set[str]]:
        """The answer's content words that stand in each source."""
        ends = [bisect_left(self.hits, (start, "")) for start in (*self.starts, len(self.flat))]
        return [{stem for _, stem in self.hits[low:high]} for low, high in pairwise(ends)]

    @cached_property
    def weight(self) -> float:
        """Weight of all content words."""
        return self.total(self.content) or 1e-9

    def total(self, stems: Collection[str]) -> float:
        """Sum of the weights, the same in whatever order a set gives them: a rule never changes its mind."""
        return math.fsum(map(self.weights.__getitem__, stems))

    @cached_property
    def windows(self) -> list[Window]:
        """Best window of each of `sentences`, about one and a half times as long as the sentence."""
        return [self.window(s, max(16, int(len(s.stems) * 1.6))) for s in self.sentences]

    def window(self, sentence: Sentence, width: int, without: frozenset[str] = frozenset()) -> Window:
        """The stretch of `width` tokens that holds most of the sentence's weight."""
        hits, size, most = self._hits_of(sentence)
        if without:
            hits = [hit for hit in hits if hit[1] not in without]
            most = self.total({stem for _, stem in hits})
        weight, first, last = _best_window(hits, self.weights, width, most)
        return Window(weight / size, first, last)

    def _hits_of(self, sentence: Sentence) -> tuple[list[tuple[int, str]], float, float]:
        """Places of the sentence's content words, their weight, and the weight of those that stand anywhere."""
        known = self._by_sentence.get(sentence.start)
        if known is None:
            wanted = {stem for stem in sentence.stems if self.weights[stem] > 0}
            most = self.total(wanted & self.vocabulary)
            known = _hits_among(self.hits, wanted), self.total(wanted) or 1e-9, most
            self._by_sentence[sentence.start] = known
        return known

    def segment(self, window: Window) -> list[str]:
        """The stems of a window with a few around it."""
        return self.flat[max(0, window.first - 4) : window.last + 5] if window.recall else []

    @cached_property
    def segments(self) -> list[list[str]]:
        """The segment of each of `windows`."""
        return [self.segment(window) for window in self.windows]


def _hits_among(hits: list[tuple[int, str]], wanted: set[str]) -> list[tuple[int, str]]:
    return list(compress(hits, map(wanted.__contains__, map(itemgetter(1), hits))))


def _best_window(
    hits: list[tuple[int, str]], weight: dict[str, float], width: int, most: float
) -> tuple[float, int, int]:
    """Largest weight of distinct stems within `width` tokens, and the ends of that stretch; `most` ends the search."""
    if not hits:
        return 0.0, 0, 0
    best, first, last = 0.0, 0, 0
    count: dict[str, int] = {}
    current = 0.0
    low = 0
    lowest, gone = hits[0]
    for position, stem in hits:
        seen = count.get(stem)
        if seen:
            count[stem] = seen + 1
        else:
            current += weight[stem]
            count[stem] = 1
        if lowest < position - width:
            while lowest < position - width:
                left = count[gone] - 1
                count[gone] = left
                if not left:
                    current -= weight[gone]
                low += 1
                lowest, gone = hits[low]
        if current > best + 1e-9:
            best, first, last = current, lowest, position
            if best >= most - 1e-9:
                break
    return best, first, last
