"""Run the rules over one shard, on a process of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache

from prefect import task
from prefect.logging import get_run_logger

from goldassay.stages.check import CheckCounts, check_shard
from goldassay.stages.pull import PULLED
from tasks.project import Bench, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["check"]


@task(name="check", task_run_name="check shard {shard}", **INFRASTRUCTURE)
async def check(plan: str, shard: int) -> dict[str, int]:
    """Checks a shard by all rules; returns its counts."""
    bench = open_bench(plan)
    arguments = (bench.plan, bench.staging, shard, bench.settings.rules)
    if _alone(bench):
        counts = await asyncio.to_thread(check_shard, *arguments)
    else:
        counts = await asyncio.get_running_loop().run_in_executor(_pool(_workers(bench)), check_shard, *arguments)
    _tell(shard, counts)
    return counts._asdict()


def _tell(shard: int, counts: CheckCounts) -> None:
    get_run_logger().info(
        "shard %d: %d records, %d rule verdicts, %d failed, %d errors",
        shard, counts.records, counts.verdicts, counts.failed, counts.errors,
    )  # fmt: skip


def _workers(bench: Bench) -> int:
    return os.cpu_count() or 1 if bench.settings.run.workers == "auto" else bench.settings.run.workers


def _alone(bench: Bench) -> bool:
    """A single shard gains nothing from a pool, and a Dask worker (a daemon) may not start processes."""
    shards = int((bench.staging.read_note(PULLED) or {}).get("shards", 1))
    return shards == 1 or _workers(bench) == 1 or multiprocessing.current_process().daemon


@cache
def _pool(workers: int) -> Executor:
    # Not forked: this process runs threads and event loops, which do not survive a fork.
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
