"""WHEN: by hand. A range of past days; answers that a run has already taken are left out."""

from __future__ import annotations

from typing import Any

from prefect import flow

from tasks.aggregate import aggregate
from tasks.announcing import quiet
from tasks.check import check
from tasks.fanning import in_shards, in_turn
from tasks.holding import run_held
from tasks.judge import judge
from tasks.naming import backfill_name
from tasks.plan import plan_nightly
from tasks.pull import QUIET, pull
from tasks.report import report
from tasks.select import select
from tasks.store import publish


@flow(name="goldassay-backfill", flow_run_name=backfill_name, persist_result=False)
async def backfill(
    since: str,
    until: str,
    project: str = ".",
    sample: str | int | None = None,
    settings: list[str] | None = None,
) -> dict[str, Any]:
    """Evaluates past days as one run of kind backfill; returns its totals.

    Args:
        since: First day, e.g. 2026-11-01.
        until: First day not to take.
        project: Folder of goldassay.toml.
        sample: Answers for the judge: a number, full or auto.
        settings: Overrides, e.g. judge.model=judge-large.
    """
    plan = await plan_nightly(project, since, until, sample, None, settings or [], kind="backfill")
    with run_held(plan):
        shards = await pull(plan)
        if shards is None:
            return await quiet(plan, QUIET)
        await in_shards(check, plan, shards)
        await in_turn(judge, plan, await select(plan))
        await publish(plan)
    totals = await aggregate(plan)
    return {**totals, "page": await report(plan)}
