"""Looking at new words only finds the same pieces as looking at all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging import safety_words
from goldassay.judging.safety_phrases import PHRASES
from goldassay.judging.safety_words import pieces_in

PIECES = sorted({piece for phrase in PHRASES for _, piece in phrase.pieces})
WORD = st.sampled_from([*PIECES, "fee", "12", "euros", "a", "über", "料金"]) | st.text(max_size=4)


@given(st.lists(st.lists(WORD, max_size=8), max_size=6))
def test_what_was_read_before_changes_no_answer(texts: list[list[str]]) -> None:
    """Texts in a row, with and without pieces, glued together and apart."""
    for words in texts:
        for text in (" ".join(words), "".join(words), "\n".join(words)):
            expected = {piece for piece in PIECES if any(piece in word for word in text.split())}

            assert pieces_in(text) == expected
            assert pieces_in(text) == expected, "asked again"


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are new words for ever; long words are not kept at all."""
    monkeypatch.setattr(safety_words, "_MOST_WORDS", 100)
    for number in range(50):
        pieces_in(" ".join(f"w{number}x{one}" for one in range(20)) + " " + "y" * 41)

    assert len(safety_words._plain) <= 120
    assert not any(len(word) > 40 for word in safety_words._plain)
