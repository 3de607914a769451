"""WHEN: every night. The answers logged since the last complete night: rules on all, the judge on a sample."""

from __future__ import annotations

from typing import Annotated, Any

from prefect import flow
from pydantic import Field

from tasks.aggregate import aggregate
from tasks.announcing import quiet
from tasks.check import check
from tasks.fanning import in_shards, in_turn
from tasks.holding import run_held
from tasks.judge import judge
from tasks.naming import nightly_name
from tasks.plan import is_behind, plan_nightly
from tasks.pull import QUIET, pull
from tasks.report import report
from tasks.select import select
from tasks.store import publish


@flow(name="goldassay-nightly", flow_run_name=nightly_name, persist_result=False, validate_parameters=True)
async def nightly(
    project: str = ".",
    since: str | None = None,
    until: str | None = None,
    sample: str | int | None = None,
    resume: str | None = None,
    settings: list[str] | None = None,
    *,
    crashes: Annotated[int, Field(ge=0, le=5)] = 0,  # noqa: ARG001 - the server reads it, and refuses a sixth
) -> dict[str, Any]:
    """Evaluates the answers of one night and publishes the run; returns its totals.

    Args:
        project: Folder of goldassay.toml.
        since: First moment of the log: 2026-11-28, or 24h; else the watermark.
        until: First moment not to take; else the start of the run.
        sample: Answers for the judge: a number, full or auto.
        resume: Id of an unfinished run to go on with.
        settings: Overrides, e.g. judge.model=judge-large.
        crashes: How often it crashed before; counted by the automation that begins it again.
    """
    asked = (project, since, until, sample, resume, settings or [])
    plan = await plan_nightly(*asked)
    totals = await _night(plan)
    if not (since or until or resume) and is_behind(plan):
        # It went on with a night that did not finish; the answers since then are still to do.
        later = await _night(await plan_nightly(*asked), may_be_quiet=True)
        return totals if later == QUIET else later
    return totals


async def _night(plan: str, *, may_be_quiet: bool = False) -> dict[str, Any]:
    with run_held(plan):
        shards = await pull(plan, may_be_quiet=may_be_quiet)
        if shards is None:
            return await quiet(plan, QUIET)
        await in_shards(check, plan, shards)
        await in_turn(judge, plan, await select(plan))
        await publish(plan)
    totals = await aggregate(plan)
    return {**totals, "page": await report(plan)}
