"""Names of flow runs: app, version and date at a glance, by the clock of the project's schedules."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.runtime import flow_run

from config.settings import load_settings
from goldassay.errors import GoldassayError
from goldassay.reporting.safe import excerpt
from goldassay.stages.zones import zone_of

__all__ = [
    "artifact_key",
    "backfill_name",
    "calibration_name",
    "freshness_name",
    "golden_name",
    "name_versions",
    "nightly_name",
    "rejudge_name",
    "watch_name",
]

_MOST = 60
"""Characters of a version in a name: one that is longer, or holds line breaks, would make the page of runs useless."""


def nightly_name() -> str:
    """'atlas nightly 2026-11-29 02:30'; the version joins once the log has told it (`name_versions`)."""
    return f"{_app()} nightly {_today()}"


def golden_name() -> str:
    """'atlas golden 2026.11.0 2026-11-29 14:05'."""
    asked = flow_run.parameters
    version = asked.get("app_version") or asked.get("model") or asked.get("prompt_version") or "newest"
    return f"{_app()} golden {excerpt(str(version), _MOST)} {_today()}"


def backfill_name() -> str:
    """'atlas backfill 2026-11-01 to 2026-11-08'."""
    asked = flow_run.parameters
    return f"{_app()} backfill {excerpt(str(asked.get('since')), _MOST)} to {excerpt(str(asked.get('until')), _MOST)}"


def rejudge_name() -> str:
    """'atlas rejudge 20261129-020500-nightly-3f9c 2026-11-29 14:05'."""
    return f"{_app()} rejudge {excerpt(str(flow_run.parameters.get('run')), _MOST)} {_today()}"


def watch_name() -> str:
    """'atlas watch 2026-11-29 14:07'."""
    return f"{_app()} watch {_today()}"


def freshness_name() -> str:
    """'atlas freshness 2026-11-29 14:00'."""
    return f"{_app()} freshness {_today()}"


def calibration_name() -> str:
    """'atlas calibration 2026-11-29 14:07'."""
    return f"{_app()} calibration {_today()}"


async def name_versions(kind: str, versions: Sequence[str]) -> None:
    """Puts the versions that a run found in the log into its name: 'atlas nightly 2026.11.0 2026-11-29 02:30'.

    Args:
        kind: As in the name.
        versions: Of the answers; two at most are named.
    """
    run_id, name = flow_run.get_id(), flow_run.get_name() or ""
    found = [excerpt(version, _MOST) for version in versions if version]
    if run_id is None or not found or f" {kind} " not in name or f" {kind} {found[0]}" in name:
        return
    told = "+".join(found[:2]) + ("+..." if len(found) > 2 else "")
    with contextlib.suppress(Exception):  # a name is no reason to fail a run
        async with get_client() as client:
            await client.update_flow_run(UUID(run_id), name=name.replace(f" {kind} ", f" {kind} {told} ", 1))


def artifact_key(app: str) -> str:
    """'goldassay-atlas': keys of artifacts take small letters, digits and dashes only.

    An app whose name had to be changed gets a digest, so that 'Atlas' and 'atlas' keep artifacts of their own.
    """
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in app.lower()).strip("-") or "app"
    return f"goldassay-{plain}" if plain == app else f"goldassay-{plain}-{hashlib.sha256(app.encode()).hexdigest()[:6]}"


def _folder() -> Path:
    return Path(flow_run.parameters.get("project") or ".")


def _app() -> str:
    try:
        return load_settings(_folder()).app
    except GoldassayError:
        return "goldassay"  # the run itself will say what is wrong with the settings


def _today() -> str:
    return f"{datetime.now(zone_of(_folder())):%Y-%m-%d %H:%M}"
