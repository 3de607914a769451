"""Keeps what was computed of a text, bounded by the texts' lengths: the same passages come again and again.

Knows neither the texts nor what is made of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["TextCache"]

Made = TypeVar("Made")


class TextCache(Generic[Made]):
    """What a function makes of texts, kept for those that were asked for last.

    Args:
        make: A pure function of a text.
        max_characters: Bound on the sum of the kept texts' lengths; the least recently used go first.
    """

    def __init__(self, make: Callable[[str], Made], max_characters: int) -> None:
        self._make = make
        self._kept: OrderedDict[str, Made] = OrderedDict()
        self._max_characters = max_characters
        self._characters = 0

    def get(self, text: str) -> Made:
        """What is made of `text`, from memory where it was seen before."""
        try:
            made = self._kept[text]
        except KeyError:
            return self._new(text)
        self._kept.move_to_end(text)
        return made

    def _new(self, text: str) -> Made:
        made = self._kept[text] = self._make(text)
        self._characters += len(text)
        while self._characters > self._max_characters and len(self._kept) > 1:
            old, _ = self._kept.popitem(last=False)
            self._characters -= len(old)
        return made
