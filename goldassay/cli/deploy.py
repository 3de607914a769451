"""``goldassay deploy``: the schedules, triggers and limits of deployments/prefect.yaml onto your Prefect server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from goldassay.cli.embedded import uses_own_server
from goldassay.cli.project import Project, Where, open_project
from goldassay.errors import ConfigError, RunError

_HERE = Where()
Pool = Literal["process", "docker", "kubernetes"]
_IN_IMAGE = "/opt/goldassay"
"""Where deployments/Dockerfile puts the project."""


def deploy(
    *,
    pool: Annotated[Pool, Parameter(help="Kind of work pool all deployments run on.")] = "process",
    dry_run: Annotated[bool, Parameter(help="Write the file for Prefect and stop.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Deploy the project; doing it again updates what is there."""
    project = open_project(where)
    _refuse_unowned(project)
    path, pool_name = _prefect_file(project, pool)
    sys.stdout.write(f"wrote {path.relative_to(project.folder)}\n")
    if dry_run:
        return 0
    if not uses_own_server(os.environ):
        raise ConfigError(
            "no Prefect server is set. Start one (prefect server start), then: "
            "PREFECT_API_URL=http://127.0.0.1:4200/api goldassay deploy"
        )
    _prefect(project, "work-pool", "create", pool_name, "--type", pool, "--overwrite")
    _prefect(project, "--no-prompt", "deploy", "--all", "--prefect-file", str(path))
    for line in _schedules(path):
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"deployed. Start a worker in this folder: prefect worker start --pool {pool_name}\n")
    return 0


def _refuse_unowned(project: Project) -> None:
    if not (project.folder / "deployments" / "prefect.yaml").is_file() or project.template != project.folder:
        raise ConfigError(
            f"{str(project.folder)!r} owns no flows and deployments, which a worker must find. "
            "Write them first: goldassay init"
        )


def _prefect_file(project: Project, pool: Pool) -> tuple[Path, str]:
    """deployments/prefect.yaml with every deployment on the chosen pool, as a file that Prefect reads."""
    import yaml

    source = project.folder / "deployments" / "prefect.yaml"
    try:
        content: dict[str, Any] = yaml.safe_load(source.read_text(encoding="utf-8"))
        chosen = content["definitions"]["pools"][pool]
        for deployment in content["deployments"]:
            deployment["work_pool"] = chosen
        name = str(chosen["name"])
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{str(source)!r} cannot be used: {error!r}. Compare it with the one goldassay init writes."
        ) from error
    folder = str(project.folder) if pool == "process" else _IN_IMAGE
    content["pull"] = [{"prefect.deployments.steps.set_working_directory": {"directory": folder}}]
    del content["definitions"]
    target = project.folder / ".goldassay" / f"prefect-{pool}.yaml"
    target.parent.mkdir(exist_ok=True)
    target.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return target, name


def _schedules(path: Path) -> Iterator[str]:
    """When each deployment will run, one line each."""
    import yaml

    for deployment in yaml.safe_load(path.read_text(encoding="utf-8"))["deployments"]:
        when = [
            f"{one['cron']} ({one.get('timezone', 'UTC')})" for one in deployment.get("schedules", ()) if "cron" in one
        ]
        when += [f"on {', '.join(one['expect'])}" for one in deployment.get("triggers", ()) if one.get("expect")]
        yield f"  {deployment['name']:<14}{'; '.join(when) or 'by hand'}"


def _prefect(project: Project, *words: str) -> None:
    """Prefect's own pages of output are shown only where something went wrong."""
    command = [sys.executable, "-m", "prefect", *words]
    done = subprocess.run(command, cwd=project.folder, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
        raise RunError(f"prefect {' '.join(words[:3])} ended with code {done.returncode}; its message stands above.")
