"""Finds which pieces of suspicious wordings stand in a text, at the price of looking at its new words only.

Texts of one application share their vocabulary: a word that was once seen to hold no piece need not be
searched again. What is remembered is bounded, and changes how long an answer takes, never the answer.
"""

from __future__ import annotations

from goldassay.judging.safety_phrases import PHRASES

__all__ = ["pieces_in"]

_PIECES = tuple(dict.fromkeys(piece for phrase in PHRASES for _, piece in phrase.pieces))
_ASCII_PIECES = tuple(piece for piece in _PIECES if piece.isascii())
_MOST_WORDS = 20_000
_LONGEST_WORD = 40
"""Longer ones are rarely seen twice (addresses, hashes, sentences without blanks) and take room."""

_plain: set[str] = set()
"""Words in which no piece stands."""


def pieces_in(text: str) -> set[str]:
    """The pieces that stand in a folded text; empty for ordinary text."""
    words = set(text.split()) - _plain
    if not words:
        return set()
    joined = " ".join(words)
    found = [piece for piece in (_ASCII_PIECES if text.isascii() else _PIECES) if piece in joined]
    _remember(words if not found else {word for word in words if not any(piece in word for piece in found)})
    return set(found)


def _remember(words: set[str]) -> None:
    if len(_plain) > _MOST_WORDS:
        _plain.clear()
    _plain.update(word for word in words if len(word) <= _LONGEST_WORD)
