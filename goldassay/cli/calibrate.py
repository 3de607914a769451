"""``goldassay calibrate``: the judge against people."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project

_HERE = Where()


def calibrate(
    *,
    check: Annotated[str | None, Parameter(help="Only this criterion or rule.")] = None,
    json: Annotated[bool, Parameter(help="Print everything as JSON.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """How far each judge agrees with people's labels, where it errs, and the pass rate people would have given."""
    from goldassay.analytics.calibration import calibration
    from goldassay.cli.output import print_json
    from goldassay.reporting.terminal.calibrate import print_calibration
    from goldassay.reporting.theme import make_console

    project = open_project(where)
    report = calibration(project.existing_store(), app=project.settings.app, check=check)
    if json:
        print_json(report)
    else:
        print_calibration(report, make_console())
    return 0
