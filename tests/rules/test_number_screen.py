"""The quick look at large figures never says 'no' where the careful reading of a text finds something."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.rules._number_compare import find_number
from goldassay.rules._number_counted import Sought
from goldassay.rules._number_derive import derivation
from goldassay.rules._number_index import index_numbers, read_numbers
from goldassay.rules._number_model import Number
from goldassay.rules._number_screen import has_nothing_like

_WORD_TEXT = (
    "in of the and about nearly March May version COVID- Q3 $ EUR USD % percent million thousand hundred k m bn crore"
    " lakh two twelve twenty ninety-nine points th st s e x cents minus - . , ' ( ) : ; to per day days units km"
)
_WORDS = _WORD_TEXT.split()
_FIGURES = st.integers(1, 300_000).flatmap(
    lambda n: st.sampled_from([str(n), f"{n:,}", f"{n}.5", f"{n:,}".replace(",", " "), f"{n:,}".replace(",", ".")])
)
_TEXTS = st.lists(st.one_of(st.sampled_from(_WORDS), _FIGURES), max_size=14).flatmap(
    lambda parts: st.sampled_from([" ".join(parts), "".join(parts), ", ".join(parts)])
)


def _only(figure: str) -> Number:
    return read_numbers(f"A further {figure} were added.", "en")[0]


@settings(max_examples=300, deadline=None)
@given(value=st.integers(10_000, 400_000), before=_TEXTS, offset=st.integers(-40, 40), behind=_TEXTS)
def test_a_no_of_the_screen_is_a_no_of_the_reader(value: int, before: str, offset: int, behind: str) -> None:
    """Where the screen rules a text out, reading it whole finds neither the number, nor one near it, nor a sum."""
    wanted = _only(f"{value:,}")
    text = f"{before} {value + offset} {behind}" if offset % 3 == 0 else f"{before} {behind}"
    if has_nothing_like(wanted, text):
        index = index_numbers(text)
        assert find_number(Sought(wanted, "A further "), index) is None
        assert find_number(Sought(wanted, "about "), index) is None
        assert find_number(Sought(wanted, "more than "), index) is None
        assert derivation(wanted, [index]) is None


@pytest.mark.parametrize(
    "text",
    [
        "They counted 123,456 birds.",
        "They counted 123,460 birds.",
        "They counted 120,000 birds and then 3,456 more.",
        "They counted 123 thousand birds.",
        "They counted 0.123456 million birds.",
        "They counted 123.456 birds.",
        "They counted 123 456 birds.",
        "It cost $123k.",
        "1.23456e5 of them",
    ],
)
def test_texts_that_may_hold_the_figure_are_read(text: str) -> None:
    """A figure in another form, a near one or a possible sum is never ruled out by the quick look."""
    assert not has_nothing_like(_only("123,456"), text)


def test_texts_with_other_figures_are_ruled_out() -> None:
    """Years, shares and other large figures need no reading."""
    assert has_nothing_like(_only("123,456"), "In 1998 the 45,120 units rose by 12.5 percent to 50,760 by May 14.")
