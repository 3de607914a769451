"""What the words of an answer cannot tell: a wrong number, a denial, another language. Used by `support` alone.

The score compares words; an answer that says the sources' sentence with another figure, or with a 'not' in it,
shares nearly all of them.
"""

from __future__ import annotations

from goldassay.rules.context import RuleContext
from goldassay.rules.language_detect import detect_language, speak_apart
from goldassay.rules.support_codes import NEGATIONS
from goldassay.rules.support_reading import Fit, Reading, Sentence
from goldassay.rules.wordlists import word_set
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["beyond_words"]

_SPEAKER = word_set("i we i'm")
_NEAR_VERBATIM = 0.8
"""Share of a sentence that stands in one place before a 'not' more or less is the difference."""
_WITH_A_WRONG_NUMBER = 0.1
"""Most such an answer scores. Of 35 labelled answers that passed by their words and held a number of no source,
people call 3 faithful."""


def beyond_words(context: RuleContext, reading: Reading, score: float, threshold: float) -> Finding | None:
    """A finding that goes before the score; None where the words decide.

    Args:
        context: The record.
        reading: Its answer beside its sources.
        score: What the words say.
        threshold: The pass mark.
    """
    if score < threshold:
        return _other_language(context, score)
    numbers = context.numbers
    if numbers.outcome is Outcome.FAIL:
        low = min(score, _WITH_A_WRONG_NUMBER, threshold / 2)
        return Finding(Outcome.FAIL, numbers.category or Category.WRONG_NUMBER, numbers.reason, numbers.evidence, low)
    if any(_denies(reading, *pair) for pair in zip(reading.sentences, reading.fits, strict=True)):
        reason = "may deny what the sources say in nearly the same words"
        return Finding(Outcome.UNSURE, Category.CONTRADICTS_SOURCE, reason, score=score)
    return None


def _other_language(context: RuleContext, score: float) -> Finding | None:
    """Words of two languages cannot be compared: a low score then says nothing."""
    mine = detect_language(context.answer.text)
    if not all(speak_apart(mine, detect_language(source.text)) for source in context.sources):
        return None
    return Finding(Outcome.UNSURE, reason="the sources speak another language than the answer", score=score)


def _denies(reading: Reading, sentence: Sentence, fit: Fit) -> bool:
    """Whether a sentence says 'not' where the place that holds nearly all of its words does not.

    'I am not sure, but ...' speaks of the speaker, and a 'No' that opens a sentence answers a question.
    """
    if fit.window.recall < _NEAR_VERBATIM or not _says_not(sentence.stems):
        return False
    return reading.negations.isdisjoint(fit.segment)


def _says_not(stems: list[str]) -> bool:
    for place, stem in enumerate(stems):
        if place and stem in NEGATIONS and _SPEAKER.isdisjoint(stems[max(0, place - 3) : place]):
            return True
    return False
