"""Every journal line can be read back, whatever stands in it."""

from __future__ import annotations

import math
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging.journal import Journal, read_lines
from goldassay.judging.sendable import dump, sendable_text, sendable_value

TEXTS = st.text(alphabet=st.characters(), max_size=20) | st.text(st.characters(categories=["Cs"]), max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(min_value=10**19) | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4) | st.tuples(inner),
    max_leaves=12,
)
HEAD = {"run_id": "r", "model": "half \ud83d"}


@given(value=VALUES)
def test_whatever_is_written_can_be_read_back(value):
    """And says the same, save for what JSON cannot carry."""
    again = orjson.loads(dump(value))

    assert again == orjson.loads(dump(again))


@given(lines=st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=5))
def test_no_journal_line_is_lost(tmp_path_factory, lines):
    """A line that nobody can read would be a call paid for and lost."""
    path = tmp_path_factory.mktemp("journal") / "j.jsonl"

    with Journal(path, HEAD) as journal:
        for line in lines:
            assert journal.write({**line, "kind": "part"})

    assert len(list(read_lines(path))) == 1 + len(lines)
    with Journal(path, HEAD):
        pass


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("plain", "plain"),
        ("half \ud83d here", "half \ufffd here"),
        ("half \udc00", "half \ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ufeffa\ud83d", "\ufeffa\ufffd"),
    ],
)
def test_half_a_pair_becomes_the_replacement_sign(text, sent):
    """Two halves that belong together become the sign they mean."""
    assert sendable_text(text) == sent


def test_what_json_cannot_carry_is_told_in_words():
    """Nothing is left out without a trace."""
    deep: Any = None
    for _ in range(2000):
        deep = [deep]
    value = {"big": 10**30, "huge": 10**5000, "nan": math.nan, "set": {1}, 1: "key", "deep": deep, "other": object}

    again = orjson.loads(dump(value))

    assert again["big"] == str(10**30)
    assert again["huge"] == "a number of 16610 bits"
    assert (again["nan"], again["set"], again["1"]) == (None, [1], "key")
    assert "nested too deeply" in str(again["deep"])
    assert sendable_value(value) == again
