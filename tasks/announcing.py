"""Announces the end of a run as events: that it completed, that a night was quiet, that answers got worse.

An event that is lost does not break a run that is whole: it is said in the log, and the server's watch for runs that
did not complete errs on the loud side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prefect import task
from prefect.logging import get_run_logger

from goldassay.analytics.models_reports import RunSummary
from goldassay.errors import RunError
from tasks.events import aemit
from tasks.project import open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["COMPLETED", "QUIET_NIGHT", "REGRESSED", "announce_run", "quiet", "tell", "worse"]

COMPLETED = "goldassay.run.completed"
REGRESSED = "goldassay.run.regressed"
QUIET_NIGHT = "goldassay.run.quiet"


async def announce_run(summary: RunSummary) -> None:
    """Emits that the run completed; and that it regressed, where the paired test bears that out."""
    whole = summary.answers.counts
    facts = {
        "run_id": summary.run_id,
        "run_kind": summary.run_kind,
        "app_versions": list(summary.app_versions),
        "records": summary.records,
        "passed": whole.passed,
        "graded": whole.graded,
        "errors": whole.errors,
    }
    await tell(COMPLETED, summary.app, facts)
    if found := worse(summary):
        sentence = f"{summary.run_id} against {summary.compared_to}: {' '.join(found.values())}"
        await tell(REGRESSED, summary.app, {**facts, "checks": list(found), "sentence": sentence})


def worse(summary: RunSummary) -> dict[str, str]:
    """What got worse by more than chance explains: a sentence for the whole answers and for each gate check."""
    changes = {"answers": summary.answers_change}
    changes |= {check.check: check.change for check in summary.checks if check.severity == "gate"}
    return {
        name: change.sentence for name, change in changes.items() if change is not None and change.claim == "regression"
    }


@task(name="a quiet night", **INFRASTRUCTURE)
async def quiet(plan: str, result: dict[str, Any]) -> dict[str, Any]:
    """Emits that a night ran and found nothing new; returns the flow's result."""
    bench = open_bench(plan)
    await tell(QUIET_NIGHT, bench.plan.app, {"run_id": bench.plan.run_id, "sentence": str(result["sentence"])})
    return result


async def tell(name: str, app: str, payload: Mapping[str, Any]) -> None:
    """Emits an event whose loss is no reason to fail: it is said in the log."""
    try:
        await aemit(name, app, payload)
    except RunError as error:
        get_run_logger().warning("%s", error)
