"""WHEN: every two hours, with a concurrency limit of its own. Raises when no run has completed for 26 hours."""

from __future__ import annotations

from prefect import flow

from tasks.naming import freshness_name
from tasks.watch import raise_when_stale


@flow(name="goldassay-freshness", flow_run_name=freshness_name, persist_result=False)
async def freshness(
    project: str = ".",
) -> str:
    """A night that silently never ran is worse than one that failed: this one fails loudly.

    Args:
        project: Folder of goldassay.toml.
    """
    return await raise_when_stale(project)
