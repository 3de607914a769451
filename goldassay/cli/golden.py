"""``goldassay golden``: the full golden set of one version, compared with the baseline."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.flows import run_flow
from goldassay.cli.project import Project, Where, open_project

_HERE = Where()


def golden(
    *,
    app_version: Annotated[str | None, Parameter(help="Version whose answers are graded.")] = None,
    model: Annotated[str | None, Parameter(help="Answering model whose answers are graded.")] = None,
    prompt_version: Annotated[str | None, Parameter(help="Prompt whose answers are graded.")] = None,
    index_version: Annotated[str | None, Parameter(help="Index whose answers are graded.")] = None,
    again: Annotated[bool, Parameter(help="Grade it although the same change was just graded.", negative=())] = False,
    estimate: Annotated[
        bool, Parameter(help="Say what would be asked of the judge and what it would cost, and stop.", negative=())
    ] = False,
    resume: Annotated[str | None, Parameter(help="Id of an unfinished run to go on with.")] = None,
    json: Annotated[bool, Parameter(help="Print the totals as JSON.", negative=())] = False,
    verbose: Annotated[bool, Parameter(help="All reasons, changes and set-aside lines.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Grade the whole golden set and compare it with the baseline; exit code 1 when the gate does not open."""
    from goldassay.cli.run import print_run
    from goldassay.errors import GateError

    project = open_project(where)
    version = {
        "app_version": app_version,
        "model": model,
        "prompt_version": prompt_version,
        "index_version": index_version,
    }
    if estimate:
        return _estimate(project, version, again=again, resume=resume)
    asked = {**version, "again": again, "resume": resume, "settings": list(project.overrides)}
    stopped: GateError | None = None
    try:
        totals = run_flow(project, "golden", asked)
    except GateError as error:
        stopped, totals = error, {"run_id": error.run_id, "sentence": str(error)}
    print_run(project, totals, json=json, verbose=verbose)
    sys.stdout.write(f"\n{stopped or totals.get('sentence', '')}\n" if not json else "")
    return 1 if stopped else 0


def _estimate(project: Project, version: dict[str, str | None], *, again: bool, resume: str | None) -> int:
    from goldassay.cli.estimating import place_of, settings_digest
    from goldassay.stages.estimating import estimate_golden
    from goldassay.stages.plan import golden_intent, golden_versions

    versions = golden_versions(**version)
    intent = golden_intent(versions, settings=settings_digest(project))
    told = estimate_golden(place_of(project, resume), versions=versions, intent=intent, again=again, resume=resume)
    sys.stdout.write(told + "\n")
    return 0
