"""Events: what the assistant did, and what a golden run found, for automations to act on."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from prefect.client.orchestration import get_client

from goldassay.errors import RunError

__all__ = ["CHANGED", "aemit", "emit_model_changed", "resource_of"]

CHANGED = "goldassay.model.changed"


def resource_of(app: str) -> str:
    """'goldassay.app.atlas'."""
    return f"goldassay.app.{app}"


def emit_model_changed(app: str, versions: Mapping[str, str | None]) -> str:
    """Posts the event to the server and waits for its answer, so that a lost event is an error and not a silence.

    Args:
        app: The assistant.
        versions: app_version, model, prompt_version, index_version; None or '' where unchanged or unknown.

    Returns:
        The event's id.

    Raises:
        RunError: If the server did not take it.
    """
    event = _event(CHANGED, app, {name: value or "" for name, value in versions.items()})
    try:
        with get_client(sync_client=True) as client:
            response = client.request("POST", "/events", json=[event])
            response.raise_for_status()
    except Exception as error:
        raise RunError(
            f"the Prefect server did not take the event: {type(error).__name__}: {error}. "
            "Check PREFECT_API_URL, or run it here and now: goldassay golden --app-version ..."
        ) from error
    return str(event["id"])


async def aemit(name: str, app: str, payload: Mapping[str, Any]) -> None:
    """Posts an event from inside a flow.

    Raises:
        RunError: If the server did not take it.
    """
    try:
        async with get_client() as client:
            response = await client.request("POST", "/events", json=[_event(name, app, payload)])
            response.raise_for_status()
    except Exception as error:
        raise RunError(
            f"the Prefect server did not take the event {name!r}: {type(error).__name__}: {error}."
        ) from error


def _event(name: str, app: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": str(uuid.uuid4()),
        "event": name,
        "occurred": datetime.now(UTC).isoformat(),
        "resource": {"prefect.resource.id": resource_of(app), "prefect.resource.name": app},
        "payload": dict(payload),
    }
