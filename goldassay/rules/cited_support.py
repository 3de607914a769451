"""Rule `cited_support`: a cited source holds the words of the sentence that cites it; if not, perhaps another one does.

Each mark answers for the words before it, back to the mark before. Compares words and
numbers, so that it is sure only at the ends: hardly any word there, or all of them, or
the number, in another source. What lies between, and a claim that says "not" where its
source does not, is `unsure`, for a judge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from goldassay.rules.cited_denial import differs_by_a_negation
from goldassay.rules.cited_numbers import holders_of_numbers
from goldassay.rules.cited_pieces import cited_pieces
from goldassay.rules.cites import CitedSentence, cited_sentences
from goldassay.rules.context import RuleContext
from goldassay.rules.language_detect import detect_language, speak_apart
from goldassay.rules.settings import CitedSupportConfig
from goldassay.rules.support_words import is_number, source_tokens, tokens, weights
from goldassay.text import words
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "cited_support"]

VERSION = "1"
_LEAST_WORDS = 4
"""Content words below which a sentence says too little to be looked up."""
_SURELY_HELD = 0.75
"""Share of a sentence's longer words that stand letter by letter in the cited text: no closer look is needed."""
_LONG_WORD = 4
_HOLDS_AS_WELL = 0.5
"""Share of the words from which a source that has the number is taken for the one that is meant."""
_SHORT = 12
"""Words up to which a stretch without digits is read for number words."""
_MOST_SHOWN = 10
_MOST_READ = 500
"""Sentences looked up; no answer for people has more."""


class _Trouble(NamedTuple):
    outcome: Outcome
    category: Category
    sentence: CitedSentence
    reason: str
    holder: int | None = None
    """Position of another source that holds the sentence."""


def cited_support(context: RuleContext, config: CitedSupportConfig) -> Finding:
    """Look each citing sentence up in the sources it cites."""
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    if not context.cited.known:
        return Finding(Outcome.SKIP, reason="the answer cites no source that was sent")
    if context.is_refusal:
        return Finding(Outcome.SKIP, reason="a refusal claims nothing")
    text = context.own_words
    troubles: list[_Trouble] = []
    for sentence in cited_sentences(context)[:_MOST_READ]:
        if sentence.known:
            troubles += _examine(context, sentence, text, config)
    if not troubles:
        return Finding(Outcome.PASS)
    worst = min(troubles, key=lambda t: (t.outcome is not Outcome.FAIL, t.category is not Category.MISATTRIBUTED))
    return Finding(worst.outcome, worst.category, worst.reason, tuple(_evidence(context, troubles, worst.outcome)))


def _examine(
    context: RuleContext, sentence: CitedSentence, text: str, config: CitedSupportConfig
) -> Iterator[_Trouble]:
    """The troubles of one sentence: of each piece what tells of another source, of the whole what is missing."""
    pieces = cited_pieces(context, sentence, text)
    whole = _other_words(context, sentence, text[sentence.start : sentence.end], config)
    for piece in pieces:
        claim = text[piece.start : piece.end]
        words = whole if len(pieces) == 1 else _held_elsewhere(context, piece, claim, config)
        trouble = _other_number(context, piece, claim) or words or _denial(context, piece, claim)
        if trouble is not None:
            yield trouble
    if whole is not None and len(pieces) > 1:
        yield whole


def _held_elsewhere(
    context: RuleContext, piece: CitedSentence, claim: str, config: CitedSupportConfig
) -> _Trouble | None:
    """A few words that stand in no source are often a manner of speaking: only a true holder counts."""
    trouble = _other_words(context, piece, claim, config)
    return trouble if trouble is not None and trouble.category is Category.MISATTRIBUTED else None


def _other_words(
    context: RuleContext, sentence: CitedSentence, text: str, config: CitedSupportConfig
) -> _Trouble | None:
    """How many of the words stand in the cited sources, and whether another source holds them."""
    if _is_surely_held(text, (context.sources[i].text for i in sentence.known)):
        return None
    words = _Words(context, text)
    if len(words.stems) < _LEAST_WORDS:
        return None
    found = words.share(sentence.known)
    if found >= config.held:
        return None
    others = _others(context, sentence)
    best = max(others, key=lambda i: words.share((i,)), default=None)
    return _judged(context, sentence, config, found, (best, words.share((best,)) if best is not None else 0.0))


def _other_number(context: RuleContext, sentence: CitedSentence, text: str) -> _Trouble | None:
    """A number that stands in another source, which holds the words about as well as the cited one."""
    if not any(character.isdigit() for character in text) and len(text.split()) > _SHORT:
        return None  # number words are looked up in short stretches only: in long ones they often count nothing
    others = _others(context, sentence)
    cited = [context.sources[i].text for i in sentence.known]
    for written, places in holders_of_numbers(text, cited, [context.sources[i].text for i in others]):
        words = _Words(context, text, numbers=False)
        position = max((others[place] for place in places), key=lambda i: words.share((i,)))
        elsewhere, here = words.share((position,)), words.share(sentence.known)
        if elsewhere >= max(here, _HOLDS_AS_WELL) or not words.stems:
            reason = f"cites {_ids(context, sentence)}, but {written!r} stands in source {_id(context, position)}"
            return _Trouble(Outcome.FAIL, Category.MISATTRIBUTED, sentence, reason, position)
    return None


def _denial(context: RuleContext, sentence: CitedSentence, text: str) -> _Trouble | None:
    """The sentence says 'not' and its source does not, or the other way round, in nearly the same words."""
    if not differs_by_a_negation(text, (context.sources[i].text for i in sentence.known)):
        return None
    reason = f"only one of the sentence and its source ({_ids(context, sentence)}) says 'not', in nearly the same words"
    return _Trouble(Outcome.UNSURE, Category.CONTRADICTS_SOURCE, sentence, reason)


class _Words:
    """The words of a claim, weighed against sources."""

    def __init__(self, context: RuleContext, text: str, *, numbers: bool = True) -> None:
        weight = weights()
        self.context = context
        self.stems = {stem for stem in tokens(text) if weight[stem] > 0 and (numbers or not is_number(stem))}
        self.asked = self.stems.intersection(tokens(context.question.text))
        self.total = math.fsum(map(weight.__getitem__, self.stems))

    def share(self, positions: Iterable[int]) -> float:
        """Share of the claim's words, by weight, that the question or one of these sources holds."""
        texts = (self.context.sources[i].text for i in positions)
        held = self.asked.union(*(self.stems.intersection(source_tokens(text)) for text in texts))
        return math.fsum(map(weights().__getitem__, held)) / self.total if self.total else 0.0


def _others(context: RuleContext, sentence: CitedSentence) -> list[int]:
    return [i for i in range(len(context.sources)) if i not in sentence.known]


def _id(context: RuleContext, position: int) -> str:
    return context.record.sources[position].id


def _ids(context: RuleContext, sentence: CitedSentence) -> str:
    return ", ".join(_id(context, i) for i in sentence.known)


def _judged(
    context: RuleContext,
    sentence: CitedSentence,
    config: CitedSupportConfig,
    found: float,
    best: tuple[int | None, float],
) -> _Trouble | None:
    ids = _ids(context, sentence)
    position, elsewhere = best
    if position is not None and elsewhere >= config.elsewhere:
        reason = f"cites {ids}, but source {_id(context, position)} holds what the sentence says"
        return _Trouble(Outcome.FAIL, Category.MISATTRIBUTED, sentence, reason, position)
    reason = f"{found:.0%} of the sentence's words, by weight, stand in the source it cites ({ids})"
    if found < config.absent and _speaks_otherwise(context, sentence):
        reason = f"{ids} speaks another language than the answer; {reason}"
        return _Trouble(Outcome.UNSURE, Category.ADDED_CLAIM, sentence, reason)
    if found < config.absent:
        return _Trouble(Outcome.FAIL, Category.ADDED_CLAIM, sentence, "only " + reason)
    return _Trouble(Outcome.UNSURE, Category.ADDED_CLAIM, sentence, reason)


def _speaks_otherwise(context: RuleContext, sentence: CitedSentence) -> bool:
    """Whether no cited source speaks the answer's language: then no words can be compared."""
    mine = detect_language(context.answer.prose)
    return all(speak_apart(mine, detect_language(context.sources[i].text)) for i in sentence.known)


def _is_surely_held(claim: str, texts: Iterable[str]) -> bool:
    """A cheap look for the letters of the words; it spares most sentences the exact comparison."""
    wanted = [word for word in words(claim.lower()) if len(word) >= _LONG_WORD]
    if len(wanted) < _LEAST_WORDS:
        return False
    lowered = [text.lower() for text in texts]
    held = sum(any(word in text for text in lowered) for word in wanted)
    return held >= _SURELY_HELD * len(wanted)


def _evidence(context: RuleContext, troubles: list[_Trouble], outcome: Outcome) -> Iterable[Evidence]:
    for trouble in [t for t in troubles if t.outcome is outcome][:_MOST_SHOWN]:
        start, end = context.answer.to_raw(trouble.sentence.start, trouble.sentence.end)
        yield Evidence("sentence", context.record.answer[start:end], start, end)
        if trouble.holder is not None:
            source = context.record.sources[trouble.holder]
            yield Evidence("holder", source.title or source.id, source_id=source.id)
