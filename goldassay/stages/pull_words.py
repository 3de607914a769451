"""What a pull says of answers that it did not find, or found too late."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from goldassay.reporting.words import plural
from goldassay.stages.plan import RunPlan

if TYPE_CHECKING:
    from goldassay.stages.pull import PullReport

__all__ = ["nothing_new", "too_late"]


def too_late(plan: RunPlan, count: int) -> str:
    """Of answers that no night will take any more."""
    return (
        f"{count} answers from before {_moment(plan.window_start, '')} came into the log too late for any night "
        "(run.late_hours) and were never evaluated; goldassay backfill takes them"
    )


def nothing_new(plan: RunPlan, report: PullReport) -> str:
    """Why there is nothing to grade, and what to look at."""
    window = f"from {_moment(plan.window_start, 'the beginning')} to {_moment(plan.window_end, 'the end')}"
    apps = ", ".join(map(repr, report.other_apps))
    theirs = f"(app in goldassay.toml is {plan.app!r})"
    parts = [f"no answer of app {plan.app!r} to evaluate {window}"]
    missing = len(report.missing_questions)
    for count, words in (
        (report.known, f"{plural(report.known, 'was', 'were')} taken by an earlier run"),
        (report.outside, f"{plural(report.outside, 'lies', 'lie')} outside the window"),
        (report.foreign, f"{plural(report.foreign, 'belongs', 'belong')} to another app: {apps} {theirs}"),
        (report.rejected, f"{report.rejected} could not be read"),
        (missing, f"{plural(missing, 'golden question has', 'golden questions have')} no answer of this version"),
    ):
        if count:
            parts.append(words)
    return f"{'; '.join(parts)}. {_what_to_do(report)}"


def _what_to_do(report: PullReport) -> str:
    if report.known and not report.foreign:
        again = "to grade those again with today's rules and judge: goldassay rejudge"
        return f"New answers are taken as they come into the log; {again}."
    if report.other_versions:
        return f"The log answers them with {'; '.join(report.other_versions)}: check the version's name."
    return "Check answers.path, app and the window (--since)."


def _moment(moment: datetime | None, otherwise: str) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else otherwise
