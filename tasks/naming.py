"""Names of flow runs: app, version and date at a glance."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from prefect.runtime import flow_run

from config.settings import load_settings
from goldassay.errors import GoldassayError

__all__ = ["artifact_key", "backfill_name", "calibration_name", "golden_name", "nightly_name", "watch_name"]


def nightly_name() -> str:
    """'atlas nightly 2026-11-29 02:30'."""
    return f"{_app()} nightly {_today()}"


def golden_name() -> str:
    """'atlas golden 2026.11.0 2026-11-29 14:05'."""
    asked = flow_run.parameters
    version = asked.get("app_version") or asked.get("model") or asked.get("prompt_version") or "newest"
    return f"{_app()} golden {version} {_today()}"


def backfill_name() -> str:
    """'atlas backfill 2026-11-01 to 2026-11-08'."""
    asked = flow_run.parameters
    return f"{_app()} backfill {asked.get('since')} to {asked.get('until')}"


def watch_name() -> str:
    """'atlas watch 2026-11-29 14:07'."""
    return f"{_app()} watch {_today()}"


def calibration_name() -> str:
    """'atlas calibration 2026-11-29 14:07'."""
    return f"{_app()} calibration {_today()}"


def artifact_key(app: str) -> str:
    """'goldassay-atlas': keys of artifacts take small letters, digits and dashes only."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in app.lower()).strip("-")
    return f"goldassay-{plain or 'app'}"


def _app() -> str:
    try:
        return load_settings(Path(flow_run.parameters.get("project") or ".")).app
    except GoldassayError:
        return "goldassay"  # the run itself will say what is wrong with the settings


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
