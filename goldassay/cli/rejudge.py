"""``goldassay rejudge`` and ``compare --rejudge``: a run's stored answers, graded again by today's rules and judge."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.flows import run_flow
from goldassay.cli.project import Project, Where, open_project
from goldassay.errors import ConfigError

__all__ = ["newest_with", "rejudge", "rejudge_run"]

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


def rejudge_run(project: Project, base: str, by: str) -> str:
    """Judges a stored run again.

    Args:
        project: The project.
        base: A run, or a version label whose newest run is taken.
        by: What `base` names.

    Returns:
        Id of the new run of kind rejudge.
    """
    run = base if by == "run" else newest_with(project, base)
    totals = run_flow(project, "rejudge", {"run": run, "settings": list(project.overrides)})
    return str(totals["run_id"])


def newest_with(project: Project, version: str) -> str:
    """Id of the newest run with answers of a version.

    Raises:
        ConfigError: If there is none.
    """
    runs = project.existing_store().runs(project.settings.app)
    found = [r for r in runs if version in {*r.app_versions, r.model, r.prompt_version, r.index_version}]
    if not found:
        raise ConfigError(f"no stored run of version {version!r}; see goldassay history.")
    return found[-1].run_id
