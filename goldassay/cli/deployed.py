"""The deployments of a project as the Prefect server has them: whose they are, and when they will run.

What is told after `goldassay deploy` is read here and not from the file: a schedule that was paused on the server stays
paused, and one that was taken out of the file stays on the server. Called by `deploy.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from goldassay.cli.filling import IN_IMAGE
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient

__all__ = ["Deployed", "deployment_lines", "read_deployments", "refuse_foreign"]

_MOST = 200


class Deployed(NamedTuple):
    """A deployment that the server holds."""

    id: str
    folder: str | None
    """Where its runs find the project; None when it has no such step."""
    schedules: tuple[str, ...] = ()
    """When it runs, e.g. '30 2 * * * (UTC)' or '30 2 * * * (UTC), paused'."""
    is_paused: bool = False
    """Whether the whole deployment was paused, by the switch on its page."""


async def read_deployments(client: PrefectClient, names: Sequence[str]) -> dict[str, Deployed]:
    """Deployments that the server holds, by their own name: those named, and all that bear goldassay's tag."""
    from prefect.client.schemas.filters import (
        DeploymentFilter,
        DeploymentFilterName,
        DeploymentFilterTags,
        Operator,
    )

    wanted = DeploymentFilter(
        operator=Operator.or_,
        name=DeploymentFilterName(any_=list(names)),
        tags=DeploymentFilterTags(all_=["goldassay"]),
    )
    found: dict[str, Deployed] = {}
    while page := await client.read_deployments(deployment_filter=wanted, limit=_MOST, offset=len(found)):
        found |= {one.name: _deployed(one) for one in page}
        if len(page) < _MOST:
            break
    return found


def _deployed(one: Any) -> Deployed:
    return Deployed(str(one.id), _folder_of(one.pull_steps), _schedules_of(one), bool(one.paused))


def _folder_of(steps: Sequence[Mapping[str, Any]] | None) -> str | None:
    for step in steps or ():
        found = step.get("prefect.deployments.steps.set_working_directory")
        if isinstance(found, Mapping):
            return str(found.get("directory"))
    return None


def _schedules_of(deployment: Any) -> tuple[str, ...]:
    return tuple(
        _when(one.schedule) + ("" if one.active and not deployment.paused else ", paused")
        for one in deployment.schedules
    )


def _when(schedule: Any) -> str:
    what = getattr(schedule, "cron", None) or getattr(schedule, "rrule", None) or f"every {schedule.interval}"
    return f"{what} ({schedule.timezone or 'UTC'})"


def refuse_foreign(found: Mapping[str, Deployed], names: Sequence[str], folder: str) -> None:
    """Refuses to take over the deployments of another project.

    Args:
        found: What the server holds.
        names: Deployments of this project.
        folder: Where this project's runs find it.

    Raises:
        ConfigError: If one of them runs in another folder. Those in an image all run in the same one: there, only the
            app's name tells projects apart.
    """
    for name in sorted(set(names) & set(found)):
        other = found[name].folder
        if other is not None and other != folder and IN_IMAGE not in {other, folder}:
            raise ConfigError(
                f"the deployment {name!r} on this server belongs to the project in {other!r}. Give this project "
                "another `app` in goldassay.toml; or, if it has moved, take it over: goldassay deploy --take-over"
            )


def deployment_lines(content: Mapping[str, Any], found: Mapping[str, Deployed], folder: str) -> Iterator[str]:
    """When each deployment will run, one line each; and what runs in this folder without standing in the file.

    Args:
        content: The file as Prefect got it.
        found: What the server holds now.
        folder: Where this project's runs find it.
    """
    names = {deployment["name"] for deployment in content["deployments"]}
    for deployment in content["deployments"]:
        schedules = found[deployment["name"]].schedules
        when = [*schedules, *_triggers(deployment)]
        yield f"  {deployment['name']:<24}{'; '.join(when) or 'by hand'}"
        if len(schedules) > len(deployment.get("schedules") or ()):
            yield "    the file has fewer schedules; remove those that are too many on the deployment's page"
    others = [name for name, one in sorted(found.items()) if name not in names and one.folder == folder != IN_IMAGE]
    if others:
        yield (
            f"  not in the file, but running in this folder too (was `app` renamed?): {', '.join(others)}. "
            "Remove them on the server's page: else two nights take the same answers"
        )


def _triggers(deployment: Mapping[str, Any]) -> Iterator[str]:
    for one in deployment.get("triggers") or ():
        if one.get("expect"):
            yield f"on {', '.join(one['expect'])}{'' if one.get('enabled', True) else ', switched off'}"
