"""A history as Markdown: rates by version and by day, failure categories by version, causes; under a size limit.

Data is made inert in the same way as in `markdown`, whose table of causes it shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from goldassay.analytics.models import RateSummary
from goldassay.analytics.models_reports import AnswerabilityTable, CategoryTrend, DayRate, HistoryReport, VersionRate
from goldassay.reporting.markdown import reason_table
from goldassay.reporting.markdown_parts import LIMIT_BYTES, inline, notices_block, table, within
from goldassay.reporting.words import (
    category_name,
    column_title,
    count_text,
    interval_text,
    percent_text,
    plural,
    points_text,
    rate_text,
    short_labels,
)

__all__ = ["history_markdown"]

_DAYS = 31
_VERSIONS = 12


def history_markdown(report: HistoryReport, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """A history as Markdown, cut with a note where it would grow over `limit_bytes`."""
    what = category_name(report.by)
    blocks = [
        f"## {inline(report.app or 'all assistants')}: history of {plural(len(report.versions), what)}",
        "" if report.versions else "No verdicts in this window.",
        notices_block(report.notices),
        _rates(report.rates, column_title(report.by)),
        _categories(report),
        _answerability(report.answerability, column_title(report.by)),
        reason_table("Why answers failed", [group for group in report.reasons if not group.is_error]),
        reason_table("What the judge could not grade", [group for group in report.reasons if group.is_error]),
        _days(report.days),
    ]
    return within(blocks, limit_bytes, "`goldassay history -o history.html`")


def _rates(rates: Sequence[VersionRate], version: str) -> str:
    if not rates:
        return ""
    headers = ("check", version, "passed>", "rate>", "95 % interval", "errors>", "bounds", "first seen", "last seen")
    rows = [row for _, found in groupby(rates, key=lambda rate: rate.check) for row in list(found)[-_VERSIONS:]]
    return f"### Rates by {version}\n\n{table(headers, map(_version_row, rows))}"


def _version_row(row: VersionRate) -> list[str]:
    seen = [f"{moment:%Y-%m-%d}" if moment is not None else "" for moment in (row.first_seen, row.last_seen)]
    return [inline(row.check), inline(row.version or "no version"), *_rate_cells(row.rate), *seen]


def _rate_cells(rate: RateSummary) -> list[str]:
    """Counts, rate and interval, and where judge errors leave it open, its bounds."""
    counts = f"{count_text(rate.counts.passed)}/{count_text(rate.counts.graded)}"
    interval = interval_text(rate.shown_interval) if rate.shown is not None else ""
    errors = count_text(rate.counts.errors) if rate.counts.errors else ""
    return [counts, rate_text(rate.shown), interval, errors, interval_text(rate.shown_bounds) if errors else ""]


def _days(days: Sequence[DayRate]) -> str:
    """A row a day, a column a check; a day on which the judge was out says so instead of a rate."""
    checks = list(dict.fromkeys(day.check for day in days))
    by_day: dict[str, dict[str, RateSummary]] = {}
    for day in days:
        by_day.setdefault(day.day.isoformat(), {})[day.check] = day.rate
    if len(by_day) < 2:
        return ""
    rows = ([day, *(_day_cell(by_day[day].get(check)) for check in checks)] for day in sorted(by_day)[-_DAYS:])
    return f"### Rates by day\n\n{table(('day', *(f'{inline(check)}>' for check in checks)), rows)}"


def _day_cell(rate: RateSummary | None) -> str:
    if rate is None or rate.shown is None:
        return ""
    if rate.is_outage:
        return f"⚠️ {interval_text(rate.shown_bounds)}"
    return f"{rate_text(rate.shown)} ({count_text(rate.counts.graded)})"


def _categories(report: HistoryReport) -> str:
    if not report.categories:
        return ""
    versions = report.versions[-_VERSIONS:]
    labels = [f"{inline(label)}>" for label in short_labels(versions, 18)]
    headers = ("category", "check", *labels, "share>", "change>", "seen under")
    rows = (_category_row(trend, versions) for trend in report.categories)
    note = "Failed verdicts; share: of the newest version's, weighted to the log. A bold change is more than chance."
    return f"### Why, by {column_title(report.by)}\n\n{table(headers, rows)}\n\n{note}"


def _category_row(trend: CategoryTrend, versions: Sequence[str]) -> list[str]:
    counts = {version: count for version, count, _ in trend.counts}
    change = "" if trend.change is None else points_text(trend.change)
    is_real = trend.change_p is not None and trend.change_p < 0.05
    return [
        inline(category_name(trend.category)),
        inline(trend.check),
        *(count_text(counts.get(version, 0)) for version in versions),
        percent_text(trend.counts[-1][2]),
        f"**{change}**" if is_real else change,
        inline(" to ".join(_seen_under(trend))),
    ]


def _seen_under(trend: CategoryTrend) -> Iterator[str]:
    """The first and the last version, once where they are one."""
    yield from dict.fromkeys(version or "no version" for version in (trend.first_version, trend.last_version))


def _answerability(tables: Sequence[AnswerabilityTable], version: str) -> str:
    if not tables:
        return ""
    headers = (version, "refused the answerable>", "answered the unanswerable>")
    rows = (
        (
            inline(each.version or "no version"),
            f"{rate_text(each.refused_answerable_rate)} {interval_text(each.refused_answerable_interval)}",
            f"{rate_text(each.answered_unanswerable_rate)} {interval_text(each.answered_unanswerable_interval)}",
        )
        for each in tables[-_VERSIONS:]
    )
    return f"### Answerability\n\n{table(headers, rows)}"
