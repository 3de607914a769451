"""``goldassay judge show``: exactly what would go out for a record, and what went out for a stored verdict."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from goldassay.cli.output import verdict_json
from goldassay.cli.project import Project, Where, open_project
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.judging import JudgeItem, Rubric
    from goldassay.judging.show import Shown, ShownReply
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
    from goldassay.judging.show import show_item

    project = open_project(where)
    judge = project.settings.judge
    item, verdicts = _found(project, record, run)
    shown = None
    if judge.provider != "lexical":
        shown = show_item(item, _rubric(project, judge.rubric, judge.rubric_version), judge)
    replies = [reply for verdict in verdicts if (reply := _reply(project, item, verdict)) is not None]
    if json:
        today = shown.data() if shown else {"record_id": record, "calls": [], "settled": []}
        stored = [verdict_json(verdict) for verdict in verdicts]
        print_json({**today, "stored": stored, "asked": [reply.data() for reply in replies]})
        return 0
    if shown and _went_out(shown, replies):
        sys.stdout.write("=== today the very same would be asked, by its hashes ===\n")
    else:
        sys.stdout.write(f"=== as it would be asked today ===\n\n{shown.text() if shown else _NOT_ASKED}\n")
    if verdicts:
        sys.stdout.write("\n=== as it was asked and answered ===\n")
    replies = [reply for reply in replies if not _is_settled(reply.verdict)]
    told = {reply.verdict.check for reply in replies}
    bare = [_bare(verdict) for verdict in verdicts if verdict.check not in told]
    for text in [*bare, *(reply.text() for reply in replies)]:
        sys.stdout.write(f"\n{text}\n")
    return 0


def _went_out(shown: Shown, replies: Sequence[ShownReply]) -> bool:
    """Whether all of today's requests are, by their hashes, shown below as those that went out."""
    sent = {reply.verdict.request_hash for reply in replies if reply.is_exact}
    return bool(shown.calls) and all(call.request_hash in sent for call in shown.calls)


_NOT_ASKED = (
    "No model is asked: judge.provider is 'lexical', which grades `faithful` by word overlap. "
    "Set judge.provider to see a request."
)


def _is_settled(verdict: Verdict) -> bool:
    """No judge was asked, nor any rule in its place: a question without a reference, say."""
    return verdict.judge_model is None and verdict.request_hash is None


def _bare(verdict: Verdict) -> str:
    """A stored row that no prompt stands behind, or none that is still there."""
    score = "" if verdict.score is None else f", score {verdict.score:g}"
    head = f"--- {verdict.check}: {verdict.outcome.value}{score} ---"
    if _is_settled(verdict):
        return f"{head}\nnothing went out, this was known without a call: {verdict.reason}"
    how = "without a prompt"
    if verdict.rubric is not None:
        how = f"with rubric {verdict.rubric} {verdict.rubric_version}, which is no longer there,"
    return f"{head}\ngraded {how} by {verdict.judge_provider} {verdict.judge_model}: {verdict.reason}"


def _reply(project: Project, item: JudgeItem, verdict: Verdict) -> ShownReply | None:
    from goldassay.judging.show import show_reply

    if verdict.rubric is None:
        return None
    try:
        rubric = _rubric(project, verdict.rubric, verdict.rubric_version)
    except ConfigError:
        return None
    return show_reply(verdict, rubric, item, project.settings.judge)


def _rubric(project: Project, name: str, version: str | None) -> Rubric:
    from goldassay.judging import load_rubric

    return load_rubric(name, version=version, folders=(project.folder / "config" / "rubrics",))


def _found(project: Project, record: str, run: str | None) -> tuple[JudgeItem, list[Verdict]]:
    """The record and its verdicts from the store; one that was never graded, from the log."""
    stored = _stored(project, record, run)
    if stored is not None:
        return stored
    logged = _logged(project, record) if run is None else None
    if logged is None:
        where = f"in run {run!r}" if run else "in the store or the log"
        raise ConfigError(f"no record {record!r} {where}; the stored ids stand in the view answers: goldassay query")
    return logged, []


def _stored(project: Project, record: str, run: str | None) -> tuple[JudgeItem, list[Verdict]] | None:
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
    return None


def _logged(project: Project, record: str) -> JudgeItem | None:
    import os

    from goldassay.judging import JudgeItem
    from goldassay.sources import read_answers, read_golden
    from goldassay.stages.judge import flags_of
    from goldassay.store import StoredAnswer

    settings = project.settings
    for batch in read_answers(settings.answers, base_dir=project.folder, environ=os.environ):
        for answer in batch.records:
            if answer.record_id == record:
                path = settings.golden.path
                golden = read_golden(project.folder / path).find(answer) if path else None
                flags = flags_of(StoredAnswer(answer, golden, None), settings.rules)
                return JudgeItem(answer, golden, 1.0, flags)
    return None
