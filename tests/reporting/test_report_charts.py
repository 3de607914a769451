"""The drawings of the page: trends on one scale, the heat table, and nothing else in them."""

from __future__ import annotations

import re
from dataclasses import replace

from goldassay.analytics.models import Counts, Interval
from goldassay.reporting.html.charts import trends
from goldassay.reporting.html.heat import heatmap
from goldassay.reporting.html.svg import themed_svg


def test_charts_follow_the_page_and_carry_nothing_else(make_history):
    """Only listed elements and attributes, colours as variables, tooltips from the engine's names."""
    history = make_history()
    drawn = [trend.svg for trend in trends(history.days, history.rates)]

    assert len(drawn) == 3
    for svg in drawn:
        assert "var(--" in svg
        assert "#0101" not in svg
        assert not re.search(r"<(?!/?(?:svg|g|path|line|rect|circle|text|tspan|title)\b)", svg)


def test_all_trends_have_one_scale(make_history):
    """A glance tells which check is worst: the same height is the same rate in every chart."""
    history = make_history()

    floors = {re.findall(r"<text[^>]*>(0\.\d\d)</text>", trend.svg)[0] for trend in trends(history.days, history.rates)}

    assert len(floors) == 1


def test_a_day_without_a_judge_is_a_bar_and_no_fall(make_history):
    """The line breaks there, and the bar shows between which bounds the rate lies."""
    history = make_history()
    known = history.days[3].rate
    unread = replace(known, counts=Counts(4, 1, 15), headline=0.2, bounds=Interval(0.2, 0.95))
    lost = replace(history.days[3], rate=unread)

    (drawn, *_) = trends((*history.days[:3], lost, *history.days[4:29]), history.rates)

    assert "2026-11-04: 15 of 20 could not be judged; between 0.20 and 0.95" in drawn.svg
    assert "2026-11-04: 0.20" not in drawn.svg
    assert "var(--error)" in drawn.svg


def test_the_heat_table_begins_with_the_newest_version(make_history):
    """Cells tell number and share; what never happened has no shade, the largest share the strongest."""
    history = make_history()

    heat = heatmap(history.categories, history.versions)

    assert heat is not None
    assert heat.versions == ("1.4.0", "1.3.1", "1.3.0", "1.2.0")
    assert (heat.rows[1].category, heat.rows[1].check, heat.rows[1].is_error) == ("added claim", "faithful", False)
    assert heat.rows[1].cells[0] == ("19", 6, "1.4.0: 19 (9.5 %)")
    assert heat.rows[4].cells[1] == ("·", 0, "1.3.1: 0 (0 %)")
    assert max(cell.level for row in heat.rows for cell in row.cells) == 8


def test_charts_by_version_where_there_is_one_day_only(make_history):
    """A golden run has versions, not nights."""
    history = make_history(days=())

    assert [trend.check for trend in trends(history.days, history.rates)] == ["faithful", "numbers", "refusal"]
    assert trends((), history.rates[:1]) == []
    assert heatmap((), ()) is None


def test_a_drawing_with_foreign_elements_loses_them():
    """Script, links, styles and unknown colours are dropped, text is kept."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><style>*{}</style>'
        '<a href="javascript:alert(1)"><text fill="url(#x)" style="x" x="1">gone</text></a>'
        '<text fill="#010106">a&lt;b</text></svg>'
    )
    clean = themed_svg(svg, label='a "label"')

    assert "alert" not in clean
    assert "style" not in clean
    assert '<text fill="var(--fail)">a&lt;b</text>' in clean
