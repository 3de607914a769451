"""What every task needs of its project: the plan, the settings as they were at the start, and the store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from config.settings import Settings, load_settings
from goldassay.errors import ConfigError
from goldassay.sources import GoldenSet, read_golden
from goldassay.stages.plan import RunPlan, read_plan
from goldassay.store import Staging, Store, open_store
from tasks.telling import tell_without_traceback

tell_without_traceback()  # every task and flow passes here

__all__ = [
    "Bench",
    "golden_of",
    "judged_at_once",
    "open_bench",
    "open_project_store",
    "project_folder",
    "refuse_address",
    "settings_digest",
    "snapshot",
]


class Bench(NamedTuple):
    """One run at work."""

    plan: RunPlan
    settings: Settings
    store: Store
    staging: Staging

    @property
    def is_published(self) -> bool:
        """Whether the run can be read already, so that nothing is left but its report."""
        return self.store.is_published(self.plan.run_id)


def judged_at_once(bench: Bench) -> int:
    """Shards that the judge grades at once; a budget is spent in order, so one where there is a limit."""
    return 1 if bench.settings.judge.is_limited else bench.settings.run.judge_at_once


def open_bench(plan_path: str) -> Bench:
    """Reads the plan of a run and opens what belongs to it.

    Raises:
        RunError: If the plan is gone.
        ConfigError: If the settings kept with it do not fit this version of goldassay.
    """
    plan = read_plan(plan_path)
    settings = _settings_of(plan)
    store = open_project_store(settings, plan.folder)
    return Bench(plan, settings, store, store.staging(plan.run_id))


def project_folder(project: str) -> Path:
    """The folder that a flow's parameter `project` names.

    Raises:
        ConfigError: If there is none: a new folder would be made, with a store of its own, and its night be empty.
    """
    folder = Path(project).resolve()
    if not folder.is_dir():
        raise ConfigError(
            f"no such folder: project {project!r}, which is {str(folder)!r} on this worker. Name the folder of "
            "goldassay.toml; '.' is the one that was deployed."
        )
    return folder


def refuse_address(overrides: Sequence[str]) -> None:
    """Refuses the address of a database among the overrides of a run.

    Raises:
        ConfigError: If it is there: Prefect keeps the parameters of a run and shows them, the password with them.
    """
    if any(text.partition("=")[0].strip() == "answers.url" for text in overrides):
        raise ConfigError(
            "answers.url among the overrides would show the database's address, and a password in it, to everybody who "
            "sees the run in Prefect. Export it and name the variable: answers.url_env=RAG_LOG_URL"
        )


def open_project_store(settings: Settings, folder: Path) -> Store:
    """The project's store; a relative address is taken from the project's folder."""
    work_dir = folder / settings.storage.work_dir
    if "://" not in settings.store:
        return open_store(folder / settings.store)
    options = {
        "endpoint_url": settings.storage.endpoint_url,
        "client_kwargs": {"region_name": settings.storage.region} if settings.storage.region else None,
    }
    used = {name: value for name, value in options.items() if value is not None}
    shared = settings.storage.shared_staging
    return open_store(settings.store, storage_options=used, work_dir=work_dir, shared_staging=shared)


def golden_of(settings: Settings, folder: Path) -> GoldenSet | None:
    """The project's golden set; None when none is configured."""
    return None if settings.golden.path is None else read_golden(folder / settings.golden.path)


def snapshot(settings: Settings) -> dict[str, Any]:
    """The settings as they go into the plan: all that was set, without secrets.

    Only what was set: a rule that is off by default is switched on by its table in the settings, so writing the
    defaults out would switch on every rule.
    """
    values: dict[str, Any] = settings.model_dump(mode="json", exclude_unset=True)
    values.get("answers", {}).pop("url", None)
    return values


def settings_digest(settings: Settings) -> str:
    """SHA-256 over all settings but secrets, to tell whether two runs were set alike."""
    return hashlib.sha256(json.dumps(snapshot(settings), sort_keys=True).encode()).hexdigest()


def _settings_of(plan: RunPlan) -> Settings:
    kept = dict(plan.settings)
    # A database address may hold a password, so it is not kept: it comes from the project's file again.
    answers = kept.get("answers", {})
    if not answers.get("path") and not answers.get("url_env"):
        kept["answers"] = {**answers, "url": load_settings(plan.folder).answers.url}
    return Settings(**kept)
