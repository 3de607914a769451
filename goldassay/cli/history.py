"""``goldassay history``: rates and failure reasons over versions and time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.analytics.models_reports import HistoryReport

_HERE = Where()
By = Literal["app_version", "model", "prompt_version", "index_version"]


def history(
    *,
    by: Annotated[By, Parameter(help="What tells the versions apart.")] = "app_version",
    check: Annotated[str | None, Parameter(help="Only this check.")] = None,
    since: Annotated[
        str | None, Parameter(help="First moment: 2026-11-01 (midnight in the schedules' zone, else UTC), 30d.")
    ] = None,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="File ending in .html or .md; default: the terminal."),
    ] = None,
    json: Annotated[bool, Parameter(help="Print everything as JSON.", negative=())] = False,
    verbose: Annotated[bool, Parameter(help="Every check and category.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Pass rates by version and day, the two ways to be wrong about answerability, and flaky questions."""
    from datetime import UTC, datetime

    from goldassay.analytics.history import history as build
    from goldassay.cli.output import print_json, writing
    from goldassay.reporting.terminal import print_history
    from goldassay.reporting.theme import make_console
    from goldassay.stages.planning import parse_moment
    from goldassay.stages.zones import zone_of

    if output is not None and output.suffix not in {".html", ".md"}:
        raise ConfigError(f"no history ends in {output.suffix!r}; known endings are .html, .md.")
    project = open_project(where)
    store = project.existing_store()
    start = parse_moment(since, now=datetime.now(UTC), zone=zone_of(project.folder))
    report = build(store, by=by, check=check, since=start, app=project.settings.app)
    if output is not None:
        with writing(output) as file:
            file.write(_page(report, output.suffix))
    elif json:
        print_json(report)
    else:
        print_history(report, make_console(), verbose=verbose)
    return 0


def _page(report: HistoryReport, suffix: str) -> str:
    from goldassay.reporting.history_markdown import history_markdown
    from goldassay.reporting.html.history import history_html

    return history_html(report) if suffix == ".html" else history_markdown(report)
