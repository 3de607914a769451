"""``goldassay compare``: two runs or versions on the same questions: what broke, what was fixed, is it real."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from goldassay.cli.project import Project, Where, open_project

if TYPE_CHECKING:
    from goldassay.stages.pairing import PairsJudged
    from goldassay.store import Store

_HERE = Where()
By = Literal["run", "app_version", "model", "prompt_version", "index_version"]


def compare(
    base: Annotated[str, Parameter(help="Run id (or 'last', 'baseline') or version to compare with.")],
    head: Annotated[str, Parameter(help="Run id or version that is to replace it.")],
    /,
    *,
    by: Annotated[
        By | None, Parameter(help="What BASE and HEAD name. Default: runs where they are run ids, else app_version.")
    ] = None,
    check: Annotated[str | None, Parameter(help="Only this check.")] = None,
    since: Annotated[str | None, Parameter(help="Answers from this moment on.")] = None,
    max_drop: Annotated[
        float | None, Parameter(help="Largest fall of a gate check's rate that passes, e.g. 0.02.")
    ] = None,
    fail_on: Annotated[
        list[str] | None, Parameter(help="Condition that fails the gate, e.g. 'wrong_number>0'. May be repeated.")
    ] = None,
    min_questions: Annotated[int | None, Parameter(help="Fewest common questions for a verdict.")] = None,
    rejudge: Annotated[
        bool, Parameter(help="Judge BASE's stored answers again with today's judge first.", negative=())
    ] = False,
    judge: Annotated[
        bool,
        Parameter(help="Also have the judge compare both answers to each question, in both orders.", negative=()),
    ] = False,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Also write a file ending in .md or .xml (JUnit).")
    ] = None,
    json: Annotated[bool, Parameter(help="Print everything as JSON.", negative=())] = False,
    verbose: Annotated[bool, Parameter(help="All changed questions.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Compare two sides on their common questions; exit code 1 when the gate does not open."""
    from datetime import UTC, datetime

    from goldassay.analytics.compare import compare as build
    from goldassay.cli.output import print_json
    from goldassay.reporting.terminal import print_compare
    from goldassay.reporting.theme import make_console
    from goldassay.stages.planning import parse_moment

    project = open_project(where)
    store = project.existing_store()
    given = {"max_drop": max_drop, "fail_on": tuple(fail_on) if fail_on else None, "min_questions": min_questions}
    gate = type(project.settings.gate).model_validate(
        {**project.settings.gate.model_dump(), **{name: value for name, value in given.items() if value is not None}}
    )
    if base == "baseline":
        base = _accepted(project, store)
    if by is None:
        ids = [run.run_id for run in store.runs(project.settings.app)]
        by = "run" if all(_names_run(text, ids) for text in (base, head)) else "app_version"
    if rejudge:
        from goldassay.cli.rejudge import rejudge_run

        base, by = rejudge_run(project, base, by), "run"
    report = build(
        store, base, head, by=by, app=project.settings.app, check=check, gate=gate,
        since=parse_moment(since, now=datetime.now(UTC)),
    )  # fmt: skip
    pairs = _judged(project, base, head, by) if judge else None
    if output is not None:
        _write(report, output)
    if json:
        print_json(report if pairs is None else {"comparison": report, "side_by_side": pairs.data()})
    else:
        print_compare(report, make_console(), verbose=verbose)
        sys.stdout.write(f"\n{pairs.sentence}\n" if pairs is not None else "")
    return report.gate.exit_code if report.gate is not None else 0


def _judged(project: Project, base: str, head: str, by: By) -> PairsJudged:
    """Both answers to each common question before the judge; of a version, those of its newest run."""
    import os
    from dataclasses import replace

    from goldassay.cli.rejudge import newest_with
    from goldassay.judging import load_rubric
    from goldassay.stages.pairing import judge_pairs

    store, settings = project.existing_store(), project.settings
    sides = [side if by == "run" else newest_with(project, side) for side in (base, head)]
    one, two = (store.run(side, app=settings.app).run_id for side in sides)
    rubric = load_rubric("pairwise", folders=(project.folder / "config" / "rubrics",))
    judged = judge_pairs(store, one, two, rubric=rubric, config=settings.judge, environ=os.environ)
    return replace(judged, base=base, head=head)


def _accepted(project: Project, store: Store) -> str:
    from goldassay.errors import ConfigError

    accepted = store.baseline(project.settings.app)
    if accepted is None:
        raise ConfigError(f"{project.settings.app!r} has no baseline yet. Make a run one: goldassay accept RUN")
    return accepted.run_id


def _names_run(text: str, ids: list[str]) -> bool:
    is_id = re.match(r"\d{8}-\d{6}-[a-z]+-", text) is not None
    return is_id or text.partition(":")[0] in {"last", "latest"} or any(run_id.startswith(text) for run_id in ids)


def _write(report: object, output: Path) -> None:
    from goldassay.analytics.models_reports import CompareReport
    from goldassay.cli.output import writing
    from goldassay.errors import ConfigError
    from goldassay.reporting.junit import compare_junit
    from goldassay.reporting.markdown import compare_markdown

    assert isinstance(report, CompareReport)
    if output.suffix not in {".md", ".xml"}:
        raise ConfigError(f"a comparison is written as .md or .xml (JUnit), not {output.suffix!r}.")
    with writing(output) as file:
        if output.suffix == ".md":
            file.write(compare_markdown(report))
        else:
            file.writelines(compare_junit(report))
