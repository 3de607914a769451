"""What a reader must know of a log as a whole, before trusting the numbers of its checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from goldassay.analytics.models import CheckSummary, Notice
from goldassay.verdicts import Category

__all__ = ["check_notices", "log_notices"]

_ENOUGH = 10
"""Fewer answers say nothing of a habit."""
_HARDLY_EVER = 0.1
"""Refusals pass `cites` as well, and some logs hold many."""


def log_notices(notes: Iterable[str]) -> Iterator[Notice]:
    """What reading the log has noted, such as a mapped column that no row has."""
    return (Notice("log", "warning", note) for note in notes)


def check_notices(checks: Iterable[CheckSummary], *, sourceless: int = 0) -> Iterator[Notice]:
    """Notices that follow from the checks' own counts.

    Args:
        checks: All checks of a run, or of `goldassay check`.
        sourceless: Answers logged without a source, where nobody judged them.
    """
    by_name = {check.check: check for check in checks}
    if (cites := by_name.get("cites")) is not None and _never_cites(cites):
        yield Notice(
            "never_cites",
            "warning",
            "hardly an answer of this log cites a source. If your assistant is not meant to, say so: "
            'rules.cites.require = "none"',
        )
    if (faithful := by_name.get("faithful")) is not None and _mostly_skipped(faithful):
        sourceless = faithful.rate.counts.skipped
    if sourceless >= _ENOUGH:
        yield Notice(
            "no_sources",
            "warning",
            f"no sources are logged with {sourceless} answers, so they could not be graded against what the model saw. "
            "Name their column: answers.mapping.sources",
        )


def _never_cites(cites: CheckSummary) -> bool:
    missing = _times(cites, (Category.MISSING_CITATION,))
    return missing >= _ENOUGH and cites.rate.counts.passed <= _HARDLY_EVER * missing


def _mostly_skipped(faithful: CheckSummary) -> bool:
    """Refusals are graded without sources: they claim nothing."""
    counts = faithful.rate.counts
    return counts.skipped > counts.graded


def _times(check: CheckSummary, categories: Sequence[Category]) -> int:
    return sum(row.times for row in check.failures if row.category in set(map(str, categories)))
