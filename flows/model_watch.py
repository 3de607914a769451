"""WHEN: every hour. Tells once that the assistant answers as another version; the golden run starts on that event."""

from __future__ import annotations

from typing import Annotated

from prefect import flow
from pydantic import Field

from tasks.naming import watch_name
from tasks.watch import look_for_change


@flow(name="goldassay-model-watch", flow_run_name=watch_name, persist_result=False)
async def model_watch(
    project: Annotated[str, Field(description="Folder of goldassay.toml.")] = ".",
) -> dict[str, str | None]:
    """Looks at the newest answers (or the version endpoint) and emits goldassay.model.changed once for each change."""
    return await look_for_change(project)
