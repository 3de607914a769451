"""``goldassay compare --rejudge``: the base's stored answers, judged again by today's judge."""

from __future__ import annotations

from goldassay.cli.flows import run_flow
from goldassay.cli.project import Project
from goldassay.errors import ConfigError

__all__ = ["rejudge_run"]


def rejudge_run(project: Project, base: str, by: str) -> str:
    """Judges a stored run again.

    Args:
        project: The project.
        base: A run, or a version label whose newest run is taken.
        by: What `base` names.

    Returns:
        Id of the new run of kind rejudge.
    """
    run = base if by == "run" else _newest_with(project, base)
    totals = run_flow(project, "rejudge", {"run": run, "settings": list(project.overrides)})
    return str(totals["run_id"])


def _newest_with(project: Project, version: str) -> str:
    runs = project.open_store().runs(project.settings.app)
    found = [r for r in runs if version in {*r.app_versions, r.model, r.prompt_version, r.index_version}]
    if not found:
        raise ConfigError(f"no stored run of version {version!r} to judge again; see goldassay history.")
    return found[-1].run_id
