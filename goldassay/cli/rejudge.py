"""``goldassay rejudge``: a run's stored answers, graded again by today's rules and judge."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.flows import run_flow
from goldassay.cli.project import Where, open_project

__all__ = ["rejudge"]

_HERE = Where()


def rejudge(
    run: Annotated[str, Parameter(help="Run id, or the beginning of one, or 'last'.")] = "last",
    /,
    *,
    json: Annotated[bool, Parameter(help="Print the totals as JSON.", negative=())] = False,
    verbose: Annotated[bool, Parameter(help="All reasons, changes and set-aside lines.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Grade the answers of a stored run again, with today's rules, rubric and judge; the old run stays."""
    from goldassay.cli.run import print_run

    project = open_project(where)
    found = project.existing_store().run(run, app=project.settings.app)
    totals = run_flow(project, "rejudge", {"run": found.run_id, "settings": list(project.overrides)})
    return print_run(project, totals, json=json, verbose=verbose)
