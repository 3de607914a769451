"""Pull the answers of a run into shards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict

from prefect import task
from prefect.logging import get_run_logger
from prefect.runtime import flow_run

from goldassay.errors import ConfigError
from goldassay.stages.asking import ask_missing
from goldassay.stages.planning import covered_until, taken_by_nights
from goldassay.stages.pull import (
    PULLED,
    Matched,
    NothingNewError,
    PullReport,
    latest_answers,
    pull_answers,
    pull_records,
)
from goldassay.stages.watching import note_quiet_night
from tasks.keys import environment_of
from tasks.project import Bench, golden_of, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["QUIET", "pull", "pull_golden", "pull_stored"]

QUIET = {"quiet": True, "sentence": "nothing new in the log: a quiet night"}
"""What a flow returns when there was nothing to evaluate."""


@task(name="pull", **INFRASTRUCTURE)
async def pull(plan: str, *, may_be_quiet: bool = False) -> int | None:
    """Reads the window's answers from the log; returns the number of shards, None for a night that may be quiet."""
    bench = open_bench(plan)
    environ = await environment_of(bench.settings)
    found: int | None = await asyncio.to_thread(_pulled, bench)
    if found is not None:
        return found
    try:
        return await asyncio.to_thread(_pull, bench, environ)
    except NothingNewError as nothing:
        if nothing.rejected or not (may_be_quiet or bench.settings.run.empty_night == "ok" or _is_covered(bench)):
            raise
        note_quiet_night(bench.store, bench.plan.app, now=bench.plan.run_at)
        get_run_logger().warning("a quiet night: %s", nothing)
        return None


def _is_covered(bench: Bench) -> bool:
    """Whether an earlier night has looked at the log since this one was due.

    After an outage several nights are due at once: the first takes the answers of all, and the others are no alarm.
    """
    until = covered_until(bench.store.runs(bench.plan.app))
    return until is not None and until >= flow_run.get_scheduled_start_time()


@task(name="pull golden answers", **INFRASTRUCTURE)
async def pull_golden(plan: str) -> int:
    """Takes the newest answers from the log and asks the assistant for the rest; returns the number of shards."""
    bench = open_bench(plan)
    found: int | None = await asyncio.to_thread(_pulled, bench)
    return await _pull_golden(bench) if found is None else found


@task(name="pull stored answers", **INFRASTRUCTURE)
async def pull_stored(plan: str) -> int:
    """Takes the answers of a stored run once more; returns the number of shards."""
    bench = open_bench(plan)
    found: int | None = await asyncio.to_thread(_pulled, bench)
    return await asyncio.to_thread(_pull_stored, bench) if found is None else found


def _pulled(bench: Bench) -> int | None:
    """Shards of a pull that is already complete, 0 of a run that is published; None when there is all to do."""
    if bench.is_published:
        return 0
    note = bench.staging.read_note(PULLED)
    return int(note["shards"]) if note else None


def _pull(bench: Bench, environ: Mapping[str, str]) -> int:
    plan, settings = bench.plan, bench.settings
    report = pull_answers(
        plan,
        bench.staging,
        settings.answers,
        golden_of(settings, plan.folder),
        shard_size=settings.run.rules_shard,
        taken=taken_by_nights(bench.store, plan.app, since=plan.window_start),
        environ=environ,
    )
    return _told(report)


async def _pull_golden(bench: Bench) -> int:
    plan, settings = bench.plan, bench.settings
    golden = golden_of(settings, plan.folder)
    if golden is None:
        raise ConfigError("a golden run needs a golden set; none is set. Set golden.path in goldassay.toml.")
    report = PullReport()
    environ = await environment_of(settings)
    found = await asyncio.to_thread(
        latest_answers,
        plan,
        settings.answers,
        golden,
        report,
        environ=environ,
        may_be_empty=bool(settings.assistant),
    )
    if settings.assistant is not None and report.missing_questions:
        missing = [q for q in golden.questions if q.question_id in set(report.missing_questions)]
        asked = await ask_missing(plan, bench.staging, settings.assistant, missing, environ=environ)
        found, report.missing_questions, report.unanswered = [*found, *asked.answers], [], asked.errors
    return _told(pull_records(plan, bench.staging, found, shard_size=settings.run.rules_shard, report=report))


def _pull_stored(bench: Bench) -> int:
    plan = bench.plan
    stored = bench.store.answers_of(plan.source_run or "")
    found = (Matched(answer.record, answer.golden) for answer in stored)
    return _told(pull_records(plan, bench.staging, found, shard_size=bench.settings.run.rules_shard))


def _told(report: PullReport) -> int:
    counts = {name: value for name, value in asdict(report).items() if isinstance(value, int) and value}
    counts.pop("citation_base", None)  # a number of the log, no count
    get_run_logger().info("pulled: %s", ", ".join(f"{value} {name}" for name, value in counts.items()))
    return report.shards
