"""Plan a run: its window by the watermark, its version, or the unfinished run it goes on with."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prefect import task
from prefect.logging import get_run_logger

from config.settings import Settings, load_settings
from goldassay.judging import rubric_of_run
from goldassay.stages.plan import (
    RunPlan,
    golden_intent,
    golden_versions,
    intent_digest,
    new_run_id,
    night_intent,
    plan_path,
    read_plan,
    write_plan,
)
from goldassay.stages.planning import NIGHTS, night_window, parse_window, plan_file, resumable
from goldassay.stages.zones import zone_of
from goldassay.store import Store
from goldassay.verdicts import RunKind
from tasks.project import open_project_store, project_folder, refuse_address, settings_digest, snapshot
from tasks.retrying import INFRASTRUCTURE

__all__ = ["is_behind", "plan_golden", "plan_nightly", "plan_rejudge"]

_FRESH = timedelta(minutes=30)


@task(name="plan", **INFRASTRUCTURE)
async def plan_nightly(
    project: str,
    since: str | None,
    until: str | None,
    sample: str | int | None,
    resume: str | None,
    overrides: list[str],
    kind: RunKind = "nightly",
) -> str:
    """Fixes window and settings of a nightly or backfill run; returns the path of its plan."""
    refuse_address(overrides)
    folder = project_folder(project)
    chosen = [*overrides, *([f"sampling.nightly={sample}"] if sample not in {None, ""} else [])]
    settings = load_settings(folder, overrides=chosen)
    store = open_project_store(settings, folder)
    since, until = since or None, until or None  # a field of Prefect's page that was emptied holds ''
    intent = night_intent(kind=kind, since=since, until=until, settings=settings_digest(settings))
    path = await asyncio.to_thread(_resume, store, resume, intent, NIGHTS)
    if path is None:
        path = await asyncio.to_thread(_new_night, store, settings, folder, kind, since, until, intent)
    return str(path)


@task(name="plan", **INFRASTRUCTURE)
async def plan_golden(
    project: str,
    app_version: str | None,
    model: str | None,
    prompt_version: str | None,
    index_version: str | None,
    resume: str | None,
    overrides: list[str],
) -> str:
    """Fixes version and settings of a golden run; returns the path of its plan."""
    refuse_address(overrides)
    folder = project_folder(project)
    settings = load_settings(folder, overrides=overrides)
    store = open_project_store(settings, folder)
    versions = golden_versions(app_version, model, prompt_version, index_version)
    intent = golden_intent(versions, settings=settings_digest(settings))
    path = await asyncio.to_thread(_resume, store, resume, intent, {"golden"})
    if path is None:
        plan = _plan(settings, folder, store, "golden", intent).model_copy(update=versions)
        path = write_plan(plan, store.work_dir)
    return str(path)


@task(name="plan", **INFRASTRUCTURE)
async def plan_rejudge(project: str, run: str, overrides: list[str]) -> str:
    """Fixes which stored run is judged again; returns the path of the plan."""
    refuse_address(overrides)
    folder = project_folder(project)
    settings = load_settings(folder, overrides=overrides)
    store = open_project_store(settings, folder)
    source = (await asyncio.to_thread(store.run, run, app=settings.app)).run_id
    intent = intent_digest(kind="rejudge", run=source, settings=settings_digest(settings))
    path = await asyncio.to_thread(_resume, store, None, intent, {"rejudge"})
    if path is None:
        plan = _plan(settings, folder, store, "rejudge", intent).model_copy(update={"source_run": source})
        path = write_plan(plan, store.work_dir)
    return str(path)


def is_behind(plan: str) -> bool:
    """Whether a plan was made so long ago that answers have come in since: a night that is gone on with."""
    return datetime.now(UTC) - read_plan(plan).run_at > _FRESH


def _resume(store: Store, resume: str | None, intent: str, kinds: Collection[str]) -> Path | None:
    if resume:
        return plan_file(store, resume, kinds)
    plan = resumable(store, intent=intent, now=datetime.now(UTC))
    if plan is None:
        return None
    get_run_logger().warning("going on with run %s, which did not finish", plan.run_id)
    return plan_path(store.work_dir, plan.run_id)


def _new_night(
    store: Store, settings: Settings, folder: Path, kind: RunKind, since: str | None, until: str | None, intent: str
) -> Path:
    plan = _plan(settings, folder, store, kind, intent)
    start, end = parse_window(since, until, now=plan.run_at, zone=zone_of(folder))
    if start is None and end is None and kind == "nightly":
        late = timedelta(hours=settings.run.late_hours)
        start, end, _ = night_window(store, settings.app, now=plan.run_at, late=late)
    plan = plan.model_copy(update={"window_start": start, "window_end": end or plan.run_at})
    return write_plan(plan, store.work_dir)


def _plan(settings: Settings, folder: Path, store: Store, kind: RunKind, intent: str) -> RunPlan:
    if settings.judge.provider != "lexical":
        # A rubric that cannot grade is said before the night's work, not behind it.
        rubric_of_run(settings.judge.rubric, version=settings.judge.rubric_version, project=folder)
    now = datetime.now(UTC)
    return RunPlan(
        run_id=new_run_id(kind, now),
        run_kind=kind,
        run_at=now,
        app=settings.app,
        project=str(folder),
        store=store.address,
        settings=snapshot(settings),
        intent=intent,
    )
