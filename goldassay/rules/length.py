"""Rule `length`: the answer is neither empty nor longer or shorter than the settings allow.

Counts what a reader reads: citation marks and the list of sources at the end are
left out. Knows no language: each Chinese or Japanese character is one word.
"""

from __future__ import annotations

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import LengthConfig
from goldassay.text import NormalText, sentences, words
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "length"]

VERSION = "1"


def length(context: RuleContext, config: LengthConfig) -> Finding:
    """Compare words, characters and sentences of the answer with their bounds."""
    if not context.record.answer.strip():
        return Finding(Outcome.FAIL, Category.INCOMPLETE, "the answer is empty")
    for unit, least, most in (
        ("words", config.min_words, config.max_words),
        ("characters", config.min_characters, config.max_characters),
        ("sentences", config.min_sentences, config.max_sentences),
    ):
        if least is None and most is None:
            continue
        count = _count(unit, _without_marks(context))
        if most is not None and count > most:
            return Finding(Outcome.FAIL, Category.TOO_LONG, f"{count} {unit}, at most {most} allowed")
        if least is not None and count < least:
            return Finding(Outcome.FAIL, Category.INCOMPLETE, f"{count} {unit}, at least {least} wanted")
    return Finding(Outcome.PASS)


def _count(unit: str, text: str) -> int:
    if unit == "words":
        return len(words(text))
    if unit == "characters":
        return len(text.strip())
    return len(sentences(NormalText(text, text, text)))


def _without_marks(context: RuleContext) -> str:
    """The text without citation marks and without the closing list of sources."""
    text = context.answer.text
    parts: list[str] = []
    done = 0
    for start, end in context.cited.spans:
        parts.append(text[done:start])
        done = max(done, end)
    parts.append(text[done:])
    return "".join(parts)
