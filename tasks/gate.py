"""The gate of a golden run: the new version against the accepted one, and who is told."""

from __future__ import annotations

import asyncio
from typing import Any

from prefect import task
from prefect.artifacts import acreate_markdown_artifact
from prefect.logging import get_run_logger

from goldassay.analytics.compare import compare
from goldassay.analytics.models import GateState
from goldassay.analytics.models_reports import CompareReport
from goldassay.errors import GateError
from goldassay.reporting.compare_markdown import compare_markdown
from goldassay.stages.golden import already_graded, baseline_of, graded_words, verdict_words
from goldassay.stages.plan import plan_path
from tasks.announcing import tell
from tasks.naming import artifact_key
from tasks.project import Bench, golden_of, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["find_graded", "gate", "pass_or_raise"]


@task(name="find graded", **INFRASTRUCTURE)
async def find_graded(plan: str) -> dict[str, Any] | None:
    """What the gate says of a run that has graded this very version: two identical events start one golden run."""
    bench = open_bench(plan)
    numbers = await asyncio.to_thread(_graded, bench)
    if numbers is not None:
        plan_path(bench.store.work_dir, bench.plan.run_id).unlink(missing_ok=True)
        get_run_logger().warning("%s", numbers["sentence"])
    return numbers


def _graded(bench: Bench) -> dict[str, Any] | None:
    golden = golden_of(bench.settings, bench.plan.folder)
    run = already_graded(bench.store, bench.plan, golden_digest=golden.digest if golden else None)
    if run is None:
        return None
    plan = bench.plan.model_copy(update={"run_id": run.run_id, "run_at": run.run_at})
    again = bench._replace(plan=plan)
    return graded_words(bench.store, run, _compare(again))


@task(name="gate", **INFRASTRUCTURE)
async def gate(plan: str) -> dict[str, Any]:
    """Compares the run with the baseline and emits goldassay.golden.passed, .failed or .not_evaluable."""
    bench = open_bench(plan)
    report = await asyncio.to_thread(_compare, bench)
    numbers = verdict_words(report, bench.plan.run_id)
    if report is not None:
        await acreate_markdown_artifact(
            compare_markdown(report), key=f"{artifact_key(bench.plan.app)}-gate", description=numbers["sentence"]
        )
    await tell(_EVENTS[numbers["state"]], bench.plan.app, numbers)
    get_run_logger().info("%s", "\n  ".join([numbers["sentence"], *numbers.get("lines", ())]))
    return numbers


def pass_or_raise(numbers: dict[str, Any]) -> None:
    """Lets a passed gate go on.

    Raises:
        GateError: With what to do, when the gate failed or could not tell; its reasons stand in the log already.
    """
    if numbers["state"] != GateState.PASS.value:
        raise GateError(numbers["sentence"], run_id=numbers["run_id"])


_EVENTS = {
    GateState.PASS.value: "goldassay.golden.passed",
    GateState.FAIL.value: "goldassay.golden.failed",
    GateState.NOT_EVALUABLE.value: "goldassay.golden.not_evaluable",
}


def _compare(bench: Bench) -> CompareReport | None:
    base = baseline_of(bench.store, bench.plan, bench.settings.gate)
    if base is None:
        return None
    return compare(bench.store, base, bench.plan.run_id, app=bench.plan.app, gate=bench.settings.gate)
