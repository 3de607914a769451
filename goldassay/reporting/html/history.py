"""The history as one HTML file: trends, rates by version and day, failures by version, causes; it runs no script.

Shares the style sheet, the charts and the safety rules of the report of a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from markupsafe import Markup

from goldassay.analytics.models import RateSummary
from goldassay.analytics.models_reports import HistoryReport
from goldassay.reporting.html.charts import trends
from goldassay.reporting.html.heat import heatmap
from goldassay.reporting.html.page import page_policy, static_text, template, trend_note

__all__ = ["history_html"]

_DAYS = 92
"""Rows of the table by day: a quarter of a year."""


def history_html(report: HistoryReport) -> str:
    """A history as one HTML file that needs no network and no script."""
    return template("history.html.j2").render(_context(report))


def _context(report: HistoryReport) -> Mapping[str, Any]:
    failing = {row.check for row in report.rates if row.rate.counts.passed < row.rate.counts.graded}
    checks = [(check, list(rows)) for check, rows in groupby(report.rates, key=lambda row: row.check)]
    return {
        "report": report,
        "policy": Markup(page_policy("")),  # noqa: S704 - made of hashes of our own files
        "css": Markup(static_text("report.css")),  # noqa: S704 - our own file
        "checks": [(check, rows) for check, rows in checks if check in failing],
        "quiet": [check for check, rows in checks if check not in failing],
        "trends": trends(
            [day for day in report.days if day.check in failing], [row for row in report.rates if row.check in failing]
        ),
        "trend_note": trend_note(report),
        "heat": heatmap(report.categories, report.versions),
        "reasons": [group for group in report.reasons if not group.is_error],
        "error_reasons": [group for group in report.reasons if group.is_error],
        "day_checks": sorted(failing),
        "days": _by_day(report, failing),
    }


def _by_day(report: HistoryReport, checks: set[str]) -> list[tuple[str, dict[str, RateSummary]]]:
    """Rates of each day by check, newest day first."""
    found: dict[str, dict[str, RateSummary]] = {}
    for day in report.days:
        if day.check in checks:
            found.setdefault(day.day.isoformat(), {})[day.check] = day.rate
    return sorted(found.items(), reverse=True)[:_DAYS]
