"""What a reader must know of a log as a whole, before trusting the numbers of its checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from goldassay.analytics.models import CheckSummary, Notice, RateSummary
from goldassay.analytics.models_reports import VersionRate
from goldassay.verdicts import Category

__all__ = ["check_notices", "log_notices", "outage_notices"]

_ENOUGH = 10
"""Fewer answers say nothing of a habit."""
_HARDLY_EVER = 0.1
"""Refusals pass `cites` as well, and some logs hold many."""


def log_notices(notes: Iterable[str]) -> Iterator[Notice]:
    """What reading the log has noted, such as a mapped column that no row has."""
    return (Notice("log", "warning", note) for note in notes)


def check_notices(checks: Sequence[CheckSummary], *, sourceless: int = 0) -> Iterator[Notice]:
    """Notices that follow from the checks' own counts.

    Args:
        checks: All checks of a run, or of `goldassay check`.
        sourceless: Answers logged without a source, where nobody judged them.
    """
    yield from (_outage(check) for check in checks if check.rate.is_outage)
    by_name = {check.check: check for check in checks}
    if (cites := by_name.get("cites")) is not None and _never_cites(cites):
        yield Notice(
            "never_cites",
            "warning",
            "hardly an answer of this log cites a source. If your assistant is not meant to, say so: "
            'rules.cites.require = "none". If it cites by ids that the log keeps apart, map them: '
            "answers.mapping.source_ids",
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


def outage_notices(rates: Iterable[VersionRate]) -> Iterator[Notice]:
    """Versions whose rate tells of the judge's trouble more than of the assistant, check by check."""
    by_check: dict[str, list[VersionRate]] = {}
    for rate in rates:
        if rate.rate.is_outage:
            by_check.setdefault(rate.check, []).append(rate)
    for check, found in by_check.items():
        versions = ", ".join(f"{each.version or 'no version'} ({_share_lost(each.rate)})" for each in found)
        kind = found[0].kind
        text = (
            f"{check}: many answers could not be {_graded(kind)} under {versions}. Read its bounds there, not its rate"
        )
        yield Notice(f"{kind}_outage", "alarm", text)


def _outage(check: CheckSummary) -> Notice:
    rate = check.rate
    why = ", ".join(f"{row.category.replace('_', ' ')} {row.times:,}" for row in check.errors[:3])
    share = f"{rate.counts.errors:,} of {rate.counts.graded:,} answers"
    lost = f"{share} could not be {_graded(check.kind)} ({_share_lost(rate)}: {why})"
    low, high = rate.shown_bounds
    open_ = f"Its true rate lies anywhere between {low:.2f} and {high:.2f}; no change can be read from it"
    return Notice(f"{check.kind}_outage", "alarm", f"{check.check}: {lost}. {open_}")


def _graded(kind: str) -> str:
    return "judged" if kind == "judge" else "checked"


def _share_lost(rate: RateSummary) -> str:
    return f"{rate.counts.errors / rate.counts.graded:.0%}".replace("%", " %")


def _never_cites(cites: CheckSummary) -> bool:
    missing = _times(cites, (Category.MISSING_CITATION,))
    return missing >= _ENOUGH and cites.rate.counts.passed <= _HARDLY_EVER * missing


def _mostly_skipped(faithful: CheckSummary) -> bool:
    """Refusals are graded without sources: they claim nothing."""
    counts = faithful.rate.counts
    return counts.skipped > counts.graded


def _times(check: CheckSummary, categories: Sequence[Category]) -> int:
    return sum(row.times for row in check.failures if row.category in set(map(str, categories)))
