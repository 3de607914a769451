"""WHEN: every two hours, outside every concurrency limit. Raises when no run has completed for 26 hours."""

from __future__ import annotations

from typing import Annotated

from prefect import flow
from pydantic import Field

from tasks.watch import raise_when_stale


@flow(name="goldassay-freshness", persist_result=False)
async def freshness(
    project: Annotated[str, Field(description="Folder of goldassay.toml.")] = ".",
) -> str:
    """A night that silently never ran is worse than one that failed: this one fails loudly."""
    return await raise_when_stale(project)
