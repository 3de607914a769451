"""``goldassay judge show``: exactly what would go out for a record, and what went out for a stored verdict."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from cyclopts import App, Parameter

from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

_HERE = Where()
judge_app = App(name="judge", help="Look at what the judge is asked.")


@judge_app.command
def show(
    record: Annotated[str, Parameter(help="Id of a record.")],
    /,
    *,
    run: Annotated[
        str | None, Parameter(help="Run the record is taken from; default: the newest that holds it.")
    ] = None,
    where: Where = _HERE,
) -> int:
    """Print the prompt and request for a record (keys masked), the stored reply, and how it was read."""
    from goldassay.judging import JudgeItem, load_rubric
    from goldassay.judging.show import show_request, show_verdict

    project = open_project(where)
    store, settings = project.open_store(), project.settings
    rubric = load_rubric(
        settings.judge.rubric,
        version=settings.judge.rubric_version,
        folders=(project.folder / "config" / "rubrics",),
    )
    runs = store.runs(settings.app)
    chosen = [store.run(run, app=settings.app)] if run else list(reversed(runs))
    for manifest in chosen:
        for stored in store.answers_of(manifest.run_id):
            if stored.record.record_id == record:
                item = JudgeItem(stored.record, stored.golden)
                sys.stdout.write(show_request(item, rubric, settings.judge, environ=os.environ))
                for verdict in store.verdicts_of(manifest.run_id):
                    if verdict.record_id == record and verdict.check_kind == "judge":
                        sys.stdout.write(show_verdict(verdict, rubric))
                return 0
    raise ConfigError(f"no stored record {record!r}; the ids stand in the view answers: goldassay query")
