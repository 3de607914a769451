"""Looks at the flows and tasks that a project owns: do they load with this library, and are they as new as it?

A library that was upgraded under a project breaks it at the next night, in the worker, and nowhere else. Called by
``goldassay doctor``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import goldassay
from goldassay import __version__
from goldassay.cli.template import compare, read_stamp
from goldassay.stages.examining import Finding

__all__ = ["look_at_own"]

_LIMIT_S = 120
_SHOWN = 4
_LOAD = """
import importlib, pathlib, sys
for place in (".", "flows"):
    sys.path.insert(0, place)
for path in sorted(pathlib.Path("flows").glob("*.py")):
    try:
        importlib.import_module(path.stem)
    except BaseException as error:
        print(f"{path.as_posix()}: {type(error).__name__}: {error}")
"""
"""As a worker loads them; in a process of its own, since a project's modules may have the names of ours."""


def look_at_own(folder: Path) -> Iterator[Finding]:
    """Findings about the template's files in a project; none where the shipped ones run."""
    yield from _loading(folder)
    yield from _age(folder)


def _loading(folder: Path) -> Iterator[Finding]:
    try:
        done = subprocess.run(
            [sys.executable, "-c", _LOAD], cwd=folder, env=_environment(),
            capture_output=True, text=True, timeout=_LIMIT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        yield Finding("warning", "flows", f"loading them takes longer than {_LIMIT_S} s. Is the machine busy?")
        return
    broken = done.stdout.strip().splitlines()
    if done.returncode != 0:
        broken.append((done.stderr.strip().splitlines() or ["they do not load"])[-1])
    for line in broken:
        yield Finding(
            "problem", "flows",
            f"{line}. Every run would crash: mend the file, or take the one of this version: goldassay init --update",
        )  # fmt: skip
    if not broken:
        yield Finding("ok", "flows", "this project's own flows and tasks load")


def _environment() -> dict[str, str]:
    """With this very library, wherever it was loaded from: another one may be installed beside it."""
    here = str(Path(goldassay.__file__).resolve().parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])}


def _age(folder: Path) -> Iterator[Finding]:
    stamp, states = read_stamp(folder), compare(folder)
    behind = [one.path for one in states if one.state in {"outdated", "missing", "conflict", "removed"}]
    if not behind:
        edited = sum(one.state == "edited" for one in states)
        yield Finding("ok", "template", f"as {__version__} ships it; {edited} files edited by you")
        return
    shown = ", ".join(behind[:_SHOWN]) + (", ..." if len(behind) > _SHOWN else "")
    yield Finding(
        "warning", "template",
        f"{len(behind)} files of this project (written by {stamp.version or 'an unknown version'}) are not those of "
        f"the installed {__version__}: {shown}. See what differs: goldassay init --update --dry-run",
    )  # fmt: skip
