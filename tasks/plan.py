"""Plan a run: its window by the watermark, its version, or the unfinished run it goes on with."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prefect import task
from prefect.logging import get_run_logger

from config.settings import Settings, load_settings
from goldassay.errors import RunError
from goldassay.judging import rubric_of_run
from goldassay.stages.plan import RunPlan, intent_digest, new_run_id, plan_path, read_plan, write_plan
from goldassay.stages.planning import night_window, parse_window, plan_file, resumable
from goldassay.store import Store
from goldassay.verdicts import RunKind
from tasks.project import open_project_store, settings_digest, snapshot
from tasks.retrying import INFRASTRUCTURE

__all__ = ["is_behind", "plan_golden", "plan_nightly", "plan_rejudge"]

_FRESH = timedelta(minutes=30)
_RESUMED, _MOST_RESUMED, _RESUMED_WITHIN = "resumed", 10, timedelta(hours=1)


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
    folder = Path(project).resolve()
    chosen = [*overrides, *([f"sampling.nightly={sample}"] if sample is not None else [])]
    settings = load_settings(folder, overrides=chosen)
    store = open_project_store(settings, folder)
    intent = intent_digest(kind=kind, since=since, until=until, settings=settings_digest(settings))
    path = await asyncio.to_thread(_resume, store, resume, intent)
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
    folder = Path(project).resolve()
    settings = load_settings(folder, overrides=overrides)
    store = open_project_store(settings, folder)
    versions = {
        "app_version": app_version or None,
        "model": model or None,
        "prompt_version": prompt_version or None,
        "index_version": index_version or None,
    }
    intent = intent_digest(kind="golden", settings=settings_digest(settings), **versions)
    path = await asyncio.to_thread(_resume, store, resume, intent)
    if path is None:
        plan = _plan(settings, folder, store, "golden", intent).model_copy(update=versions)
        path = write_plan(plan, store.work_dir)
    return str(path)


@task(name="plan", **INFRASTRUCTURE)
async def plan_rejudge(project: str, run: str, overrides: list[str]) -> str:
    """Fixes which stored run is judged again; returns the path of the plan."""
    folder = Path(project).resolve()
    settings = load_settings(folder, overrides=overrides)
    store = open_project_store(settings, folder)
    source = (await asyncio.to_thread(store.run, run, app=settings.app)).run_id
    intent = intent_digest(kind="rejudge", run=source, settings=settings_digest(settings))
    path = await asyncio.to_thread(_resume, store, None, intent)
    if path is None:
        plan = _plan(settings, folder, store, "rejudge", intent).model_copy(update={"source_run": source})
        path = write_plan(plan, store.work_dir)
    return str(path)


def _refuse_endless(store: Store, run_id: str) -> None:
    """A run that breaks each time is begun again after each crash; somebody has to look at it instead."""
    staging, now = store.staging(run_id), datetime.now(UTC)
    if not staging.folder.exists():  # nothing but its report is left to do
        return
    before = (staging.read_note(_RESUMED) or {}).get("at", [])
    recent = [at for at in before if now - datetime.fromisoformat(at) < _RESUMED_WITHIN]
    if len(recent) >= _MOST_RESUMED:
        raise RunError(
            f"run {run_id!r} was gone on with {len(recent)} times within the hour and broke each time. Look at its "
            f"log; once it is mended: goldassay run --resume {run_id}"
        )
    staging.write_note(_RESUMED, {"at": [*recent, now.isoformat()]})


def is_behind(plan: str) -> bool:
    """Whether a plan was made so long ago that answers have come in since: a night that is gone on with."""
    return datetime.now(UTC) - read_plan(plan).run_at > _FRESH


def _resume(store: Store, resume: str | None, intent: str) -> Path | None:
    if resume is not None:
        return plan_file(store, resume)
    plan = resumable(store, intent=intent, now=datetime.now(UTC))
    if plan is None:
        return None
    _refuse_endless(store, plan.run_id)
    get_run_logger().warning("going on with run %s, which did not finish", plan.run_id)
    return plan_path(store.work_dir, plan.run_id)


def _new_night(
    store: Store, settings: Settings, folder: Path, kind: RunKind, since: str | None, until: str | None, intent: str
) -> Path:
    plan = _plan(settings, folder, store, kind, intent)
    start, end = parse_window(since, until, now=plan.run_at)
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
