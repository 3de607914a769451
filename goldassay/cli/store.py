"""``goldassay accept`` and ``goldassay compact``: look after the store."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

_HERE = Where()
_FEW_ERRORS = 0.01
"""Share of verdicts that may be errors in a baseline."""


def accept(
    run: Annotated[
        str, Parameter(help="Run id, or the beginning of one, or 'last', or 'latest:golden'.")
    ] = "latest:golden",
    /,
    *,
    with_errors: Annotated[
        bool, Parameter(help="Accept it although some answers could not be judged.", negative=())
    ] = False,
    where: Where = _HERE,
) -> int:
    """Make a run the baseline that golden runs are compared with."""
    project = open_project(where)
    store = project.existing_store()
    found = store.run(run, app=project.settings.app)
    if found.counts.errors > _FEW_ERRORS * found.counts.verdicts and not with_errors:
        raise ConfigError(
            f"{found.counts.errors} of the {found.counts.verdicts} verdicts of run {found.run_id!r} are errors: as a "
            "baseline it would hide what breaks there. Run it again, or accept it all the same: --with-errors"
        )
    manifest = store.accept(found.run_id)
    version = f" (version {manifest.app_version})" if manifest.app_version else ""
    sys.stdout.write(f"{manifest.run_id}{version} is now the baseline of {manifest.app}\n")
    return 0


def _upkeep(deleted: int, waiting: int) -> str:
    return f"{deleted} replaced ones deleted, {waiting} wait until no reader can be at them"


def compact(
    *,
    keep_months: Annotated[int | None, Parameter(help="Also remove runs older than so many months.")] = None,
    where: Where = _HERE,
) -> int:
    """Join many small files into few; safe beside readers and writers."""
    project = open_project(where)
    store = project.existing_store()
    done = store.compact()
    sys.stdout.write(f"{done.files_before} files became {done.files_after}; {_upkeep(done.deleted, done.waiting)}\n")
    if keep_months is not None:
        kept = store.retain(keep_months)
        sys.stdout.write(f"dropped {kept.runs_dropped} runs older than {keep_months} months\n")
        for run in kept.kept_for:
            sys.stdout.write(f"kept although older: {run}\n")
    return 0
