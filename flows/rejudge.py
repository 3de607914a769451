"""WHEN: two runs were graded by different judges. A stored run's answers, judged again by today's judge."""

from __future__ import annotations

from typing import Any

from prefect import flow

from tasks.aggregate import aggregate
from tasks.check import check
from tasks.fanning import in_shards, in_turn
from tasks.holding import run_held
from tasks.judge import judge
from tasks.naming import rejudge_name
from tasks.plan import plan_rejudge
from tasks.pull import pull_stored
from tasks.select import select
from tasks.store import publish


@flow(name="goldassay-rejudge", flow_run_name=rejudge_name, persist_result=False)
async def rejudge(
    run: str,
    project: str = ".",
    settings: list[str] | None = None,
) -> dict[str, Any]:
    """Publishes a run of kind rejudge over the answers of another one; returns its totals.

    Args:
        run: Id of the stored run whose answers are judged again.
        project: Folder of goldassay.toml.
        settings: Overrides, e.g. judge.model=judge-large.
    """
    plan = await plan_rejudge(project, run, settings or [])
    with run_held(plan):
        shards = await pull_stored(plan)
        await in_shards(check, plan, shards)
        await in_turn(judge, plan, await select(plan))
        await publish(plan)
    return await aggregate(plan)
