"""Finds a fact whose words the answer writes together or apart: 'e-mail' and 'email', 'U.S.' and 'US', 'drop down'.

Knows words and what stands between them, not numbers. Called by `key_fact`, for facts
that were not found word by word.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.rules._fact_tokens import Token

__all__ = ["find_compound"]

_LEAST_LETTERS = 7
"""Letters from which words with a space between them may be one: 'drop down' is 'dropdown'."""
_LEAST_PART = 3
_LEAST_WHOLE = 5
_JOINTS = frozenset("-.'")
_MOST_PARTS = 6


def find_compound(wanted: Sequence[Token], tokens: Sequence[Token], text: str) -> tuple[int, int] | None:
    """First and last of the tokens that spell the fact with other joints; None where none do.

    Args:
        wanted: The words of the fact; one with a number is never a compound.
        tokens: Those of the answer.
        text: The answer, for what stands between its words.
    """
    letters = "".join(token.word for token in wanted)
    if not letters or any(token.number is not None for token in wanted):
        return None
    for first, token in enumerate(tokens):
        if token.word and letters.startswith(token.word):
            is_initials = len(wanted) > 1 and all(len(part.word) == 1 for part in wanted)
            last = _last_of(letters, first, tokens, text, is_one_word=len(wanted) == 1, is_initials=is_initials)
            if last is not None:
                return first, last
    return None


def _last_of(
    letters: str, first: int, tokens: Sequence[Token], text: str, *, is_one_word: bool, is_initials: bool
) -> int | None:
    """The token at which the letters are spelled out; None where they part ways."""
    spelled = tokens[first].word
    last = first
    while len(spelled) < len(letters) and last + 1 < len(tokens) and last - first < _MOST_PARTS:
        behind = tokens[last + 1]
        if not behind.word or not _may_join(text[tokens[last].end : behind.start], letters, tokens[last], behind):
            return None
        spelled += behind.word
        last += 1
    is_same = spelled == letters
    if is_same and last == first and is_initials:
        return last if text[tokens[first].start : tokens[first].end].isupper() else None  # 'USA' for 'U.S.A.'
    # One word of the answer for several of the fact: "dropdown" for "drop down", not "us" for "u s".
    return last if is_same and (last > first or (not is_one_word and len(letters) >= _LEAST_WHOLE)) else None


def _may_join(between: str, letters: str, before: Token, behind: Token) -> bool:
    if between in _JOINTS:
        return True
    is_long = len(letters) >= _LEAST_LETTERS and min(len(before.word), len(behind.word)) >= _LEAST_PART
    return between == " " and is_long
