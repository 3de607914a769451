"""``goldassay compare --rejudge``: the stored answers of both sides, judged by today's judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from goldassay.cli.flows import run_flow
from goldassay.cli.project import Project

if TYPE_CHECKING:
    from goldassay.analytics.compare import CompareBy
    from goldassay.analytics.models_reports import CompareReport

__all__ = ["Build", "compare_rejudged"]

Build = Callable[[str, str, str | None, str | None], "CompareReport"]
"""Compares base and head; of versions, the third and fourth name the runs whose answers count."""


def compare_rejudged(project: Project, base: str, head: str, by: CompareBy, build: Build) -> CompareReport:
    """Compares two sides of which the base, and where it needs it the head, was judged again.

    A side that today's judge graded already costs nothing: its verdicts are taken from the store.

    Args:
        project: The project.
        base: A run or a version label, whose newest run is taken.
        head: The same.
        by: What they name.
        build: Makes the comparison.
    """
    build(base, head, None, None)  # a mistyped side is told before anything is paid for
    base_run = _rejudge(project, base, by)
    report = _compare(base, head, by, build, base_run, None)
    if report.rejudge_command is None:
        return report
    return _compare(base, head, by, build, base_run, _rejudge(project, head, by))


def _compare(base: str, head: str, by: CompareBy, build: Build, base_run: str, head_run: str | None) -> CompareReport:
    if by == "run":
        return build(base_run, head_run or head, None, None)
    return build(base, head, base_run, head_run)


def _rejudge(project: Project, side: str, by: CompareBy) -> str:
    from goldassay.analytics.labels import newest_run_with

    run = side
    if by != "run":
        run = newest_run_with(project.existing_store(), by, side, app=project.settings.app)
    totals = run_flow(project, "rejudge", {"run": run, "settings": list(project.overrides)})
    return str(totals["run_id"])
