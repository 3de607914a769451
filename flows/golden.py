"""WHEN: on a change of model, prompt or index. The full golden set of the new version, against the accepted one."""

from __future__ import annotations

from typing import Annotated, Any

from prefect import flow
from pydantic import Field

from tasks.aggregate import aggregate
from tasks.check import check
from tasks.fanning import in_shards, in_turn
from tasks.gate import find_graded, gate, pass_or_raise
from tasks.holding import run_held
from tasks.judge import judge
from tasks.naming import golden_name
from tasks.plan import plan_golden
from tasks.pull import pull_golden
from tasks.report import report
from tasks.select import select
from tasks.store import publish


@flow(name="goldassay-golden", flow_run_name=golden_name, persist_result=False)
async def golden(
    project: str = ".",
    app_version: str | None = None,
    model: str | None = None,
    prompt_version: str | None = None,
    index_version: str | None = None,
    again: bool = False,
    resume: str | None = None,
    settings: list[str] | None = None,
    *,
    crashes: Annotated[int, Field(ge=0, le=5)] = 0,  # noqa: ARG001 - the server reads it, and refuses a sixth
) -> dict[str, Any]:
    """Grades the golden set and lets the version pass or stops it; raises when the gate does not open.

    Args:
        project: Folder of goldassay.toml.
        app_version: Version whose answers are graded; else the newest.
        model: Answering model whose answers are graded.
        prompt_version: Prompt whose answers are graded.
        index_version: Index whose answers are graded.
        again: Grade it although the same change was graded a short while ago.
        resume: Id of an unfinished run to go on with.
        settings: Overrides, e.g. judge.model=judge-large.
        crashes: How often it crashed before; counted by the automation that begins it again.
    """
    plan = await plan_golden(project, app_version, model, prompt_version, index_version, resume, settings or [])
    if not again and (graded := await find_graded(plan)) is not None:
        pass_or_raise(graded)
        return graded
    with run_held(plan):
        shards = await pull_golden(plan)
        await in_shards(check, plan, shards)
        await in_turn(judge, plan, await select(plan))
        await publish(plan)
    totals = await aggregate(plan)
    numbers = await gate(plan)
    page = await report(plan)
    pass_or_raise(numbers)
    return {**totals, **numbers, "page": page}
