"""One answer laid beside its sources: its words, where they stand there, and the best window of each sentence.

Measures nothing itself; `goldassay.rules.support_features` does. Words are single
characters here (`goldassay.rules.support_codes`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from goldassay.rules.support_codes import (
    FEW,
    GAP,
    NEGATION,
    NEGATIONS,
    answer_codes,
    coded,
    standing,
)
from goldassay.rules.support_windows import CodedSource, Search, Window
from goldassay.rules.support_words import source_words, tokens, weights

__all__ = ["Fit", "Reading", "Sentence", "Window"]


_AROUND = 4
"""Words before and behind a window that are read with it."""


class Fit(NamedTuple):
    """The best window of one sentence; its recall is the share of the sentence's weight that stands there."""

    window: Window
    """About one and a half times as long as the sentence."""
    segment: str
    """The words of `window` with a few around it; empty where nothing fits."""
    weight: float
    """Weight of the sentence's distinct words."""
    known: float
    """Share of it that stands anywhere in the sources."""


_NOWHERE = Window(0.0, 0, 0, 0)


class Sentence(NamedTuple):
    """One sentence of the answer that has words."""

    start: int
    end: int
    """Span in the text of the answer."""
    text: str
    stems: list[str]
    codes: str
    """A character for each of them."""
    content: str
    """The characters of its content words, in order."""


class Reading:
    """One answer laid beside its sources.

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
        self.answer = answer
        self.begins_with_refusal = begins_with_refusal
        self.asked = set(tokens(question))
        pieces = [(start, end, text, stems) for start, end in spans if (stems := tokens(text := answer[start:end]))]
        self.stems = [stem for *_, stems in pieces for stem in stems]
        self.codes = answer_codes(self.stems)
        weight = weights()
        self.weight = {code: weight[stem] for stem, code in self.codes.items()}
        self.every = [self._sentence(*piece) for piece in pieces]
        self.sentences = [sentence for sentence in self.every if sentence.content]
        self.coded = "".join([sentence.codes for sentence in self.every])
        self.content = "".join([sentence.content for sentence in self.every])
        self.texts = tuple(sources)
        self.per_source = coded([source_words(text) for text in sources], self.codes)
        self.sources = [CodedSource(source, read_once=len(self.codes) > FEW) for source in self.per_source]
        self.flat = GAP.join(self.per_source)
        self.known = standing(set(self.codes.values()), self.flat)
        """Words of the answer that stand in a source."""
        self.asked_codes = {self.codes[stem] for stem in self.asked.intersection(self.codes)}
        """Words of the answer that stand in the question."""
        self.novel = [code for code in self.content if code not in self.known]
        """Content words of the answer that stand in no source."""
        self.invented = [code for code in self.novel if code not in self.asked_codes]
        """Those of them that are not in the question either."""
        self.negations = {NEGATION, *(self.codes[stem] for stem in NEGATIONS.intersection(self.codes))}
        """Characters of all words that deny."""
        self.size = self.total(self.content) or 1e-9
        """Weight of all content words."""
        self.fits = [self._fit(sentence) for sentence in self.sentences]
        """The best window of each of `sentences`."""

    def _sentence(self, start: int, end: int, text: str, stems: list[str]) -> Sentence:
        codes = "".join(map(self.codes.__getitem__, stems))
        return Sentence(start, end, text, stems, codes, "".join(filter(self.weight.__getitem__, codes)))

    def total(self, codes: Iterable[str]) -> float:
        """Sum of the weights, the same in whatever order a set gives them: a rule never changes its mind."""
        return math.fsum(map(self.weight.__getitem__, codes))

    def _fit(self, sentence: Sentence) -> Fit:
        wanted = set(sentence.content)
        weight, known = self.total(wanted) or 1e-9, wanted & self.known
        search = Search(_core(sentence), known, self.sources, self.weight)
        window = search.word_for_word or search.best(max(16, int(len(sentence.codes) * 1.6)))
        if window is None:
            return Fit(_NOWHERE, "", weight, 0.0)
        segment = self.per_source[window.source][max(0, window.first - _AROUND) : window.last + 1 + _AROUND]
        return Fit(window._replace(recall=window.recall / weight), segment, weight, self.total(known) / weight)


def _core(sentence: Sentence) -> str:
    """The sentence from its first content word to its last."""
    codes, content = sentence.codes, sentence.content
    return codes[codes.index(content[0]) : codes.rindex(content[-1]) + 1]
