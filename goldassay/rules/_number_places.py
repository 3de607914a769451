"""In which sources each number of an answer is looked for: those its own sentence cites come first.

A number whose sentence carries no mark may come from any source that the answer cites, for marks often stand once,
at the end of a paragraph. Knows citations and sentences, but no numbers' values; called by `_number_fates`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from goldassay.rules._number_model import Number
from goldassay.rules.cites import CitedSentence, cited_sentences
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import NumbersConfig

__all__ = ["Places", "SourcePlaces"]


_STOP = re.compile(r"[.!?\n。!?｡]")
_MOST_SENTENCES = 40  # of one paragraph; a longer one was made to cost time


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
        self._context = context
        self._text = context.answer.text
        self._known = known
        self._uncited = tuple(place for place in range(count) if place not in known) if known else ()
        self._of_answer = Places(known or range(count), (), self._uncited, bool(known))
        self._uses = context.cited.uses if len(known) > 1 else ()
        self._use_starts = [use[0] for use in self._uses]
        self._sentences: list[CitedSentence] | None = None if self._uses else []
        self._starts: list[int] = []
        self._stops: list[int] | None = None
        self._tellers: dict[object, set[int]] | None = None

    def at_next_mark(self, number: Number) -> tuple[int, ...]:
        """What the next mark cites, where no stop parts it from the number; spares most answers the look for sentences.

        'It has 12 rooms [1].' and 'It has 12 rooms. [1]': surely among the places of the number's sentence.
        """
        place = bisect_left(self._use_starts, number.end)
        if place == len(self._uses):
            return ()
        stop = bisect_left(self._all_stops(), number.end)
        end = self._uses[place][0]
        while end > number.end and self._text[end - 1].isspace():
            end -= 1
        # The stop right before the mark ends the number's own sentence.
        is_parted = stop < len(self._all_stops()) and self._all_stops()[stop] < end - 1
        return () if is_parted else self._uses[place][2]

    def _all_stops(self) -> list[int]:
        if self._stops is None:
            self._stops = [match.start() for match in _STOP.finditer(self._text)]
        return self._stops

    def of(self, number: Number) -> Places:
        """Where to look for the number."""
        sentence = self._sentence(number)
        if sentence is None or not sentence.known:
            return self._of_answer
        elsewhere = tuple(place for place in self._known if place not in sentence.known)
        return Places(sentence.known, elsewhere, self._uncited, are_cited=True)

    def may_be_cited(self, number: Number, place: int, numbers: list[Number]) -> bool:
        """Whether the answer may mean the source though the number's sentence does not cite it.

        Args:
            number: A number that stands in none of the sources its sentence cites.
            place: A source that holds it, cited by another sentence.
            numbers: All numbers of the answer.
        """
        return self._is_told_elsewhere(number, place, numbers) or self._is_cited_behind(number, place)

    def _is_told_elsewhere(self, number: Number, place: int, numbers: list[Number]) -> bool:
        """Whether a sentence that cites the source tells the same number: '10 € [1]. For these 10 € ... [2]'."""
        if self._tellers is None:
            self._tellers = {}
            for other in numbers:
                self._tellers.setdefault(_what(other), set()).update(self.of(other).first)
        return place in self._tellers.get(_what(number), ())

    def _is_cited_behind(self, number: Number, place: int) -> bool:
        """Whether marks at the end of the paragraph may stand for all of it: 'A [1]. B. Both hold [1][2]'."""
        sentences = self._all_sentences()
        first = bisect_right(self._starts, number.start) - 1
        own = sentences[first]
        for later in sentences[first + 1 : first + _MOST_SENTENCES]:
            if "\n" in self._text[own.end : later.start]:
                break
            if place in later.known and set(own.known) < set(later.known):
                return True
        return False

    def _sentence(self, number: Number) -> CitedSentence | None:
        sentences = self._all_sentences()
        place = bisect_right(self._starts, number.start) - 1
        if place < 0 or number.start >= sentences[place].end:
            return None
        return sentences[place]

    def _all_sentences(self) -> list[CitedSentence]:
        if self._sentences is None:
            self._sentences = cited_sentences(self._context)
            self._starts = [sentence.start for sentence in self._sentences]
        return self._sentences


def _what(number: Number) -> object:
    """What makes two numbers of one answer the same."""
    return (number.kind, number.readings[:1], number.dates, number.minutes, number.key)
