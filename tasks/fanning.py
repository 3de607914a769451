"""Fans a task out over shards without flooding the orchestration server.

A burst of 5,000 task runs was seen to overflow the server's event queue (Prefect 3.9.1), so shards
are handed over in bursts and each burst is waited for.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tasks.project import judged_at_once, open_bench

__all__ = ["BURST", "in_shards", "in_turn"]

BURST = 500
"""Task runs handed over at once; the documented ceiling is 2,000."""


async def in_shards(task: Any, plan: str, shards: int) -> list[Any]:
    """Runs `task(plan, shard)` for every shard on the flow's task runner.

    Args:
        task: A Prefect task that takes the plan's path and a shard number.
        plan: Path of the plan.
        shards: Number of shards.

    Returns:
        The tasks' results, by shard.
    """
    if shards == 1:
        return [await task(plan, 0)]
    return await _in_bursts(task, plan, shards, BURST)


async def in_turn(task: Any, plan: str, shards: int) -> list[Any]:
    """One shard after the other: for the judge, whose limit is the provider's and not the machine's.

    Where the settings ask for it, so many at once on the flow's task runner.
    """
    width = judged_at_once(open_bench(plan))
    if width == 1 or shards == 1:
        return [await task(plan, shard) for shard in range(shards)]
    return await _in_bursts(task, plan, shards, width)


async def _in_bursts(task: Any, plan: str, shards: int, size: int) -> list[Any]:
    results: list[Any] = []
    for start in range(0, shards, size):
        futures = [task.submit(plan, shard) for shard in range(start, min(start + size, shards))]
        results.extend(await asyncio.to_thread(_results, futures))
    return results


def _results(futures: list[Any]) -> list[Any]:
    return [future.result() for future in futures]
