"""``goldassay run`` and ``goldassay backfill``: the nightly flow, now."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from cyclopts import Parameter

from goldassay.cli.flows import run_flow
from goldassay.cli.project import Project, Where, open_project

_HERE = Where()


def run(
    *,
    since: Annotated[
        str | None,
        Parameter(
            help="First moment of the log: 24h, 7d, or 2026-11-28, which begins at midnight in the zone of the "
            "schedules (deployments/prefect.yaml), else UTC. Default: where the last night ended."
        ),
    ] = None,
    until: Annotated[str | None, Parameter(help="First moment not to take, likewise. Default: now.")] = None,
    sample: Annotated[str | None, Parameter(help="Answers for the judge: a number, 'full' or 'auto'.")] = None,
    full: Annotated[bool, Parameter(help="Judge every answer.", negative=())] = False,
    fresh: Annotated[
        bool, Parameter(help="Ask the judge anew, also what the store already holds.", negative=())
    ] = False,
    estimate: Annotated[
        bool, Parameter(help="Say what would be asked of the judge and what it would cost, and stop.", negative=())
    ] = False,
    resume: Annotated[str | None, Parameter(help="Id of an unfinished run to go on with.")] = None,
    task_runner: Annotated[
        str, Parameter(help="'local', or 'dask' (with --dask-address, or two local workers).")
    ] = "local",
    dask_address: Annotated[str | None, Parameter(help="Address of a Dask scheduler.")] = None,
    json: Annotated[bool, Parameter(help="Print the totals as JSON.", negative=())] = False,
    verbose: Annotated[bool, Parameter(help="All reasons, changes and set-aside lines.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Evaluate the answers logged since the last night: rules on all, the judge on a sample."""
    project = open_project(where)
    settings = [*project.overrides, *(["judge.reuse=false"] if fresh else [])]
    sample = "full" if full else sample
    if estimate:
        drawn = [f"sampling.nightly={sample}"] if sample is not None else []
        return _estimate(Where(project.folder, [*settings, *drawn]), since, until, resume)
    asked = {"since": since, "until": until, "sample": sample, "settings": settings}
    totals = run_flow(
        project, "nightly", {**asked, "resume": resume}, task_runner=task_runner, dask_address=dask_address
    )
    return print_run(project, totals, json=json, verbose=verbose)


def backfill(
    since: Annotated[
        str,
        Parameter(
            help="First day, e.g. 2026-11-01, in the zone of the schedules (deployments/prefect.yaml), else UTC."
        ),
    ],
    until: Annotated[str, Parameter(help="First day not to take.")],
    *,
    sample: Annotated[str | None, Parameter(help="Answers for the judge: a number, 'full' or 'auto'.")] = None,
    json: Annotated[bool, Parameter(help="Print the totals as JSON.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Evaluate a range of past days; answers that a run has already taken are left out."""
    project = open_project(where)
    asked = {"since": since, "until": until, "sample": sample, "settings": list(project.overrides)}
    return print_run(project, run_flow(project, "backfill", asked), json=json, verbose=False)


def print_run(project: Project, totals: dict[str, Any], *, json: bool, verbose: bool) -> int:
    """The report of a finished run, or its totals as JSON."""
    from goldassay.cli.output import print_json

    if json:
        print_json(totals)
        return 0
    if totals.get("quiet"):
        sys.stdout.write(f"{totals['sentence']}\n")
        return 0
    from goldassay.analytics.summary import run_summary
    from goldassay.reporting.terminal import print_summary
    from goldassay.reporting.theme import make_console

    store, settings = project.open_store(), project.settings
    gate = settings.gate if store.run(totals["run_id"]).run_kind == "golden" else None
    summary = run_summary(store, totals["run_id"], compare_to=settings.run.compare_to, gate=gate)
    print_summary(summary, make_console(), verbose=verbose)
    return 0


def _estimate(where: Where, since: str | None, until: str | None, resume: str | None) -> int:
    from goldassay.cli.estimating import place_of, settings_digest
    from goldassay.stages.estimating import estimate_night
    from goldassay.stages.plan import night_intent

    project = open_project(where)
    intent = night_intent(since=since, until=until, settings=settings_digest(project))
    place = place_of(project, resume)
    sys.stdout.write(estimate_night(place, since=since, until=until, intent=intent, resume=resume) + "\n")
    return 0
