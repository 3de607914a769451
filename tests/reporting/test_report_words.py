"""The wording of figures and the neutralising of text."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.analytics.models import Interval
from goldassay.reporting import words
from goldassay.reporting.safe import excerpt, one_line, visible


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (None, "–"),
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.855, "0.85"),
        (0.9996, "0.9996"),
        (0.99999, ">0.9999"),
        (0.002, "0.002"),
    ],
)
def test_rates_keep_their_meaning_when_rounded(rate, text):
    """A rate below one is never written as one, and an unknown one is a dash."""
    assert words.rate_text(rate) == text


@given(st.floats(min_value=0, max_value=1, exclude_min=True, exclude_max=True))
def test_no_rate_between_reads_as_zero_or_one(rate):
    """Whatever the rate, rounding tells no lie about perfection."""
    shown = words.rate_text(rate)

    assert shown.startswith(("<", ">")) or 0.0 < float(shown) < 1.0


@given(st.floats(min_value=0, max_value=1, exclude_min=True, exclude_max=True))
def test_no_share_between_reads_as_none_or_all(share):
    """A category that occurred is never '0 %'."""
    assert words.percent_text(share) not in {"0 %", "0.0 %", "100 %", "100.0 %"}


def test_intervals_points_and_p_values():
    """The forms the reports use."""
    assert words.interval_text(Interval(0.81, 0.93)) == "[0.81, 0.93]"
    assert words.interval_text(None) == "–"
    assert [words.points_text(value) for value in (None, 0.0, -0.07, 0.004)] == ["–", "±0.00", "-0.07", "+0.004"]
    assert [words.score_text(value) for value in (None, 0.0, -0.5, 1.25)] == ["–", "±0.00", "-0.50", "+1.25"]
    assert [words.p_value_text(p) for p in (None, 0.00001, 0.003, 0.5)] == [
        "p unknown",
        "p < 0.001",
        "p = 0.003",
        "p = 0.50",
    ]
    assert [words.percent_text(share) for share in (None, 0.0, 1.0, 0.283, 0.004)] == [
        "–",
        "0 %",
        "100 %",
        "28 %",
        "0.4 %",
    ]


def test_costs_counts_and_durations():
    """Unknown cost is said, not shown as zero."""
    assert words.cost_text(None) == "cost unknown (no price set)"
    assert [words.cost_text(cost) for cost in (0.0, 0.0031, 1.4312, 1234.5)] == [
        "$0.00",
        "$0.0031",
        "$1.43",
        "$1,234.50",
    ]
    assert [words.duration_text(s) for s in (0.008, 1.23, 42, 200, 3900)] == [
        "8 ms",
        "1.2 s",
        "42 s",
        "3 min 20 s",
        "1 h 05 min",
    ]
    assert words.plural(1, "answer") == "1 answer"
    assert words.plural(1200, "reply", "replies") == "1,200 replies"
    assert [words.joined(names) for names in ([], ["a"], ["a", "b", "c"])] == ["", "a", "a, b and c"]


def test_windows_are_told_in_words():
    """One whole day is a day; open ends are said."""
    day, next_day = datetime(2026, 11, 28, tzinfo=UTC), datetime(2026, 11, 29, tzinfo=UTC)

    assert words.window_text((day, next_day)) == "answers of 2026-11-28"
    assert words.window_text((None, None)) == ""
    assert words.window_text((None, day)) == "answers before 2026-11-28 00:00 UTC"
    assert words.window_text((day, None)) == "answers since 2026-11-28 00:00 UTC"
    assert words.window_text((day, datetime(2026, 11, 28, 6, tzinfo=UTC))).endswith("to 2026-11-28 06:00 UTC")


def test_sources_are_named_by_their_number():
    """A citation of nothing says so."""
    assert words.source_words(2, 4) == "source 2 of 4"
    assert words.source_words(None, 4) == "not among the 4 sources sent"
    assert words.source_words(None, 0) == "no source was sent"


def test_hidden_characters_become_visible():
    """Escape sequences, direction overrides, invisible tags and lone surrogates are shown, line breaks kept."""
    assert visible("a\r\nb\tc\nd") == "a\nb\tc\nd"
    assert visible("\x1b[31mred\x07\x7f\x9b") == "␛[31mred␇␡<U+009B>"
    assert visible("\u202eevil\u2066\u200b\ud800\U000e0041") == "<U+202E>evil<U+2066><U+200B><U+D800><U+E0041>"
    assert visible("می\u200cخواهم 👩\u200d🚀") == "می\u200cخواهم 👩\u200d🚀"


@given(st.text(st.characters(codec=None, categories=None)))
def test_nothing_that_steers_a_terminal_survives(text):
    """No control, format or surrogate character is left, but line breaks and joiners."""
    left = {unicodedata.category(sign) for sign in visible(text) if sign not in "\n\t\u200c\u200d"}

    assert not left & {"Cc", "Cs"}
    assert not set(visible(text)) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


@given(st.text(), st.integers(min_value=1, max_value=80))
def test_excerpts_are_short_and_on_one_line(text, limit):
    """An excerpt never grows over its limit."""
    cut = excerpt(text, limit)

    assert len(cut) <= limit
    assert cut == one_line(cut)


def test_an_excerpt_of_a_huge_text_looks_at_its_head_only():
    """Megabytes are cut before they are searched, and the cut is shown."""
    assert excerpt("wörd " * 1_000_000, 20) == "wörd wörd wörd…"
    assert excerpt(" " * 10_000 + "x", 20) == "…"
