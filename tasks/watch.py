"""Watch: tell once that the assistant changed, and tell when nothing has run for too long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prefect import task
from prefect.logging import get_run_logger

from config.settings import PROJECT_FILE, Settings, load_settings
from goldassay.errors import RunError
from goldassay.stages.plan import RunPlan
from goldassay.stages.watching import Versions, newest_in_log, read_endpoint, remember, remembered, stale_since
from tasks.announcing import tell
from tasks.events import CHANGED, aemit
from tasks.keys import environment_of
from tasks.project import open_project_store, project_folder
from tasks.retrying import INFRASTRUCTURE

__all__ = ["look_for_change", "raise_when_stale"]

_LOOK_BACK = timedelta(hours=48)


@task(name="look for a change", **INFRASTRUCTURE)
async def look_for_change(project: str) -> dict[str, str | None]:
    """Emits goldassay.model.changed when the newest answers come from another version; once for each change.

    Returns:
        The new versions; empty when nothing changed.
    """
    folder = project_folder(project)
    settings = load_settings(folder)
    store = open_project_store(settings, folder)
    environ = await environment_of(settings)
    now = await asyncio.to_thread(_newest, settings, folder, environ)
    before = remembered(store, settings.app)
    if now is None or now == before:
        return {}
    if before is not None:
        await aemit(CHANGED, settings.app, {name: value or "" for name, value in now.items()})
        get_run_logger().info("%s changed: %s", settings.app, {k: v for k, v in now.items() if before.get(k) != v})
    # Remembered only after the event was taken: a lost one is sent again at the next look.
    remember(store, settings.app, now)
    return {} if before is None else now


@task(name="look for a stall", **INFRASTRUCTURE)
async def raise_when_stale(project: str) -> str:
    """Raises when no run has completed for `alerts.stale_hours`.

    Raises:
        RunError: With the end of the newest run and what to look at.
    """
    folder = project_folder(project)
    settings = load_settings(folder)
    limit = timedelta(hours=settings.alerts.stale_hours)
    store = open_project_store(settings, folder)
    now, set_up = datetime.now(UTC), datetime.fromtimestamp((folder / PROJECT_FILE).stat().st_mtime, UTC)
    since = await asyncio.to_thread(stale_since, store, settings.app, now=now, limit=limit, set_up=set_up)
    if since is not None:
        await tell("goldassay.run.stale", settings.app, {"last_run": since.isoformat()})
        raise RunError(
            f"no run of {settings.app!r} has completed since {since:%Y-%m-%d %H:%M} UTC "
            f"(limit {settings.alerts.stale_hours:g} h). Look for a run that is stuck in Pending or Running, "
            "and whether a worker is alive: prefect work-pool inspect goldassay-process"
        )
    return "fresh"


def _newest(settings: Settings, folder: Path, environ: Mapping[str, str]) -> Versions | None:
    if settings.watch.version_url is not None:
        return read_endpoint(settings.watch.version_url, settings.watch.paths)
    now = datetime.now(UTC)
    plan = RunPlan(
        run_id="watch", run_kind="check", run_at=now, app=settings.app, project=str(folder), store=settings.store,
        settings={}, window_start=now - _LOOK_BACK, window_end=now,
    )  # fmt: skip
    return newest_in_log(plan, settings.answers, environ=environ)
