"""Rule `cited_support`: a cited source holds the words of the sentence that cites it; if not, perhaps another one does.

Compares words, so that it is sure only at the ends: hardly any word there, or all
of them in another source. What lies between is `unsure`, for a judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from goldassay.rules.cites import CitedSentence, cited_sentences
from goldassay.rules.context import RuleContext
from goldassay.rules.prose import own_words
from goldassay.rules.settings import CitedSupportConfig
from goldassay.rules.support_words import source_tokens, tokens, weights
from goldassay.text import words
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "cited_support"]

VERSION = "1"
_LEAST_WORDS = 4
"""Content words below which a sentence says too little to be looked up."""
_SURELY_HELD = 0.75
"""Share of a sentence's longer words that stand letter by letter in the cited text: no closer look is needed."""
_LONG_WORD = 4
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
    text = own_words(context)
    troubles: list[_Trouble] = []
    for sentence in cited_sentences(context)[:_MOST_READ]:
        trouble = _examine(context, sentence, text[sentence.start : sentence.end], config) if sentence.known else None
        if trouble is not None:
            troubles.append(trouble)
    if not troubles:
        return Finding(Outcome.PASS)
    worst = min(troubles, key=lambda t: (t.outcome is not Outcome.FAIL, t.category is not Category.MISATTRIBUTED))
    return Finding(worst.outcome, worst.category, worst.reason, tuple(_evidence(context, troubles, worst.outcome)))


def _examine(context: RuleContext, sentence: CitedSentence, text: str, config: CitedSupportConfig) -> _Trouble | None:
    if _is_surely_held(text, (context.sources[i].text for i in sentence.known)):
        return None
    weight = weights()
    stems = {stem for stem in tokens(text) if weight[stem] > 0}
    if len(stems) < _LEAST_WORDS:
        return None
    asked = stems.intersection(tokens(context.question.text))
    total = sum(map(weight.__getitem__, stems))

    def share(positions: Iterable[int]) -> float:
        held = asked.union(*(stems.intersection(source_tokens(context.sources[i].text)) for i in positions))
        return sum(map(weight.__getitem__, held)) / total

    found = share(sentence.known)
    if found >= config.held:
        return None
    others = [i for i in range(len(context.sources)) if i not in sentence.known]
    best = max(others, key=lambda i: share((i,)), default=None)
    return _judged(context, sentence, config, found, (best, share((best,)) if best is not None else 0.0))


def _judged(
    context: RuleContext,
    sentence: CitedSentence,
    config: CitedSupportConfig,
    found: float,
    best: tuple[int | None, float],
) -> _Trouble | None:
    ids = ", ".join(context.record.sources[i].id for i in sentence.known)
    position, elsewhere = best
    if position is not None and elsewhere >= config.elsewhere:
        reason = f"cites {ids}, but source {context.record.sources[position].id} holds what the sentence says"
        return _Trouble(Outcome.FAIL, Category.MISATTRIBUTED, sentence, reason, position)
    reason = f"{found:.0%} of the sentence's words, by weight, stand in the source it cites ({ids})"
    if found < config.absent:
        return _Trouble(Outcome.FAIL, Category.ADDED_CLAIM, sentence, "only " + reason)
    return _Trouble(Outcome.UNSURE, Category.ADDED_CLAIM, sentence, reason)


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
