"""Watching: does the assistant answer as another version than the one last seen?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

import httpx

from goldassay.errors import SourceError
from goldassay.sources import AnswersConfig, EmptyInputError, Window, read_answers
from goldassay.sources.columns import MISSING, ColumnPath
from goldassay.stages.plan import VERSION_NAMES, RunPlan
from goldassay.stages.pull import of_app
from goldassay.store import Store
from goldassay.store.paths import encode_part

__all__ = [
    "Versions",
    "newest_in_log",
    "note_quiet_night",
    "read_endpoint",
    "remember",
    "remembered",
    "stale_since",
]

Versions = dict[str, str | None]
"""A value for each of `VERSION_NAMES`."""
_TIMEOUT_S = 20.0


def newest_in_log(plan: RunPlan, config: AnswersConfig, *, environ: Mapping[str, str]) -> Versions | None:
    """Versions of the newest answer of the plan's window; None when the window holds none."""
    newest: tuple[datetime, Versions] | None = None
    window = Window(plan.window_start, plan.window_end)
    try:
        for batch in read_answers(of_app(config, plan.app), window=window, base_dir=plan.folder, environ=environ):
            for record in batch.records:
                if (
                    record.app == plan.app
                    and record.asked_at is not None
                    and (newest is None or record.asked_at >= newest[0])
                ):
                    newest = (record.asked_at, {name: getattr(record, name) or None for name in VERSION_NAMES})
    except SourceError as error:
        # A log without answers, or without files yet, changes nothing; whether it should have some is the freshness
        # watchdog's question. A database that cannot be reached is trouble now.
        if config.reads_sql and not isinstance(error, EmptyInputError):
            raise
        return None
    return newest[1] if newest else None


def read_endpoint(url: str, paths: Mapping[str, str], *, transport: httpx.BaseTransport | None = None) -> Versions:
    """Asks the assistant for its versions.

    Args:
        url: An address that answers GET with JSON.
        paths: Column path by version name, e.g. {"model": "build.model"}.
        transport: Stands in for the network in tests.

    Raises:
        SourceError: If it cannot be reached, or answers something else.
    """
    try:
        with httpx.Client(timeout=_TIMEOUT_S, transport=transport, trust_env=False) as client:
            response = client.get(url)
            response.raise_for_status()
            body = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise SourceError(
            f"the version endpoint {url!r} gave no JSON: {type(error).__name__}. Check watch.version_url.",
            transient=isinstance(error, httpx.TransportError),
        ) from error
    found = {name: ColumnPath(path).find(body) for name, path in paths.items()}
    return {name: None if found.get(name, MISSING) is MISSING else str(found[name]) for name in VERSION_NAMES}


def remembered(store: Store, app: str) -> Versions | None:
    """Versions the watch saw last; None before its first look."""
    try:
        seen: Versions = json.loads(store.files.read_bytes(_place(app)))
    except FileNotFoundError:
        return None
    return {name: seen.get(name) for name in VERSION_NAMES}


def remember(store: Store, app: str, versions: Versions) -> None:
    """Keeps what was seen, so that one change is told once."""
    store.files.write_bytes(_place(app), json.dumps(versions).encode())


def _place(app: str) -> str:
    return f"watch/{encode_part(app)}.json"


def note_quiet_night(store: Store, app: str, *, now: datetime) -> None:
    """Keeps when a night was looked at and held nothing new: it ran, though it left no run behind."""
    store.files.write_bytes(_quiet_place(app), now.isoformat().encode())


def _quiet_night(store: Store, app: str) -> datetime | None:
    try:
        return datetime.fromisoformat(store.files.read_bytes(_quiet_place(app)).decode())
    except (FileNotFoundError, ValueError):
        return None


def _quiet_place(app: str) -> str:
    return f"watch/{encode_part(app)}-quiet.txt"


def stale_since(store: Store, app: str, *, now: datetime, limit: timedelta, set_up: datetime) -> datetime | None:
    """The moment since when nothing has completed, when that is longer ago than the limit; None when all is well.

    Args:
        store: The store.
        app: The assistant.
        now: UTC.
        limit: How long is too long.
        set_up: When the project was set up: where no run has ever completed, the wait counts from there.
    """
    ends = [run.finished_at or run.run_at for run in store.runs(app) if run.run_kind in {"nightly", "backfill"}]
    if (quiet := _quiet_night(store, app)) is not None:
        ends.append(quiet)
    newest = max(ends, default=set_up)
    return newest if now - newest > limit else None
