"""Holds a run, so that two processes never work on the same one, nor take the same answers from the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from goldassay.stages.planning import NIGHTS
from tasks.project import open_bench

__all__ = ["run_held"]


@contextmanager
def run_held(plan: str) -> Iterator[None]:
    """Holds the run of a plan for the length of a block; a night holds the log of its app as well.

    Raises:
        RunError: If another process holds one of them; the message names that process.
    """
    bench = open_bench(plan)
    with ExitStack() as held:
        held.enter_context(bench.store.lock_run(bench.plan.run_id))
        if bench.plan.run_kind in NIGHTS:
            held.enter_context(bench.store.lock_nights(bench.plan.app))
        yield
