"""The report's charts, drawn by Altair once and inlined as SVG.

Drawn ahead instead of in the browser: the page then needs no chart library (nearly
a megabyte), runs no generated code (so its content security policy can be
strict), prints sharply, and works wherever a browser shows SVG.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import altair as alt
import vl_convert

from goldassay.analytics.models import RateSummary
from goldassay.analytics.models_reports import DayRate, VersionRate
from goldassay.reporting.html.svg import COLORS, themed_svg
from goldassay.reporting.safe import excerpt
from goldassay.reporting.words import interval_text, rate_text, short_labels

__all__ = ["Trend", "trends"]

_LOG = logging.getLogger(__name__)
_WIDTH, _HEIGHT = 280, 112
"""Pixels of one small chart; the page scales it to its column."""
_MOST_DAYS = 400
_MOST_VERSIONS = 14


class Trend(NamedTuple):
    """One check's course."""

    check: str
    svg: str
    first: str
    last: str


class _Point(NamedTuple):
    """One rate to draw."""

    at: int | str
    """Milliseconds since 1970, or a version's label."""
    name: str
    rate: RateSummary


def trends(days: Sequence[DayRate], rates: Sequence[VersionRate]) -> list[Trend]:
    """One small chart a check: its rate by day with the interval, or by version where there is only one day.

    All have one scale, so that a glance tells the check that is worst. A day on which many answers could not be
    judged has no point: a bar shows between which bounds its rate lies.
    """
    checks = dict.fromkeys([day.check for day in days] + [row.check for row in rates])
    points = {check: _points(check, days, rates) for check in checks}
    drawn = {check: found for check, found in points.items() if len(found) > 1}
    floor = _floor([point for found in drawn.values() for point in found])
    return [_trend(check, found, rates, floor) for check, found in drawn.items()]


def _points(check: str, days: Sequence[DayRate], rates: Sequence[VersionRate]) -> list[_Point]:
    by_day = [day for day in days if day.check == check and day.rate.shown is not None][-_MOST_DAYS:]
    if len(by_day) > 1:
        return [_Point(_milliseconds(day.day), day.day.isoformat(), day.rate) for day in by_day]
    known = [row for row in rates if row.check == check and row.rate.shown is not None][-_MOST_VERSIONS:]
    labels = short_labels([row.version for row in known])
    return [_Point(label, label, row.rate) for row, label in zip(known, labels, strict=True)]


def _floor(points: Sequence[_Point]) -> float:
    """Where the common scale begins: a tenth below the lowest rate, and at 0.9 at most."""
    lows = [point.rate.shown for point in points if point.rate.shown is not None and not point.rate.is_outage]
    return max(0.0, min(0.9, math.floor((min(lows, default=0.9) - 0.05) * 10) / 10))


def _trend(check: str, points: Sequence[_Point], rates: Sequence[VersionRate], floor: float) -> Trend:
    by_day = isinstance(points[0].at, int)
    marks = _version_marks([row for row in rates if row.check == check], points) if by_day else []
    chart = _trend_chart(points, marks, floor)
    label = f"{check}: pass rate from {points[0].name} to {points[-1].name}"
    return Trend(check, _svg(chart, label), _end(points[0]), _end(points[-1]))


def _end(point: _Point) -> str:
    return "not judged" if point.rate.is_outage else rate_text(point.rate.shown)


def _milliseconds(day: date) -> int:
    """As the chart engine counts time: since 1970 in UTC."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def _value(point: _Point, floor: float) -> dict[str, Any]:
    """A point of the line; without a rate, which breaks the line, where the judge failed."""
    rate = point.rate
    low, high = rate.shown_interval
    tip = f"{point.name}: {rate_text(rate.shown)} {interval_text(rate.shown_interval)}, {rate.counts.graded} graded"
    shown = {"rate": rate.shown, "low": max(low, floor), "high": max(high, floor)}
    return {"at": point.at, "tip": tip} | (dict.fromkeys(shown) if rate.is_outage else shown)


def _outage(point: _Point, floor: float) -> dict[str, Any]:
    counts, (low, high) = point.rate.counts, point.rate.shown_bounds
    lost = f"{counts.errors} of {counts.graded} could not be judged"
    tip = f"{point.name}: {lost}; between {rate_text(low)} and {rate_text(high)}"
    return {"at": point.at, "low": max(low, floor), "high": max(high, floor), "tip": tip}


def _version_marks(rows: Sequence[VersionRate], points: Sequence[_Point]) -> list[dict[str, Any]]:
    """Where versions begin; one that came before the window began would stand outside the drawing."""
    begun = [(_milliseconds(row.first_seen.astimezone(UTC).date()), row.version) for row in rows if row.first_seen]
    inside = [(first, version) for first, version in begun if version and first > int(points[0].at)]
    room = 10 if len(inside) < 3 else 7
    return [{"at": first, "version": excerpt(version, room)} for first, version in inside]


def _trend_chart(points: Sequence[_Point], marks: list[dict[str, Any]], floor: float) -> Any:
    by_day = isinstance(points[0].at, int)
    x = _days_axis([int(point.at) for point in points]) if by_day else _versions_axis()
    axis = alt.Axis(values=[floor, (floor + 1) / 2, 1.0], format=".2f")
    y: dict[str, Any] = {"title": None, "scale": alt.Scale(domain=[floor, 1.0], nice=False), "axis": axis}
    base = alt.Chart(alt.InlineData(values=[_value(point, floor) for point in points]))
    band = base.mark_area(color=COLORS["accent"], opacity=0.14).encode(x=x, y=alt.Y("low:Q", **y), y2="high:Q")
    line = base.mark_line(color=COLORS["accent"], strokeWidth=1.75).encode(x=x, y=alt.Y("rate:Q", **y))
    size = 12 if len(points) > 40 else 26
    dots = base.mark_point(filled=True, opacity=1, size=size, color=COLORS["accent"]).encode(
        x=x, y=alt.Y("rate:Q", **y), description="tip:N"
    )
    lost = [_outage(point, floor) for point in points if point.rate.is_outage]
    outages = alt.Chart(alt.InlineData(values=lost)).mark_rule(color=COLORS["error"], strokeWidth=4, opacity=0.75)
    bars = [outages.encode(x=x, y=alt.Y("low:Q", **y), y2="high:Q", description="tip:N")] if lost else []
    layers = [*(_version_layers(marks, x) if marks else []), band, line, dots, *bars]
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _versions_axis() -> alt.X:
    return alt.X("at:O", title=None, axis=alt.Axis(labelAngle=0), sort=None)


def _days_axis(days: Sequence[int]) -> alt.X:
    """At most four ticks, each on a day that has a point, in UTC wherever the report is made."""
    step = max(1, -(-(len(days) - 1) // 3))
    axis = alt.Axis(format="%d %b", values=list(days[::step]), labelFlush=True)
    return alt.X("at:T", title=None, axis=axis, scale=alt.Scale(type="utc"))


def _version_layers(marks: list[dict[str, Any]], x: alt.X) -> list[alt.Chart]:
    base = alt.Chart(alt.InlineData(values=marks))
    rule = base.mark_rule(color=COLORS["line"], strokeDash=[2, 2]).encode(x=x)
    text = base.mark_text(align="left", dx=3, dy=0, baseline="bottom", color=COLORS["muted"], fontSize=11)
    return [rule, text.encode(x=x, y=alt.value(_HEIGHT - 3), text="version:N")]


def _svg(chart: Any, label: str) -> str:
    configured = (
        chart.configure(background="transparent", font="Liberation Sans, Arial, sans-serif", padding=2)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=COLORS["muted"],
            labelFontSize=12,
            gridColor=COLORS["line"],
            domainColor=COLORS["line"],
            tickColor=COLORS["line"],
        )
        .configure_axisX(grid=False)
    )
    try:
        return themed_svg(vl_convert.vegalite_to_svg(configured.to_dict()), label=label)
    except ValueError as error:  # what the engine raises for all its troubles
        _LOG.warning("a chart is left out of the report, its figures stand in the tables: %.300s", error)
        return ""
