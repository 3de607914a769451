"""Features of `support` that look at the manner of a text: how the answer speaks, and how it and its sources are set.

Called by `goldassay.rules.support_features`, which says what a feature is.
"""

from __future__ import annotations

import math
import re

from goldassay.rules.support_reading import Reading

__all__ = ["manner"]

_SPACED_STOP = re.compile(r"\w [.,](?: |$)")
"""A full stop parted from its word, as in tokenised text."""
_DENSE_SCRIPT = re.compile(r"[\u3040-\u9fff]")
_CAPITAL = re.compile(r"[A-ZÀ-ÞА-Я]")
_ASCII_CAPITALS = bytes(range(ord("A"), ord("Z") + 1))
_ASCII_LETTERS = _ASCII_CAPITALS + _ASCII_CAPITALS.lower()
_OPENING = 400
"""Characters of a source that show how it is written."""


def manner(r: Reading) -> dict[str, float]:
    """How the answer speaks, and how long answer and sources are."""
    count = max(1, len(r.stems))
    return {
        "refuses_first": float(r.begins_with_refusal),
        "answer_log": math.log(count),
        "sources_log": math.log1p(sum(map(len, r.per_source))),
        "sources_count_log": math.log(max(1, len(r.per_source))),
        "sentences_log": math.log(max(1, len(r.every))),
        "sentence_length_log": math.log(count / max(1, len(r.every))),
        "function_words": 1 - len(r.content) / count,
        "question_overlap": sum(map(r.asked_codes.__contains__, r.content)) / max(1, len(r.content)),
        "has_question": float(bool(r.asked)),
        **_writing(r),
    }


def _writing(r: Reading) -> dict[str, float]:
    """How answer and sources are set: a headline, a chat and a page with menus are read with other measures."""
    text = r.answer
    upper, letters = _letters(text)
    characters = sum(map(len, r.texts))
    openings = [source[:_OPENING] for source in r.texts]
    is_spaced = " ." in text or " ," in text
    return {
        "has_capitals": float(upper > 0),
        "capitals": upper / max(1, letters),
        "is_tokenised": float(is_spaced and _SPACED_STOP.search(text) is not None),
        "is_dense": float(not text.isascii() and _DENSE_SCRIPT.search(text) is not None),
        "ends_with_stop": float(text.rstrip()[-1:] in {".", "!", "?", "。"}),
        "has_lines": float("\n" in text.strip()),
        "punctuation": sum(map(text.count, ",;:()")) / max(1, len(text)),
        "sources_capitals": sum(map(_capitals, openings)) / max(1, sum(map(len, openings))),
        "sources_lines": 1000 * sum(source.count("\n") for source in r.texts) / max(1, characters),
        "sources_word_length": characters / max(1, sum(map(len, r.per_source))),
    }


def _capitals(source: str) -> int:
    if source.isascii():  # as the pattern, in a tenth of its time
        return _count(source, _ASCII_CAPITALS)
    return len(_CAPITAL.findall(source))


def _letters(text: str) -> tuple[int, int]:
    """Capitals and letters of a text."""
    if text.isascii():
        return _count(text, _ASCII_CAPITALS), _count(text, _ASCII_LETTERS)
    return sum(map(str.isupper, text)), sum(map(str.isalpha, text))


def _count(text: str, letters: bytes) -> int:
    return len(text) - len(text.encode().translate(None, delete=letters))
