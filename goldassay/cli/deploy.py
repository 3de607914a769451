"""``goldassay deploy``: the schedules, triggers, limits and automations of deployments/ onto your Prefect server."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from goldassay.cli import on_server
from goldassay.cli.deployed import Deployed, deployment_lines, read_deployments, refuse_foreign
from goldassay.cli.embedded import uses_own_server
from goldassay.cli.filling import IN_IMAGE, Pool, app_name, fill, prefect_file, read_yaml, unfilled
from goldassay.cli.project import Project, Where, open_project
from goldassay.errors import ConfigError, GoldassayError, RunError

_HERE = Where()


def deploy(
    *,
    pool: Annotated[Pool, Parameter(help="Kind of work pool all deployments run on.")] = "process",
    take_over: Annotated[
        bool, Parameter(help="Take over deployments of this app that run in another folder.", negative=())
    ] = False,
    dry_run: Annotated[bool, Parameter(help="Write the file for Prefect and stop.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Deploy the project; doing it again updates what is there."""
    project = open_project(where)
    _refuse_unowned(project)
    values = _values(project)
    folder = str(project.folder) if pool == "process" else IN_IMAGE
    content = prefect_file(project.folder / "deployments" / "prefect.yaml", pool, values, folder=folder)
    if dry_run:
        _written(project, pool, content)
        return 0
    if not uses_own_server(os.environ):
        raise ConfigError(
            "no Prefect server is set. Start one (prefect server start), then: "
            "PREFECT_API_URL=http://127.0.0.1:4200/api goldassay deploy"
        )
    block = _on_server(_prepare(project, content, pool, folder, take_over=take_over))
    path = _written(project, pool, content)
    _prefect(project, "--no-prompt", "deploy", "--all", "--prefect-file", str(path))
    told = _on_server(_automate(project, content, values, block, folder))
    sys.stdout.write("".join(f"{line}\n" for line in told))
    name = content["deployments"][0]["work_pool"]["name"]
    sys.stdout.write(f"deployed. Start a worker in this folder: prefect worker start --pool {name}\n")
    return 0


def _refuse_unowned(project: Project) -> None:
    if not (project.folder / "deployments" / "prefect.yaml").is_file() or project.template != project.folder:
        raise ConfigError(
            f"{str(project.folder)!r} owns no flows and deployments, which a worker must find. "
            "Write them first: goldassay init"
        )


def _values(project: Project) -> dict[str, str | list[str]]:
    app = project.settings.app
    resource = project.module("tasks.events").resource_of(app)
    return {"app": app_name(app), "resource": resource, "project": str(project.folder)}


def _written(project: Project, pool: Pool, content: dict[str, Any]) -> Path:
    import yaml

    target = project.folder / ".goldassay" / f"prefect-{pool}.yaml"
    target.parent.mkdir(exist_ok=True)
    target.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    sys.stdout.write(f"wrote {target.relative_to(project.folder)}\n")
    return target


async def _prepare(
    project: Project, content: dict[str, Any], pool: Pool, folder: str, *, take_over: bool
) -> str | None:
    """All that may be refused, before anything is changed; returns the id of the notification block.

    What was paused or switched off on the server is put into the file so: Prefect's deploy would switch it on again.
    """
    from prefect.client.orchestration import get_client

    async with get_client() as client:
        block = project.settings.alerts.notify
        found_block = await on_server.block_id(client, block) if block else None
        names = [one["name"] for one in content["deployments"]]
        found = await read_deployments(client, names)
        if not take_over:
            refuse_foreign(found, names, folder)
        await on_server.ensure_pool(client, content["deployments"][0]["work_pool"]["name"], pool)
        triggers = [one for one in _triggers(content) if one.get("name")]
        off = await on_server.switched_off(client, [one["name"] for one in triggers])
    for deployment in content["deployments"]:
        if deployment["name"] in found and found[deployment["name"]].is_paused:
            deployment["paused"] = True
    for trigger in triggers:
        trigger["enabled"] = trigger.get("enabled", True) and trigger["name"] not in off
    return found_block


async def _automate(
    project: Project, content: dict[str, Any], values: dict[str, str | list[str]], block: str | None, folder: str
) -> list[str]:
    """Places the automations; returns what to say of them and of the deployments."""
    from prefect.client.orchestration import get_client

    path = project.folder / "deployments" / "automations.yaml"
    async with get_client() as client:
        found = await read_deployments(client, [one["name"] for one in content["deployments"]])
        lines = list(deployment_lines(content, found, folder))
        if not path.is_file():
            return [*lines, "  no deployments/automations.yaml: nobody goes on after a crash, and nobody is told"]
        known = {**values, **_deployment_values(content, found, str(values["app"]))}
        if block is not None:
            known["block"] = block
        filled = fill(read_yaml(path).get("automations") or [], known)
        missing = {name for one in filled for name in unfilled(one)} - {"block"}
        if missing:
            raise ConfigError(
                f"deployments/automations.yaml asks for unknown names: {', '.join(sorted(missing))}; "
                f"known are {', '.join(sorted({*known, 'block'}))}. Correct what stands in ${{...}} there."
            )
        await on_server.place_automations(client, [one for one in filled if not unfilled(one)])
        named = {str(one.get("name")) for one in [*filled, *_triggers(content)]}
        stale = await on_server.left_over(client, str(values["app"]), named)
    return [*lines, *_told(filled), *(f"  not in the file, but still on the server: {name!r}" for name in stale)]


def _triggers(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [one for each in content["deployments"] for one in each.get("triggers") or ()]


def _deployment_values(content: dict[str, Any], found: Mapping[str, Deployed], app: str) -> dict[str, str | list[str]]:
    mine = {one["name"]: found[one["name"]].id for one in content["deployments"]}
    ids = {name.removeprefix(f"{app}-").replace("-", "_"): each for name, each in mine.items()}
    return {**ids, "deployments": [f"prefect.deployment.{each}" for each in mine.values()]}


def _told(filled: list[dict[str, Any]]) -> list[str]:
    left_out = [one for one in filled if unfilled(one)]
    lines = [f"  {len(filled) - len(left_out)} automations (deployments/automations.yaml)"]
    if left_out:
        lines.append(
            f"  {len(left_out)} more would tell somebody when a run fails or none has run, but nobody is named: make a "
            'notification block in Prefect and set alerts.notify = "slack-webhook/NAME"'
        )
    return lines


def _on_server(work: Any) -> Any:
    """Runs something that speaks to the server; a server that is not there is one message.

    Raises:
        RunError: If the server cannot be reached, or refuses.
    """
    import logging

    logging.getLogger("prefect").setLevel(logging.ERROR)
    try:
        return asyncio.run(work)
    except GoldassayError:
        raise
    except Exception as error:
        raise RunError(
            f"the Prefect server does not do as asked: {type(error).__name__}: {error}. "
            "Is PREFECT_API_URL right, and does the server run? goldassay doctor looks."
        ) from error


def _prefect(project: Project, *words: str) -> None:
    """Prefect's own pages of output are shown only where something went wrong."""
    command = [sys.executable, "-m", "prefect", *words]
    done = subprocess.run(command, cwd=project.folder, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
        raise RunError(f"prefect {' '.join(words[:3])} ended with code {done.returncode}; its message stands above.")
