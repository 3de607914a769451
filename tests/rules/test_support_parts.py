"""The quick ways of `support`, each held to the plain one: masks of trees, words as characters, the best window."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.rules import support_codes, support_words
from goldassay.rules.support_codes import answer_codes, coded, standing
from goldassay.rules.support_features import FEATURES_VERSION
from goldassay.rules.support_model import SupportModel
from goldassay.rules.support_windows import CodedSource, Search
from goldassay.rules.support_words import source_tokens, source_words, tokens

_CUTS = st.none() | st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0])
_TREE = st.fixed_dictionaries(
    {
        "features": st.lists(st.integers(0, 2), min_size=7, max_size=7),
        "cuts": st.lists(_CUTS, min_size=7, max_size=7),
        "leaves": st.lists(st.sampled_from([0.0, 0.125, -0.5, 1.0, 3.0]), min_size=8, max_size=8),
    }
)
_LETTERS = st.text("abcdefgh", max_size=40)
_WEIGHT = {letter: 1.0 + place / 8 for place, letter in enumerate("abcdefgh")}


def _model(trees: list[dict[str, Any]]) -> SupportModel:
    return SupportModel(
        {
            "features_version": FEATURES_VERSION, "features": ["a", "b", "c"], "threshold": 0.5, "mean": [0.0] * 3,
            "scale": [1.0] * 3, "pairs": [], "coefficients": [0.0] * 3, "intercept": 0.0, "trees": trees,
        }
    )  # fmt: skip


def _leaf(tree: dict[str, Any], values: list[float]) -> float:
    """The leaf that a walk from split to split reaches."""
    node = 0
    for level in range(3):
        split = 2**level - 1 + node
        cut = tree["cuts"][split]
        node = 2 * node + (cut is not None and values[tree["features"][split]] >= cut)
    return tree["leaves"][node]


@given(st.lists(_TREE, max_size=4), st.lists(st.sampled_from([-1.0, 0.0, 0.3, 0.5, 7.0]), min_size=3, max_size=3))
def test_masks_reach_the_leaves_that_a_walk_reaches(trees: list[dict[str, Any]], values: list[float]):
    """One mask a feature gives the same sum as each tree on its own."""
    logit = sum(_leaf(tree, values) for tree in trees) / 2

    score = _model(trees).score(dict(zip("abc", values, strict=True)))

    assert score == pytest.approx(1 / (1 + math.exp(-logit)))


@given(st.sets(st.text("abc", min_size=2, max_size=2)), st.text("abc", max_size=12), st.integers(0, 12))
def test_one_pass_finds_what_a_search_for_each_finds(strings: set[str], text: str, likely: int):
    """Many strings are looked for in another way than few."""
    found = {string for string in strings if string in text}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(support_codes, "FEW", 0)

        assert standing(strings, text) == found
    assert standing(strings, text, text[:likely]) == found


@given(_LETTERS, st.sets(st.sampled_from("abcdefgh"), min_size=1), st.integers(1, 9), st.booleans())
def test_best_window_holds_most(source: str, wanted: set[str], width: int, read_once: bool):  # noqa: FBT001 - drawn
    """No stretch of that many words has more weight, and it begins and ends with a word that is looked for."""
    sources = [CodedSource(source[:20], read_once=read_once), CodedSource(source[20:], read_once=read_once)]
    most = max(
        sum(_WEIGHT[code] for code in wanted.intersection(part.codes[place : place + width + 1]))
        for part in sources
        for place in range(len(part.codes) + 1)
    )

    window = Search("?", wanted, sources, _WEIGHT).best(width)

    assert (window.recall if window else 0.0) == pytest.approx(most)
    if window:
        codes = sources[window.source].codes
        assert {codes[window.first], codes[window.last]} <= wanted
        assert window.last - window.first <= width


def test_sentence_of_a_source_is_found_word_for_word():
    """In the first source that has it; where none has, there is no such window."""
    sources = [CodedSource("xxab"), CodedSource("xabcx"), CodedSource("abc")]

    found = Search("abc", "abc", sources, _WEIGHT).word_for_word

    assert found is not None
    assert (found.source, found.first, found.last) == (1, 1, 3)
    assert Search("ba", "ab", sources, _WEIGHT).word_for_word is None


def test_source_has_as_many_characters_as_words():
    """Stretches of several words, or of none, shift no place."""
    text = "The C-41 route, at 10:30 - not by O'Hare's 3rd gate ... but via S.F.O."
    codes = answer_codes(tokens("route not gate 3rd sfo f"))

    (line,) = coded([source_words(text)], codes)

    words = source_tokens(text)
    assert len(line) == len(words)
    assert [codes[word] for word in words if word in codes] == [code for code in line if code in codes.values()]


@pytest.mark.parametrize(
    ("text", "stems"),
    [("1,000", ["1000"]), ("1,000.", ["1000"]), (",5", ["5"]), ("1,,2", ["1", "2"]), ("3.5,", ["3.5"]),
     ("1,2,3", ["123"]), ("2,5.", ["25"]), ("...", []), ("1998:", ["1998"]), ("3rd", ["3", "rd"])],
)  # fmt: skip
def test_figures_lose_their_grouping(text: str, stems: list[str]):
    """The short cut for plain figures gives what the pattern gives."""
    assert tokens(text) == stems


def test_memory_of_stretches_stays_bounded(monkeypatch: pytest.MonkeyPatch):
    """Beyond its bound it starts anew."""
    monkeypatch.setattr(support_words, "_MOST_PIECES", 1)

    assert tokens("quux corge quux") == ["quux", "corg", "quux"]
