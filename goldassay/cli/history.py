"""``goldassay history``: rates and failure reasons over versions and time."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project

_HERE = Where()
By = Literal["app_version", "model", "prompt_version", "index_version"]


def history(
    *,
    by: Annotated[By, Parameter(help="What tells the versions apart.")] = "app_version",
    check: Annotated[str | None, Parameter(help="Only this check.")] = None,
    since: Annotated[str | None, Parameter(help="First moment: 2026-11-01, 30d.")] = None,
    json: Annotated[bool, Parameter(help="Print everything as JSON.", negative=())] = False,
    verbose: Annotated[bool, Parameter(help="Every check and category.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Pass rates by version and day, the two ways to be wrong about answerability, and flaky questions."""
    from datetime import UTC, datetime

    from goldassay.analytics.history import history as build
    from goldassay.cli.output import print_json
    from goldassay.reporting.terminal import print_history
    from goldassay.reporting.theme import make_console
    from goldassay.stages.planning import parse_moment

    project = open_project(where)
    store = project.existing_store()
    start = parse_moment(since, now=datetime.now(UTC))
    report = build(store, by=by, check=check, since=start, app=project.settings.app)
    if json:
        print_json(report)
    else:
        print_history(report, make_console(), verbose=verbose)
    return 0
