"""Failure categories by version as a table whose cells are shaded: the newest version first, so that a phone shows it.

A table and no drawing: it fills its column, wraps and scrolls like text, and its figures can be copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from goldassay.analytics.models_reports import CategoryTrend
from goldassay.reporting.words import category_name, count_text, percent_text, short_labels

__all__ = ["Heat", "HeatCell", "HeatRow", "heatmap"]

_MOST_VERSIONS = 12
_MOST_CATEGORIES = 16
_LEVELS = 8
"""Shades beside none, as in the style sheet."""
_LEAST_FULL = 0.02
"""The share from which on a cell may have the strongest shade: half a percent shall not look like a fire."""


class HeatCell(NamedTuple):
    """One category under one version."""

    shown: str
    """Number of verdicts; '·' where there was none."""
    level: int
    """0 none to 8."""
    tip: str


class HeatRow(NamedTuple):
    """One category of one check."""

    category: str
    check: str
    is_error: bool
    cells: tuple[HeatCell, ...]


class Heat(NamedTuple):
    """The whole table."""

    versions: tuple[str, ...]
    """Newest first, shortened where they are long."""
    rows: tuple[HeatRow, ...]
    hidden: int
    """Older versions that have no column."""


def heatmap(trends: Sequence[CategoryTrend], versions: Sequence[str]) -> Heat | None:
    """Shade each cell by the share of the version's verdicts that failed for the category.

    Args:
        trends: Categories, most frequent first.
        versions: Oldest first.

    Returns:
        The table; None without a failure.
    """
    shown = versions[-_MOST_VERSIONS:][::-1]
    rows = trends[:_MOST_CATEGORIES]
    found = [{version: (count, share) for version, count, share in trend.counts} for trend in rows]
    most = max([_LEAST_FULL, *(cells[version][1] for cells in found for version in shown if version in cells)])
    labels = short_labels(shown)
    made = [
        HeatRow(
            category_name(trend.category),
            trend.check,
            trend.is_error,
            tuple(
                _cell(*cells.get(version, (0, 0.0)), most, label) for version, label in zip(shown, labels, strict=True)
            ),
        )
        for trend, cells in zip(rows, found, strict=True)
    ]
    return Heat(tuple(labels), tuple(made), len(versions) - len(shown)) if made and shown else None


def _cell(count: int, share: float, most: float, label: str) -> HeatCell:
    # The smallest share still has a shade of its own: one failure is not none.
    level = min(_LEVELS, 1 + int(share / most * (_LEVELS - 1) + 0.5)) if count else 0
    return HeatCell(count_text(count) if count else "·", level, f"{label}: {count_text(count)} ({percent_text(share)})")
