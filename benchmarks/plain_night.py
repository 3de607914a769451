"""One night by the stages in plain Python, without Prefect: the floor that orchestration is measured against."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from config.settings import load_settings
from goldassay.judging import load_rubric
from goldassay.rules import load_rules
from goldassay.sources import read_golden
from goldassay.stages.check import check_shard
from goldassay.stages.judge import judge_shard
from goldassay.stages.plan import RunPlan, new_run_id, write_plan
from goldassay.stages.planning import night_window, parse_moment, taken_by_nights
from goldassay.stages.publish import RunFacts, publish_run
from goldassay.stages.pull import pull_answers
from goldassay.stages.select import past_of, select_records
from goldassay.store import RunManifest, Store, open_store


def plain_night(
    folder: Path, *, since: str | None = None, until: str | None = None, overrides: tuple[str, ...] = ()
) -> RunManifest:
    """Pull, check, select, judge and publish, one after the other."""
    settings = load_settings(folder, overrides=overrides, environ={})
    store = open_store(folder / settings.store)
    golden = read_golden(folder / settings.golden.path) if settings.golden.path else None
    plan = _plan(settings, store, folder, since, until)
    write_plan(plan, store.work_dir)
    staging = store.staging(plan.run_id)
    pulled = pull_answers(
        plan, staging, settings.answers, golden,
        shard_size=settings.run.rules_shard,
        taken=taken_by_nights(store, plan.app, since=plan.window_start),
        environ=os.environ,
    )  # fmt: skip
    for shard in range(pulled.shards):
        check_shard(plan, staging, shard, settings.rules)
    chosen = select_records(
        plan, staging, settings.sampling,
        shards=pulled.shards, shard_size=settings.run.judge_shard,
        past=past_of(store, plan, settings.sampling.stratify),
    )  # fmt: skip
    for shard in range(chosen.shards):
        asyncio.run(judge_shard(plan, staging, store, shard, settings.judge, settings.rules, environ=os.environ))
    return publish_run(plan, store, _facts(settings, folder, golden), now=datetime.now(UTC))


def _plan(settings: Any, store: Store, folder: Path, since: str | None, until: str | None) -> RunPlan:
    now = datetime.now(UTC)
    start, end = parse_moment(since, now=now), parse_moment(until, now=now)
    if start is None and end is None:
        late = timedelta(hours=settings.run.late_hours)
        start, end, _ = night_window(store, settings.app, now=now, late=late)
    return RunPlan(
        run_id=new_run_id("nightly", now), run_kind="nightly", run_at=now, app=settings.app, project=str(folder),
        store=store.address, settings={}, window_start=start, window_end=end or now,
    )  # fmt: skip


def _facts(settings: Any, folder: Path, golden: Any) -> RunFacts:
    rules = load_rules(settings.rules, base_dir=folder)
    rubric = load_rubric(settings.judge.rubric)
    return RunFacts(
        gate=tuple(settings.rules.gate),
        rule_versions={name: rules.version(name) for name in rules.names},
        rubric=rubric.name,
        rubric_version=rubric.version,
        judge_provider=settings.judge.provider,
        judge_model=settings.judge.model,
        sampling=settings.sampling.model_dump(mode="json"),
        settings_digest="",
        golden_digest=golden.digest if golden else None,
    )
