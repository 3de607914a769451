"""The HTML report of a stored run: what is read, what is kept when not everything fits. Needs no browser."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from goldassay.errors import StoreError
from goldassay.reporting.html import render_html


def index_of(path: Path) -> dict:
    """The list of answers in a report."""
    found = re.search(r'<script type="application/(\w+)" id="index">(.*?)</script>', path.read_text(encoding="utf-8"))
    assert found is not None
    text = gzip.decompress(base64.b64decode(found[2])) if found[1] == "gzip" else found[2]
    return json.loads(text)


def test_everything_of_the_run_is_in_the_file(three_nights, tmp_path):
    """All answers, broken ones first; charts of the nights before, none of the nights after."""
    store, run_id = three_nights
    index = index_of(render_html(store, run_id, tmp_path / "last.html"))

    assert len(index["id"]) == 120
    assert index["d"][:40] == ["b"] * 40
    assert index["o"][-1] == "p"
    assert index["strata"] == ["refunds", "routes", "other", "prices"]
    first = render_html(store, store.runs()[0].run_id, tmp_path / "first.html")
    assert "1.4.0" not in first.read_text(encoding="utf-8")


def test_the_same_run_gives_the_same_file(three_nights, tmp_path):
    """Nothing in the file depends on the clock, the machine or the order of a set."""
    store, run_id = three_nights

    one, two = (render_html(store, run_id, tmp_path / f"{name}.html").read_bytes() for name in "ab")

    assert one == two


def test_when_not_all_fit_the_worst_are_kept(three_nights, tmp_path):
    """What broke comes first, and the page says that it shows a part."""
    store, run_id = three_nights
    path = render_html(store, run_id, tmp_path / "small.html", limit=50)

    index = index_of(path)
    assert len(index["id"]) == 50
    assert index["d"].count("b") == 40
    assert "The 50 worst of 120; all of them are in the store." in path.read_text(encoding="utf-8")


def test_a_run_that_is_not_there_is_named(three_nights, tmp_path):
    """No file is written for it."""
    with pytest.raises(StoreError, match="no run 'nightly-of-nowhere'"):
        render_html(three_nights[0], "nightly-of-nowhere", tmp_path / "x.html")
    assert list(tmp_path.iterdir()) == []
