"""Holds a run, so that two processes never work on the same one."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tasks.project import open_bench

__all__ = ["run_held"]


def run_held(plan: str) -> AbstractContextManager[None]:
    """Holds the run of a plan for the length of a block.

    Raises:
        RunError: If another process holds it; the message names that process.
    """
    bench = open_bench(plan)
    return bench.store.lock_run(bench.plan.run_id)
