"""What a run is going to do, fixed once at its start and kept in a file.

A stage is handed the path of the plan and a shard number, nothing else: so nothing large
travels through Prefect, and a run that is resumed does exactly what it set out to do.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from goldassay.errors import RunError
from goldassay.verdicts import RunKind, RunStamp

__all__ = [
    "VERSION_NAMES",
    "RunPlan",
    "golden_intent",
    "golden_versions",
    "intent_digest",
    "new_run_id",
    "night_intent",
    "plan_path",
    "read_plan",
    "write_plan",
]

_FOLDER = "plans"
VERSION_NAMES = ("app_version", "model", "prompt_version", "index_version")
"""What tells two versions of the assistant apart."""


class RunPlan(BaseModel):
    """One run, as planned."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run_id: str
    run_kind: RunKind
    run_at: datetime
    """Start, UTC."""
    app: str
    project: str
    """Folder of goldassay.toml, to which relative paths refer."""
    store: str
    """Address of the store."""
    settings: dict[str, Any]
    """The checked settings as they were at the start; no secrets, keys are named by variable."""
    window_start: datetime | None = None
    """First moment of the log to take; None: from its beginning."""
    window_end: datetime | None = None
    """First moment not to take; None: to its end."""
    app_version: str | None = None
    """Golden runs: the version whose answers are graded; None: whatever the log holds."""
    model: str | None = None
    prompt_version: str | None = None
    index_version: str | None = None
    source_run: str | None = None
    """Rejudge runs: the stored run whose answers are judged again."""
    intent: str = ""
    """Digest of what was asked for; the same command finds its unfinished run by it."""

    @property
    def stamp(self) -> RunStamp:
        """What every row of the run shares."""
        return RunStamp(self.run_id, self.run_kind, self.run_at)

    @property
    def folder(self) -> Path:
        """The project's folder."""
        return Path(self.project)


def new_run_id(kind: RunKind, now: datetime) -> str:
    """A run id that sorts by time and tells its kind: '20261129-020500-nightly-3f9c'."""
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{kind}-{secrets.token_hex(2)}"


def night_intent(*, settings: str, since: str | None, until: str | None, kind: RunKind = "nightly") -> str:
    """Digest of a night or backfill that is asked for: the window in the caller's words, and the settings' digest."""
    return intent_digest(kind=kind, since=since, until=until, settings=settings)


def golden_intent(versions: Mapping[str, str | None], *, settings: str) -> str:
    """Digest of a golden run that is asked for: the version, and the settings' digest."""
    return intent_digest(kind="golden", settings=settings, **versions)


def golden_versions(
    app_version: str | None, model: str | None, prompt_version: str | None, index_version: str | None
) -> dict[str, str | None]:
    """The version that a golden run is asked to grade; an empty word is none."""
    return {
        "app_version": app_version or None,
        "model": model or None,
        "prompt_version": prompt_version or None,
        "index_version": index_version or None,
    }


def intent_digest(**asked: object) -> str:
    """Digest of what a command asked for: kind, window as given, sample, settings."""
    text = json.dumps(asked, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_path(work_dir: Path, run_id: str) -> Path:
    """Where the plan of a run is kept; it outlives the run's unfinished parts, so that late retries find it."""
    return work_dir / _FOLDER / f"{run_id}.json"


def write_plan(plan: RunPlan, work_dir: Path) -> Path:
    """Keeps the plan; an existing one is left as it is.

    Args:
        plan: The plan.
        work_dir: The store's local folder (`Store.work_dir`).

    Returns:
        Path of the plan file, which is all the stages need.
    """
    path = plan_path(work_dir, plan.run_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        half = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        half.write_text(plan.model_dump_json(indent=1), encoding="utf-8")
        half.replace(path)
    return path


def read_plan(path: str | Path) -> RunPlan:
    """Reads a plan.

    Raises:
        RunError: If there is none, or it cannot be read.
    """
    try:
        return RunPlan.model_validate_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(
            f"the plan of the run is not at {str(path)!r} ({error.strerror}). "
            "It was finished long ago or removed: start a new run."
        ) from error
    except ValueError as error:
        raise RunError(f"the plan {str(path)!r} cannot be read: {error}. Remove it and start anew.") from error
