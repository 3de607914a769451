"""The report's charts, drawn by Altair once and inlined as SVG.

Drawn ahead instead of in the browser: the page then needs no chart library (nearly
a megabyte), runs no generated code (so its content security policy can be
strict), prints sharply, and works wherever a browser shows SVG.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import altair as alt
import vl_convert

from goldassay.analytics.models_reports import CategoryTrend, DayRate, VersionRate
from goldassay.reporting.html.svg import COLORS, themed_svg
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.words import category_name, interval_text, percent_text, rate_text

__all__ = ["Trend", "heatmap", "short_labels", "trends"]

_LOG = logging.getLogger(__name__)
_WIDTH, _HEIGHT = 264, 96
"""Pixels of one small chart; the page scales it to its column."""
_MOST_DAYS = 400
_MOST_VERSIONS = 14
_MOST_CATEGORIES = 16
_ROW = 28


class Trend(NamedTuple):
    """One check's course."""

    check: str
    svg: str
    first: str
    last: str


def trends(days: Sequence[DayRate], rates: Sequence[VersionRate]) -> list[Trend]:
    """One small chart a check: its rate by day with the interval, or by version where there is only one day."""
    checks = dict.fromkeys([day.check for day in days] + [row.check for row in rates])
    drawn = (
        _trend(check, [d for d in days if d.check == check], [r for r in rates if r.check == check]) for check in checks
    )
    return [trend for trend in drawn if trend is not None]


def _trend(check: str, days: Sequence[DayRate], rates: Sequence[VersionRate]) -> Trend | None:
    points = [_day_point(day) for day in days[-_MOST_DAYS:] if day.rate.headline is not None]
    marks = [_version_mark(row, points) for row in rates if row.first_seen is not None] if points else []
    kind = "T"
    if len(points) < 2:
        known = [row for row in rates[-_MOST_VERSIONS:] if row.rate.headline is not None]
        labels = short_labels([row.version for row in known])
        points = [_version_point(row, label) for row, label in zip(known, labels, strict=True)]
        marks, kind = [], "O"
    if len(points) < 2:
        return None
    chart = _trend_chart(points, [mark for mark in marks if mark is not None], kind)
    label = f"{check}: pass rate from {points[0]['name']} to {points[-1]['name']}"
    return Trend(check, _svg(chart, label), rate_text(points[0]["rate"]), rate_text(points[-1]["rate"]))


def _day_point(day: DayRate) -> dict[str, Any]:
    return _point(
        day.day.isoformat(), _milliseconds(day.day), day.rate.headline, day.rate.interval, day.rate.counts.graded
    )


def _version_point(row: VersionRate, label: str) -> dict[str, Any]:
    return _point(label, label, row.rate.headline, row.rate.interval, row.rate.counts.graded)


def _milliseconds(day: date) -> int:
    """As the chart engine counts time: since 1970 in UTC."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def _point(name: str, at: int | str, rate: float | None, interval: Any, graded: int) -> dict[str, Any]:
    tip = f"{name}: {rate_text(rate)} {interval_text(interval)}, {graded} graded"
    return {"at": at, "name": name, "rate": rate, "low": interval.low, "high": interval.high, "tip": tip}


def _version_mark(row: VersionRate, points: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    if row.first_seen is None:
        return None
    first = _milliseconds(row.first_seen.astimezone(UTC).date())
    # A version that came before the window began would stand outside the drawing.
    return {"at": first, "version": excerpt(row.version, 10)} if first > points[0]["at"] else None


def _trend_chart(points: list[dict[str, Any]], marks: list[dict[str, Any]], kind: str) -> Any:
    low = min(point["low"] for point in points)
    floor = max(0.0, min(0.9, int(low * 10) / 10))
    x = _days_axis(points) if kind == "T" else alt.X("at:O", title=None, axis=alt.Axis(labelAngle=0), sort=None)
    y_scale = alt.Scale(domain=[floor, 1.0], nice=False)
    y_axis = alt.Axis(values=[floor, (floor + 1) / 2, 1.0], format=".2f")
    base = alt.Chart(alt.InlineData(values=points))
    band = base.mark_area(color=COLORS["accent"], opacity=0.14).encode(
        x=x, y=alt.Y("low:Q", title=None, scale=y_scale, axis=y_axis), y2="high:Q"
    )
    line = base.mark_line(color=COLORS["accent"], strokeWidth=1.75).encode(x=x, y=alt.Y("rate:Q", scale=y_scale))
    size = 12 if len(points) > 40 else 26
    dots = base.mark_point(filled=True, opacity=1, size=size, color=COLORS["accent"]).encode(
        x=x, y=alt.Y("rate:Q", scale=y_scale), description="tip:N"
    )
    layers = [band, line, dots]
    if marks:
        layers = [*_version_layers(marks, x), *layers]
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _days_axis(points: Sequence[dict[str, Any]]) -> alt.X:
    """At most five ticks, each on a day that has a point, in UTC wherever the report is made."""
    step = max(1, -(-(len(points) - 1) // 4))
    ticks = [point["at"] for point in points[::step]]
    axis = alt.Axis(format="%d %b", values=ticks, labelFlush=True)
    return alt.X("at:T", title=None, axis=axis, scale=alt.Scale(type="utc"))


def _version_layers(marks: list[dict[str, Any]], x: alt.X) -> list[alt.Chart]:
    base = alt.Chart(alt.InlineData(values=marks))
    rule = base.mark_rule(color=COLORS["line"], strokeDash=[2, 2]).encode(x=x)
    text = base.mark_text(align="left", dx=3, dy=0, baseline="bottom", color=COLORS["muted"], fontSize=9)
    return [rule, text.encode(x=x, y=alt.value(_HEIGHT - 3), text="version:N")]


def heatmap(trends_: Sequence[CategoryTrend], versions: Sequence[str]) -> str:
    """Failure categories by version: darker where a larger share of the version's verdicts failed for it."""
    shown = versions[-_MOST_VERSIONS:]
    rows = trends_[:_MOST_CATEGORIES]
    labels = short_labels(shown)
    cells = [cell for place, trend in enumerate(rows) for cell in _cells(place, trend, shown, labels)]
    if not cells:
        return ""
    # Orders come from fields: a list of names in a chart would be compiled as code.
    x_axis = alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False, labelFontSize=12)
    y_axis = alt.Axis(domain=False, ticks=False, labelLimit=260, labelPadding=10, labelFontSize=12)
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X("version:O", sort=alt.EncodingSortField("x", op="min"), title=None, axis=x_axis),
        y=alt.Y("row:N", sort=alt.EncodingSortField("y", op="min"), title=None, axis=y_axis),
    )
    most = max(0.02, *(cell["share"] for cell in cells))
    shade = alt.Opacity("share:Q", scale=alt.Scale(domain=[0, most], range=[0.04, 1.0]), legend=None)
    squares = base.mark_rect(color=COLORS["fail"], cornerRadius=3, stroke=COLORS["paper"], strokeWidth=2).encode(
        opacity=shade, description="tip:N"
    )
    # Text on a dark square is set in the paper's colour, on a light one in ink.
    ink = alt.condition(alt.datum.share > most * 0.55, alt.value(COLORS["on-fail"]), alt.value(COLORS["ink"]))
    counts = base.mark_text(fontSize=12).encode(text="shown:N", color=ink)
    chart = (squares + counts).properties(width=max(58, 560 // len(shown)) * len(shown), height=_ROW * len(rows))
    return _svg(chart, f"Failure categories by version: {len(rows)} categories, {len(shown)} versions")


def short_labels(names: Sequence[str], limit: int = 12) -> list[str]:
    """Names that fit under a column and stay apart: the middle is cut where the beginnings are alike."""
    labels = [excerpt(name, limit) for name in names]
    if len(set(labels)) < len(labels):
        cuts = [one_line(name[:200]) for name in names]
        labels = [name if len(name) <= limit else f"{name[:4]}…{name[-(limit - 5) :]}" for name in cuts]
    seen: dict[str, int] = {}
    for place, label in enumerate(labels):
        seen[label] = seen.get(label, 0) + 1
        if seen[label] > 1:
            labels[place] = f"{label} ({seen[label]})"
    return labels


def _cells(place: int, trend: CategoryTrend, versions: Sequence[str], labels: Sequence[str]) -> list[dict[str, Any]]:
    found = {version: (count, share) for version, count, share in trend.counts}
    row = f"{excerpt(category_name(trend.category), 30)} ({excerpt(trend.check, 18)})"
    cells = []
    for at, (version, label) in enumerate(zip(versions, labels, strict=True)):
        count, share = found.get(version, (0, 0.0))
        tip = f"{row}, {label}: {count} ({percent_text(share)})"
        shown = str(count) if count else "·"
        cells.append({"row": row, "y": place, "version": label, "x": at, "share": share, "shown": shown, "tip": tip})
    return cells


def _svg(chart: Any, label: str) -> str:
    configured = (
        chart.configure(background="transparent", font="Liberation Sans, Arial, sans-serif", padding=2)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=COLORS["muted"],
            labelFontSize=10.5,
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
