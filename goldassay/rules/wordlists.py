"""Reads the short word lists that rules carry in their own files."""

from __future__ import annotations

__all__ = ["word_set"]


def word_set(words: str) -> frozenset[str]:
    """The words of a text in which white space parts them; a list stays readable so."""
    return frozenset(words.split())
