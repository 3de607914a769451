"""The zone in which a project's days begin: that of its schedules, so that a day asked for by hand is a night's day."""

from __future__ import annotations

from datetime import UTC, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

__all__ = ["zone_of"]


def zone_of(folder: Path) -> tzinfo:
    """The zone of the project's schedules (deployments/prefect.yaml, definitions.zone); UTC where none is named."""
    import yaml  # noqa: PLC0415 - most commands name no day

    try:
        content = yaml.safe_load((folder / "deployments" / "prefect.yaml").read_text(encoding="utf-8"))
        return ZoneInfo(str(content["definitions"]["zone"]))
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError):
        return UTC
