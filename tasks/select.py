"""Choose the records for the judge."""

from __future__ import annotations

import asyncio

from prefect import task
from prefect.logging import get_run_logger

from goldassay.stages.pull import PULLED
from goldassay.stages.select import SelectReport, past_of, select_records
from tasks.project import Bench, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["select"]


@task(name="select", **INFRASTRUCTURE)
async def select(plan: str) -> int:
    """Chooses the sample; returns the number of shards for the judge."""
    bench = open_bench(plan)
    if bench.is_published:
        return 0
    report = await asyncio.to_thread(_select, bench)
    get_run_logger().info("%d of %d records go to the judge", report.selected, report.candidates)
    return report.shards


def _select(bench: Bench) -> SelectReport:
    return select_records(
        bench.plan,
        bench.staging,
        bench.settings.sampling,
        shards=int((bench.staging.read_note(PULLED) or {})["shards"]),
        shard_size=bench.settings.run.judge_shard,
        past=past_of(bench.store, bench.plan, bench.settings.sampling.stratify),
        fairly=bench.settings.judge.is_limited,
    )
