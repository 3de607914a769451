"""Sources as strings with one character for each word, so that what is asked of them is a search in a string.

Each distinct word of the answer has a character of its own; all other words share
two, one of them for words that deny. Called by `goldassay.rules.support_reading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from goldassay.rules.support_words import Words
from goldassay.rules.wordlists import word_set

__all__ = ["FEW", "GAP", "NEGATION", "NEGATIONS", "answer_codes", "coded", "standing"]

NEGATIONS = word_set(
    "not no never none nobody nothing neither nor cannot without nicht kein keine non pas ne no sin 不 没 没有 未"
)
_OTHER, NEGATION = "\0\1"
"""Words that are not in the answer."""
GAP = _OTHER * 2
"""Stands between two sources, so that no words are neighbours over the border."""
FEW = 500
"""Distinct words of an answer, or pairs of them, that are looked for one by one; answers for people have fewer."""
_FIRST = 2
"""Code of the first word's character."""


def answer_codes(stems: Iterable[str]) -> dict[str, str]:
    """A character for each distinct word of an answer."""
    return {stem: chr(place) for place, stem in enumerate(dict.fromkeys(stems), _FIRST)}


def coded(sources: Sequence[Sequence[Words]], codes: dict[str, str]) -> list[str]:
    """Each source as a string of as many characters as it has words.

    Args:
        sources: What `source_words` made of each.
        codes: `answer_codes` of the answer.
    """
    words: set[Words] = set().union(*sources)
    several = [word for word in words if not isinstance(word, str)] if tuple in map(type, words) else []
    words.update(*several)
    # Whole sets at once: most words of the sources are not in the answer, and many were never seen before.
    table = dict.fromkeys(words, _OTHER)
    table.update(dict.fromkeys(NEGATIONS & words, NEGATION))
    table.update(codes)
    table.update([(stems, "".join(map(table.__getitem__, stems))) for stems in several])
    return ["".join(map(table.__getitem__, source)) for source in sources]


def standing(strings: set[str], text: str, likely: str = "") -> set[str]:
    """Which of some strings, all of one length, stand in a text.

    Few are looked for one by one, in the time that a machine takes to leap through the text; for many, as in an
    answer that was made to cost time, the text is read once.

    Args:
        strings: What is looked for.
        text: Where.
        likely: Stretches of the text in which most of them stand: they are looked for there first.
    """
    if len(strings) <= FEW:
        return {string for string in strings if string in likely or string in text}
    length = len(next(iter(strings)))
    return strings.intersection(map("".join, zip(*(text[start:] for start in range(length)), strict=False)))
