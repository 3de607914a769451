"""``goldassay model-changed``: says that the assistant changed, which starts the golden run."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.embedded import prepare_prefect
from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

_HERE = Where()


def model_changed(
    *,
    model: Annotated[str | None, Parameter(help="The new answering model.")] = None,
    app_version: Annotated[str | None, Parameter(help="The new version of the assistant.")] = None,
    prompt_version: Annotated[str | None, Parameter(help="The new prompt.")] = None,
    index_version: Annotated[str | None, Parameter(help="The new index.")] = None,
    where: Where = _HERE,
) -> int:
    """Emit the event goldassay.model.changed, which starts the golden run on your Prefect server."""
    project = open_project(where)
    versions = {
        "model": model,
        "app_version": app_version,
        "prompt_version": prompt_version,
        "index_version": index_version,
    }
    if not any(versions.values()):
        raise ConfigError("nothing changed: name what did, e.g. --model judge-large or --app-version 2026.11.0.")
    if prepare_prefect(project.folder):
        raise ConfigError(
            "no Prefect server is set, so nobody would hear the event. Set PREFECT_API_URL, "
            "or run it here and now: goldassay golden --app-version ..."
        )
    event_id = project.module("tasks.events").emit_model_changed(project.settings.app, versions)
    sys.stdout.write(f"emitted goldassay.model.changed for {project.settings.app} ({event_id})\n")
    return 0
