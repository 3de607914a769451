"""The report's charts, drawn by Altair once and inlined as SVG.

Drawn ahead instead of in the browser: the page then needs no chart library (nearly
a megabyte), runs no generated code (so its content security policy can be
strict), prints sharply, and works wherever a browser shows SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import altair as alt
import vl_convert

from goldassay.analytics.models import CategoryTrend, DayRate, VersionRate
from goldassay.reporting.html.svg import COLORS, themed_svg
from goldassay.reporting.safe import excerpt
from goldassay.reporting.words import category_name, interval_text, percent_text, rate_text

__all__ = ["Trend", "heatmap", "trends"]

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
        points = [_version_point(row) for row in rates[-_MOST_VERSIONS:] if row.rate.headline is not None]
        marks, kind = [], "O"
    if len(points) < 2:
        return None
    chart = _trend_chart(points, [mark for mark in marks if mark is not None], kind)
    label = f"{check}: pass rate from {points[0]['at']} to {points[-1]['at']}"
    return Trend(check, _svg(chart, label), rate_text(points[0]["rate"]), rate_text(points[-1]["rate"]))


def _day_point(day: DayRate) -> dict[str, Any]:
    return _point(day.day.isoformat(), day.rate.headline, day.rate.interval, day.rate.counts.graded)


def _version_point(row: VersionRate) -> dict[str, Any]:
    return _point(excerpt(row.version, 12), row.rate.headline, row.rate.interval, row.rate.counts.graded)


def _point(at: str, rate: float | None, interval: Any, graded: int) -> dict[str, Any]:
    tip = f"{at}: {rate_text(rate)} {interval_text(interval)}, {graded} graded"
    return {"at": at, "rate": rate, "low": interval.low, "high": interval.high, "tip": tip}


def _version_mark(row: VersionRate, points: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    first = row.first_seen.astimezone(UTC).date().isoformat() if isinstance(row.first_seen, datetime) else ""
    # A version that came before the window began would stand outside the drawing.
    return {"at": first, "version": excerpt(row.version, 10)} if first > points[0]["at"] else None


def _trend_chart(points: list[dict[str, Any]], marks: list[dict[str, Any]], kind: str) -> Any:
    low = min(point["low"] for point in points)
    floor = max(0.0, min(0.9, int(low * 10) / 10))
    axis = (
        alt.Axis(format="%d %b", tickCount=4, labelFlush=True)
        if kind == "T"
        else alt.Axis(labelAngle=0, labelOverlap=True)
    )
    x = alt.X(f"at:{kind}", title=None, axis=axis, sort=None)
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


def _version_layers(marks: list[dict[str, Any]], x: alt.X) -> list[alt.Chart]:
    base = alt.Chart(alt.InlineData(values=marks))
    rule = base.mark_rule(color=COLORS["line"], strokeDash=[2, 2]).encode(x=x)
    text = base.mark_text(align="left", dx=3, dy=0, baseline="bottom", color=COLORS["muted"], fontSize=9)
    return [rule, text.encode(x=x, y=alt.value(_HEIGHT - 3), text="version:N")]


def heatmap(trends_: Sequence[CategoryTrend], versions: Sequence[str]) -> str:
    """Failure categories by version: darker where a larger share of the version's verdicts failed for it."""
    shown = [excerpt(version, 12) for version in versions[-_MOST_VERSIONS:]]
    rows = trends_[:_MOST_CATEGORIES]
    cells = [cell for trend in rows for cell in _cells(trend, versions[-_MOST_VERSIONS:])]
    if not cells:
        return ""
    names = list(dict.fromkeys(cell["row"] for cell in cells))
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X(
            "version:O",
            sort=shown,
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False, labelFontSize=12),
        ),
        y=alt.Y(
            "row:N",
            sort=names,
            title=None,
            axis=alt.Axis(domain=False, ticks=False, labelLimit=260, labelPadding=10, labelFontSize=12),
        ),
    )
    most = max(0.02, *(cell["share"] for cell in cells))
    shade = alt.Opacity("share:Q", scale=alt.Scale(domain=[0, most], range=[0.04, 1.0]), legend=None)
    squares = base.mark_rect(color=COLORS["fail"], cornerRadius=3, stroke=COLORS["paper"], strokeWidth=2).encode(
        opacity=shade, description="tip:N"
    )
    # Text on a dark square is set in the paper's colour, on a light one in ink.
    ink = alt.condition(alt.datum.share > most * 0.55, alt.value(COLORS["on-fail"]), alt.value(COLORS["ink"]))
    counts = base.mark_text(fontSize=12).encode(text="shown:N", color=ink)
    chart = (squares + counts).properties(
        width=max(46, 560 // max(len(shown), 1)) * len(shown), height=_ROW * len(names)
    )
    return _svg(chart, f"Failure categories by version: {len(names)} categories, {len(shown)} versions")


def _cells(trend: CategoryTrend, versions: Sequence[str]) -> list[dict[str, Any]]:
    found = {version: (count, share) for version, count, share in trend.counts}
    row = f"{category_name(trend.category)} ({excerpt(trend.check, 18)})"
    cells = []
    for version in versions:
        count, share = found.get(version, (0, 0.0))
        tip = f"{row}, {version}: {count} ({percent_text(share)})"
        cells.append(
            {
                "row": row,
                "version": excerpt(version, 12),
                "share": share,
                "shown": str(count) if count else "·",
                "tip": tip,
            }
        )
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
    return themed_svg(vl_convert.vegalite_to_svg(configured.to_dict()), label=label)
