"""WHEN: every hour. Tells once that the assistant answers as another version; the golden run starts on that event."""

from __future__ import annotations

from prefect import flow

from tasks.naming import watch_name
from tasks.watch import look_for_change


@flow(name="goldassay-model-watch", flow_run_name=watch_name, persist_result=False)
async def model_watch(
    project: str = ".",
) -> dict[str, str | None]:
    """Looks at the newest answers (or the version endpoint) and emits goldassay.model.changed once for each change.

    Args:
        project: Folder of goldassay.toml.
    """
    return await look_for_change(project)
