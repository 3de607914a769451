"""``goldassay demo``: one whole night on shipped sample logs, with a scripted judge over real HTTP, offline."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.project import Project, Where, open_project, shipped_template

_RUN_IDS = 2


def demo(
    *,
    keep: Annotated[
        Path | None, Parameter(help="Folder to work in and keep; default: a temporary one that is removed.")
    ] = None,
    verbose: Annotated[bool, Parameter(help="All reasons, changes and set-aside lines.", negative=())] = False,
) -> int:
    """Run two nights of a sample assistant and print the second night's report."""
    from goldassay.judging.scripted import ScriptedJudge

    with _workplace(keep) as folder, ScriptedJudge() as judge:
        _lay_out(folder, judge.base_url)
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
    _say(f"kept in {project.folder}: try goldassay history there")
    return code


@contextlib.contextmanager
def _workplace(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="goldassay-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


def _lay_out(folder: Path, base_url: str) -> None:
    examples = shipped_template() / "examples" / "data"
    shutil.copytree(examples, folder, dirs_exist_ok=True)
    settings = folder / "goldassay.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("http://127.0.0.1:8000/v1", base_url), encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(f"goldassay: {text}\n")
