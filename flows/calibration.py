"""WHEN: once a week, and after people have labelled. How far the judge agrees with them."""

from __future__ import annotations

from prefect import flow

from tasks.calibrate import calibrate
from tasks.naming import calibration_name


@flow(name="goldassay-calibration", flow_run_name=calibration_name, persist_result=False)
async def calibration(
    project: str = ".",
    check: str | None = None,
) -> dict[str, int]:
    """Measures the judge against people's labels and posts the result as an artifact; returns the labels still needed.

    Args:
        project: Folder of goldassay.toml.
        check: Only this criterion or rule; else all that people labelled.
    """
    return await calibrate(project, check)
