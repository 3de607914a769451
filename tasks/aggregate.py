"""Aggregate: what the run's numbers say beside those of the run before."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from prefect import task
from prefect.logging import get_run_logger

from goldassay.analytics.summary import run_summary
from tasks.project import Bench, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["aggregate"]


@task(name="aggregate", **INFRASTRUCTURE)
async def aggregate(plan: str) -> dict[str, Any]:
    """Counts and rates of the published run, small enough to be looked at in Prefect."""
    totals = await asyncio.to_thread(_totals, open_bench(plan))
    get_run_logger().info("%s", json.dumps(totals))
    return totals


def _totals(bench: Bench) -> dict[str, Any]:
    settings = bench.settings
    gate = settings.gate if bench.plan.run_kind == "golden" else None
    summary = run_summary(bench.store, bench.plan.run_id, compare_to=settings.run.compare_to, gate=gate)
    return {
        "run_id": summary.run_id,
        "records": summary.records,
        "rejected": summary.rejected,
        "checks": {
            check.check: {
                "passed": check.rate.counts.passed,
                "graded": check.rate.counts.graded,
                "errors": check.rate.counts.errors,
            }
            for check in summary.checks
        },
        "broken": len(summary.broken),
        "fixed": len(summary.fixed),
    }
