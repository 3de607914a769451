"""What ``--estimate`` of ``goldassay run`` and ``goldassay golden`` shares: the place of the run, without Prefect."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from goldassay.cli.project import Project

if TYPE_CHECKING:
    from goldassay.stages.estimating import Place

__all__ = ["place_of", "settings_digest"]


def settings_digest(project: Project) -> str:
    """The digest by which an interrupted run of the same settings is found."""
    return str(project.module("tasks.project").settings_digest(project.settings))


def place_of(project: Project, resume: str | None) -> Place:
    """Where the run would be made; one that is named is gone on with under the settings it began with."""
    from goldassay.stages.estimating import Place
    from goldassay.stages.planning import plan_file

    store, settings = project.open_store(), project.settings
    if resume:
        settings = project.module("tasks.project").open_bench(str(plan_file(store, resume))).settings
    return Place(settings, project.folder, store, os.environ)
