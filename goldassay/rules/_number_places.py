"""In which sources each number of an answer is looked for: those its own sentence cites come first.

A number whose sentence carries no mark may come from any source that the answer cites, for marks often stand once,
at the end of a paragraph. Knows citations and sentences, but no numbers' values; called by `_number_fates`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from goldassay.rules._number_model import Number
from goldassay.rules.cites import CitedSentence, cited_sentences
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import NumbersConfig
from goldassay.verdicts import Outcome

__all__ = ["Places", "SourcePlaces"]


class Places(NamedTuple):
    """Positions in `record.sources`, from the best to the worst."""

    first: Sequence[int]
    """What the number's sentence cites; what the answer cites, where the sentence has no mark; else all."""
    cited_elsewhere: tuple[int, ...]
    """What only other sentences cite."""
    uncited: tuple[int, ...]
    are_cited: bool
    """Whether `first` are cited sources."""


class SourcePlaces:
    """The places for each number of one answer."""

    def __init__(self, context: RuleContext, config: NumbersConfig) -> None:
        count = len(context.sources)
        known = context.cited.known if config.look_in == "cited" else ()
        self._text = context.answer.text
        self._known = known
        self._uncited = tuple(place for place in range(count) if place not in known) if known else ()
        self._of_answer = Places(known or range(count), (), self._uncited, bool(known))
        self._sentences: list[CitedSentence] = cited_sentences(context) if len(known) > 1 else []
        self._starts = [sentence.start for sentence in self._sentences]

    def of(self, number: Number) -> Places:
        """Where to look for the number."""
        sentence = self._sentence(number)
        if sentence is None or not sentence.known:
            return self._of_answer
        elsewhere = tuple(place for place in self._known if place not in sentence.known)
        return Places(sentence.known, elsewhere, self._uncited, are_cited=True)

    def softened(self, outcome: Outcome, number: Number, place: int) -> Outcome:
        """No fail where marks at the end of the paragraph may stand for all of it: 'A [1]. B. Both hold [1][2].'."""
        sentence = self._sentence(number)
        if outcome is not Outcome.FAIL or sentence is None:
            return outcome
        for later in self._sentences[self._sentences.index(sentence) + 1 :]:
            if "\n" in self._text[sentence.end : later.start]:
                break
            if place in later.known and set(sentence.known) < set(later.known):
                return Outcome.UNSURE
        return outcome

    def _sentence(self, number: Number) -> CitedSentence | None:
        place = bisect_right(self._starts, number.start) - 1
        if place < 0 or number.start >= self._sentences[place].end:
            return None
        return self._sentences[place]
