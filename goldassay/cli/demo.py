"""``goldassay demo``: one whole night on shipped sample logs, with a scripted judge over real HTTP, offline."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from shlex import quote
from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.project import Project, Where, open_project, shipped_template
from goldassay.errors import ConfigError

_MARK = ".goldassay-demo"
"""A folder with this file was made by the demo and may be removed by the next one."""


def demo(
    *,
    keep: Annotated[
        Path | None, Parameter(help="Folder to work in, begun anew each time; default: a new temporary one.")
    ] = None,
    verbose: Annotated[bool, Parameter(help="All reasons, changes and set-aside lines.", negative=())] = False,
) -> int:
    """Run two nights of a sample assistant and print the second night's report."""
    folder = _workplace(keep)
    _lay_out(folder)
    project = open_project(Where(project=folder))
    _say("sample logs of two nights; a scripted judge answers on this machine, nothing leaves it")
    return _two_nights(project, verbose=verbose)


def _two_nights(project: Project, *, verbose: bool) -> int:
    from goldassay.cli.flows import run_flow
    from goldassay.cli.run import print_run

    _say("first night: version 2026.10.1")
    run_flow(project, "nightly", {"until": "2026-11-28", "settings": []})
    _say("second night: version 2026.11.0, another model")
    totals = run_flow(project, "nightly", {"since": "2026-11-28", "until": "2026-11-29", "settings": []})
    sys.stdout.write("\n")
    code = print_run(project, totals, json=False, verbose=verbose)
    _say_what_next(project.folder)
    return code


def _say_what_next(folder: Path) -> None:
    """The folder is a project like any other: its judge starts itself, so that nothing has to be set up first."""
    _say(f"kept in {folder}; the commands above work there: cd {quote(str(folder))} && {_own_name()} history")
    _say(f"more to try, the gate of a model change among it: {folder / 'README.md'}")


def _workplace(keep: Path | None) -> Path:
    """An empty folder that stays, because the report names commands to run there."""
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="goldassay-demo-")).resolve()
    if keep.is_dir() and (keep / _MARK).is_file():
        shutil.rmtree(keep)
    if keep.exists() and not (keep.is_dir() and not any(keep.iterdir())):
        raise ConfigError(f"{str(keep)!r} is there and holds no earlier demo. Name a new or an empty folder.")
    keep.mkdir(parents=True, exist_ok=True)
    return keep.resolve()


def _own_name() -> str:
    """How this very command is called from another folder."""
    return "goldassay" if shutil.which("goldassay") else f"{quote(sys.executable)} -m goldassay"


def _lay_out(folder: Path) -> None:
    shutil.copytree(shipped_template() / "examples" / "data", folder, dirs_exist_ok=True)
    (folder / _MARK).write_text("This folder is removed by the next goldassay demo.\n", encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(f"goldassay: {text}\n")
