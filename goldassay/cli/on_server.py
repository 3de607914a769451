"""What `goldassay deploy` asks of the Prefect server and changes there, beside Prefect's own `deploy`.

What an operator has set by hand stays: the limits, description and job template of a work pool, and automations that
were switched off. (Schedules that were paused stay so by their slugs, which Prefect keeps apart.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from goldassay.cli.filling import Pool
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient

__all__ = ["block_id", "ensure_pool", "left_over", "place_automations", "switched_off"]

_KEYS_SECRET = "goldassay-keys"  # noqa: S105 - the name of a Kubernetes secret


async def ensure_pool(client: PrefectClient, name: str, kind: Pool) -> bool:
    """Makes the work pool where it is missing; one that is there is left as its operator set it.

    Returns:
        True when it was made.

    Raises:
        ConfigError: If a pool of that name is of another kind.
    """
    from prefect.client.schemas.actions import WorkPoolCreate
    from prefect.exceptions import ObjectNotFound
    from prefect.workers.utilities import get_default_base_job_template_for_infrastructure_type

    try:
        found = await client.read_work_pool(name)
    except ObjectNotFound:
        template = await get_default_base_job_template_for_infrastructure_type(kind)
        if template is None:
            raise ConfigError(
                f"this machine knows no work pools of type {kind!r}. Install prefect-{kind} beside goldassay, or make "
                f"the pool on the server's page under the name {name!r}, and deploy again."
            ) from None
        await client.create_work_pool(
            WorkPoolCreate(
                name=name, type=kind, base_job_template=with_keys(template) if kind != "process" else template
            )
        )
        return True
    if found.type != kind:
        raise ConfigError(
            f"the work pool {name!r} is of type {found.type!r}, not {kind!r}. "
            "Give it another name in deployments/prefect.yaml (definitions.pools)."
        )
    return False


def with_keys(template: dict[str, Any]) -> dict[str, Any]:
    """The job template of a Kubernetes pool whose jobs get the secret with the keys; any other stays as it is.

    The worker's own environment does not reach the jobs it starts.
    """
    manifest = template.get("job_configuration", {}).get("job_manifest")
    if isinstance(manifest, dict):
        for container in manifest.get("spec", {}).get("template", {}).get("spec", {}).get("containers", ()):
            sources = container.setdefault("envFrom", [])
            sources.append({"secretRef": {"name": _KEYS_SECRET, "optional": True}})
    return template


async def block_id(client: PrefectClient, name: str) -> str:
    """Id of a notification block.

    Args:
        client: Of the server.
        name: 'slack-webhook/ops': its type and its name.

    Raises:
        ConfigError: If the server holds no such block.
    """
    from prefect.exceptions import ObjectNotFound

    kind, _, own = name.partition("/")
    try:
        block = await client.read_block_document_by_name(own, kind, include_secrets=False)
    except ObjectNotFound:
        raise ConfigError(
            f"alerts.notify names the block {name!r}, which the server does not hold. Make it on the server's page "
            "(Blocks), or correct the name: prefect block ls"
        ) from None
    return str(block.id)


async def place_automations(client: PrefectClient, wanted: Sequence[Mapping[str, Any]]) -> None:
    """Makes each automation, or brings the one of its name up to date; what was switched off stays off.

    Raises:
        ConfigError: If Prefect refuses one.
    """
    from prefect.events.schemas.automations import AutomationCore
    from pydantic import ValidationError

    for content in wanted:
        try:
            automation = AutomationCore.model_validate(content)
        except ValidationError as error:
            raise ConfigError(
                f"deployments/automations.yaml: Prefect refuses {content.get('name')!r}: {error.errors()[0]['msg']}. "
                "Compare it with the one goldassay init writes."
            ) from error
        there = await client.read_automations_by_name(automation.name)
        if not there:
            await client.create_automation(automation)
            continue
        automation.enabled = there[0].enabled
        await client.update_automation(there[0].id, automation)
        for double in there[1:]:
            await client.delete_automation(double.id)


async def switched_off(client: PrefectClient, names: Sequence[str]) -> set[str]:
    """Those of the automations that the server holds and somebody has switched off there."""
    return {
        name
        for name in names
        if any(not automation.enabled for automation in await client.read_automations_by_name(name))
    }


async def left_over(client: PrefectClient, app: str, names: Collection[str]) -> list[str]:
    """Automations of an app that the server holds and no file names any more: they still act.

    Args:
        client: Of the server.
        app: As in the names of its automations: 'goldassay atlas: ...'.
        names: Those that the files name.
    """
    found = [automation.name for automation in await client.read_automations()]
    return sorted(name for name in found if name.startswith(f"goldassay {app}: ") and name not in names)
