"""Column paths: where a field lies in a nested row."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.errors import ConfigError
from goldassay.sources.columns import MISSING, ColumnPath
from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.nested import parse_nested

ROW = {
    "a": {"b": [{"c": 1}, {"c": 2}, {"d": 3}]},
    "m": [{"content": "x"}, {"content": "y"}],
    "a.b": "dotted",
    "odd [key]": {"x.y": 5},
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.b[0].c", 1),
        ("a.b[*].c", [1, 2]),
        ("m[-1].content", "y"),
        ("m[5].content", MISSING),
        ("a.b.c", MISSING),
        ("none", MISSING),
        ("a.b", "dotted"),
        ('"odd [key]"."x.y"', 5),
        ("a[*].c", MISSING),
    ],
)
def test_a_path_leads_to_its_value(path, value):
    """Or nowhere."""
    assert ColumnPath(path).find(ROW) == value


@pytest.mark.parametrize("path", ["", ".a", "a..b", "a[", "a[x]", "a]", 'a."b', "a[1.5]"])
def test_what_is_no_path_is_a_setting_error(path):
    """With the place where reading stopped."""
    with pytest.raises(ConfigError, match="path"):
        ColumnPath(path)


@given(st.text(max_size=30))
def test_no_text_is_evaluated(text):
    """A path is read or refused, whatever it holds."""
    with contextlib.suppress(ConfigError):
        assert ColumnPath(text).find(ROW) is not None


@given(st.text(max_size=60).map(lambda text: f"[{text}"))
def test_no_cell_breaks_the_reading_of_nested_values(text):
    """It is a value, the text, or a reason."""
    with contextlib.suppress(UnreadableValueError):
        assert parse_nested(text) is not None
