"""``goldassay doctor``: is everything there that a night needs? Keys are looked for, never printed."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project, shipped_template

_HERE = Where()
_SIGNS: dict[Literal["ok", "warning", "problem"], str] = {
    "ok": "ok      ",
    "warning": "warning ",
    "problem": "PROBLEM ",
}


def doctor(
    *,
    offline: Annotated[bool, Parameter(help="Ask no server; look at files and settings only.", negative=())] = False,
    json: Annotated[bool, Parameter(help="Print the findings as JSON.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Check settings, answers, golden set, rubric, judge, store and Prefect; exit code 1 when something is wrong."""
    import os
    import sys

    from goldassay.cli.embedded import server_url
    from goldassay.cli.output import print_json
    from goldassay.cli.owned import look_at_own
    from goldassay.stages.examining import examine

    project = open_project(where)
    findings = examine(
        project.settings, project.folder, project.open_store(),
        environ=os.environ, prefect_url=server_url(os.environ), offline=offline,
    )  # fmt: skip
    if project.template == project.folder and project.folder != shipped_template():
        findings += look_at_own(project.folder)
    if json:
        print_json(findings)
    else:
        for finding in findings:
            sys.stdout.write(f"{_SIGNS[finding.level]} {finding.about}: {finding.text}\n")
    return 1 if any(finding.level == "problem" for finding in findings) else 0
