"""Calibrate: the judge against people's labels, as a page in Prefect."""

from __future__ import annotations

import asyncio
from pathlib import Path

from prefect import task
from prefect.artifacts import acreate_markdown_artifact
from prefect.logging import get_run_logger

from config.settings import load_settings
from goldassay.analytics.calibration import calibration
from goldassay.analytics.calibration_models import CalibrationReport
from goldassay.reporting.calibration_markdown import calibration_markdown
from tasks.naming import artifact_key
from tasks.project import open_project_store, project_folder
from tasks.retrying import INFRASTRUCTURE

__all__ = ["calibrate"]


@task(name="calibrate", **INFRASTRUCTURE)
async def calibrate(project: str, check: str | None) -> dict[str, int]:
    """Posts how far each judge agrees with people.

    Returns:
        For each criterion and judge: labels still needed before its figures may be trusted; 0: calibrated.
    """
    report = await asyncio.to_thread(_calibration, project_folder(project), check)
    await acreate_markdown_artifact(
        calibration_markdown(report), key=f"{artifact_key(report.app)}-calibration", description="judge against people"
    )
    needed = {" / ".join(part for part in judge.key if part): judge.needed for judge in report.judges}
    get_run_logger().info("labels still needed: %s", needed or "nobody has labelled anything yet")
    return needed


def _calibration(folder: Path, check: str | None) -> CalibrationReport:
    settings = load_settings(folder)
    return calibration(open_project_store(settings, folder), app=settings.app, check=check)
