"""What was computed of a text is kept, within a bound of characters."""

from __future__ import annotations

import pytest

from goldassay.text import TextCache


def test_a_text_is_read_once_while_it_is_kept() -> None:
    """Equal texts are one text, also where they are two objects."""
    read: list[str] = []
    cache = TextCache(read.append, 100)

    for text in ("abc", "abcd"[:3], "abcd"):
        cache.get(text)

    assert read == ["abc", "abcd"]


def test_the_text_that_was_asked_for_longest_ago_goes_first() -> None:
    """The bound counts characters; the newest text stays, however long it is."""
    read: list[str] = []
    cache = TextCache(read.append, 10)

    for text in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb", "d" * 50, "d" * 50):
        cache.get(text)

    assert read == ["aaaa", "bbbb", "cccc", "bbbb", "d" * 50]


def test_a_text_that_cannot_be_read_is_not_kept() -> None:
    """The error is raised each time, and nothing of it counts towards the bound."""
    cache = TextCache(lambda text: 1 // len(text), 10)

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.get("")
