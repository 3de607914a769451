"""Whether a sentence that refuses claims something as well, as in "not in the documents; it is 40 euros".

Cuts the sentence into clauses and looks at those that the refusing words leave
free. Knows one sentence at a time; called by `goldassay.rules.refusal_detect`,
its words are the `[clauses]` of `data/refusal.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from goldassay.rules.refusal_lexicon import ClauseWords, clause_words

__all__ = ["Beside", "claims_beside", "holds_claim"]


class Beside(NamedTuple):
    """Where a refusing sentence claims something as well."""

    before: bool = False
    behind: bool = False
    named_until: int | None = None
    """Where a clause begins that tells what the sources hold instead; None: all of it names what is missing."""


class _Clause(NamedTuple):
    start: int
    end: int
    is_loose: bool
    """Whether a comma or 'and' begins it: then it may go on with the clause before."""


def claims_beside(
    sentence: str, lack: tuple[int, int], lacks: Callable[[str], bool], is_idle: Callable[[str], bool]
) -> Beside:
    """Whether clauses before or behind the refusing words claim something.

    Args:
        sentence: The sentence in lower case, quotations blanked.
        lack: Span of the refusing words.
        lacks: Whether a clause refuses as well.
        is_idle: Whether a clause claims nothing of the world: it says what the sources are about, or is a courtesy.
    """
    words = clause_words()
    found = Beside()
    for clause in _clauses(sentence, words):
        if clause.start < lack[1] and clause.end > lack[0]:
            continue
        text = sentence[clause.start : clause.end].strip()
        if not _claims(text, words, is_loose=clause.is_loose) or lacks(text):
            continue
        if is_idle(text):
            found = found if found.named_until is not None else found._replace(named_until=clause.start)
            continue
        found = found._replace(before=True) if clause.end <= lack[0] else found._replace(behind=True)
    return found


def holds_claim(clause: str) -> bool:
    """Whether a clause behind 'but' claims something, short as it may be."""
    return _claims(clause.strip(), clause_words(), is_loose=False)


def _clauses(sentence: str, words: ClauseWords) -> Iterator[_Clause]:
    """The stretches between cuts, in order."""
    start, is_loose = 0, True  # what begins the sentence must begin with its claim, as behind a comma
    for cut in words.cut.finditer(sentence):
        yield _Clause(start, cut.start(), is_loose)
        start, is_loose = cut.end(), cut.lastgroup == "loose"
    yield _Clause(start, len(sentence), is_loose)


def _claims(text: str, words: ClauseWords, *, is_loose: bool) -> bool:
    if not any(character.isalnum() for character in text) or words.asks.match(text):
        return False
    pattern = words.begins if is_loose else words.holds
    return pattern.search(text) is not None
