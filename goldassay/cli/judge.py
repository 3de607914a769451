"""``goldassay judge show``: exactly what would go out for a record, and what went out for a stored verdict."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from goldassay.cli.output import verdict_json
from goldassay.cli.project import Project, Where, open_project
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.judging import JudgeItem, Rubric
    from goldassay.verdicts import Verdict

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
    json: Annotated[bool, Parameter(help="Print it as JSON.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Print the prompt and request for a record (keys masked), the stored reply, and how it was read."""
    from goldassay.cli.output import print_json
    from goldassay.judging.show import show_item, show_reply

    project = open_project(where)
    item, verdicts = _stored(project, record, run)
    rubric = _rubric(project, project.settings.judge.rubric, project.settings.judge.rubric_version)
    shown = show_item(item, rubric, project.settings.judge)
    if json:
        print_json({**shown.data(), "stored": [verdict_json(verdict) for verdict in verdicts]})
        return 0
    sys.stdout.write(shown.text() + "\n")
    for verdict in verdicts:
        if verdict.rubric is not None:
            reply = show_reply(verdict, _rubric(project, verdict.rubric, verdict.rubric_version), item)
            sys.stdout.write(f"\n{reply.text()}\n")
    return 0


def _rubric(project: Project, name: str, version: str | None) -> Rubric:
    from goldassay.judging import load_rubric

    return load_rubric(name, version=version, folders=(project.folder / "config" / "rubrics",))


def _stored(project: Project, record: str, run: str | None) -> tuple[JudgeItem, list[Verdict]]:
    from goldassay.judging import JudgeItem
    from goldassay.stages.judge import flags_of

    store, settings = project.existing_store(), project.settings
    runs = [store.run(run, app=settings.app)] if run else list(reversed(store.runs(settings.app)))
    for manifest in runs:
        for stored in store.answers_of(manifest.run_id):
            if stored.record.record_id == record:
                rows = store.verdicts_of(manifest.run_id)
                judged = [v for v in rows if v.record_id == record and v.check_kind == "judge"]
                return JudgeItem(stored.record, stored.golden, 1.0, flags_of(stored, settings.rules)), judged
    raise ConfigError(f"no stored record {record!r}; the ids stand in the view answers: goldassay query")
