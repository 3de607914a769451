"""Text as rules and parsers see it: normalised once, with offsets back into the original."""

from __future__ import annotations

from goldassay.text.cache import TextCache
from goldassay.text.normalise import Apart, NormalText, normalise
from goldassay.text.segment import Span, holds_one, letter_words, question_key, sentences, words

__all__ = [
    "Apart",
    "NormalText",
    "Span",
    "TextCache",
    "holds_one",
    "letter_words",
    "normalise",
    "question_key",
    "sentences",
    "words",
]
