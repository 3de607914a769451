"""What a reader must know of a log as a whole, before trusting the numbers of its checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from goldassay.analytics.models import CheckSummary, Notice
from goldassay.verdicts import Category

__all__ = ["check_notices"]

_ENOUGH = 10
"""Fewer answers say nothing of a habit."""
_HARDLY_EVER = 0.02


def check_notices(checks: Iterable[CheckSummary]) -> Iterator[Notice]:
    """Notices that follow from the checks' own counts.

    Args:
        checks: All checks of a run, or of `goldassay check`.
    """
    by_name = {check.check: check for check in checks}
    if (cites := by_name.get("cites")) is not None and _never_cites(cites):
        yield Notice(
            "never_cites",
            "warning",
            "hardly an answer of this log cites a source. If your assistant is not meant to, say so: "
            'rules.cites.require = "none"',
        )
    if (faithful := by_name.get("faithful")) is not None and _without_sources(faithful):
        yield Notice(
            "no_sources",
            "warning",
            "no sources are logged with these answers, so nothing could be graded against what the model saw: "
            "docs/answers.md",
        )


def _never_cites(cites: CheckSummary) -> bool:
    missing = _times(cites, (Category.MISSING_CITATION,))
    return missing >= _ENOUGH and cites.rate.counts.passed <= _HARDLY_EVER * missing


def _without_sources(faithful: CheckSummary) -> bool:
    counts = faithful.rate.counts
    return counts.graded == 0 and counts.skipped >= _ENOUGH


def _times(check: CheckSummary, categories: Sequence[Category]) -> int:
    return sum(row.times for row in check.failures if row.category in set(map(str, categories)))
