"""``goldassay compare``: two runs or versions on the same questions: what broke, what was fixed, is it real."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from goldassay.cli.project import Project, Where, open_project

if TYPE_CHECKING:
    from goldassay.analytics.gate import GateConfig
    from goldassay.analytics.models_reports import CompareReport
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
        By | None,
        Parameter(
            help="What BASE and HEAD name. Default: runs where they are run ids, else the column that holds both."
        ),
    ] = None,
    check: Annotated[str | None, Parameter(help="Only this check.")] = None,
    since: Annotated[
        str | None,
        Parameter(help="Answers from this moment on: 2026-11-01 (midnight in the schedules' zone, else UTC), 30d."),
    ] = None,
    max_drop: Annotated[
        str | None, Parameter(help="Largest fall of the answers' or a gate check's rate that passes, e.g. 0.02 or 2%.")
    ] = None,
    fail_on: Annotated[
        list[str] | None, Parameter(help="Condition that fails the gate, e.g. 'wrong_number>0'. May be repeated.")
    ] = None,
    min_questions: Annotated[int | None, Parameter(help="Fewest common questions for a verdict.")] = None,
    rejudge: Annotated[
        bool,
        Parameter(help="Judge stored answers again first, so that today's judge graded both sides.", negative=()),
    ] = False,
    judge: Annotated[
        bool,
        Parameter(help="Also have the judge compare both answers to each question, in both orders.", negative=()),
    ] = False,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Also write a file ending in .html, .md or .xml (JUnit).")
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
    from goldassay.stages.zones import zone_of

    project = open_project(where)
    store, app = project.existing_store(), project.settings.app
    gate = _gate(project.settings.gate, max_drop=max_drop, fail_on=fail_on, min_questions=min_questions)
    base, head = (_accepted(project, store) if side == "baseline" else side for side in (base, head))
    named = by or _naming(store, base, head, app)
    first = parse_moment(since, now=datetime.now(UTC), zone=zone_of(project.folder))

    def made(base: str, head: str, base_run: str | None = None, head_run: str | None = None) -> CompareReport:
        return build(
            store,
            base,
            head,
            by=named,
            app=app,
            check=check,
            since=first,
            gate=gate,
            base_run=base_run,
            head_run=head_run,
        )

    if rejudge:
        from goldassay.cli.rejudging import compare_rejudged

        report = compare_rejudged(project, base, head, named, made)
    else:
        report = made(base, head)
    pairs = _judged(project, base, head, named) if judge else None
    if output is not None:
        _write(report, output, store, gate)
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

    from goldassay.analytics.labels import newest_run_with
    from goldassay.judging import load_rubric
    from goldassay.stages.pairing import judge_pairs

    store, settings = project.existing_store(), project.settings
    newest = [side if by == "run" else newest_run_with(store, by, side, app=settings.app) for side in (base, head)]
    one, two = (store.run(side, app=settings.app).run_id for side in newest)
    rubric = load_rubric("pairwise", folders=(project.folder / "config" / "rubrics",))
    judged = judge_pairs(store, one, two, rubric=rubric, config=settings.judge, environ=os.environ)
    return replace(judged, base=base, head=head)


def _gate(configured: GateConfig, *, max_drop: str | None, **given: Any) -> GateConfig:
    """The project's gate with what the command line says."""
    from pydantic import ValidationError

    from goldassay.errors import ConfigError

    set_here = {name: value for name, value in given.items() if value is not None}
    try:
        drop = {} if max_drop is None else {"max_drop": _share(max_drop)}
        return type(configured).model_validate({**configured.model_dump(), **set_here, **drop})
    except (ValidationError, ValueError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        told = (
            f"{'.'.join(map(str, first['loc']))}: {first['msg']}" if first else f"--max-drop {max_drop!r} is no share"
        )
        raise ConfigError(f"the gate cannot be set so: {told}. A share is 0.02 or 2%, between 0 and 1.") from None


def _share(text: str) -> float:
    number = text.strip().removesuffix("%")
    return float(number) / 100 if number != text.strip() else float(number)


def _accepted(project: Project, store: Store) -> str:
    from goldassay.errors import ConfigError

    accepted = store.baseline(project.settings.app)
    if accepted is None:
        raise ConfigError(f"{project.settings.app!r} has no baseline yet. Make a run one: goldassay accept RUN")
    return accepted.run_id


def _naming(store: Store, base: str, head: str, app: str) -> By:
    """Runs, where both are runs; else the version column that holds both."""
    from goldassay.analytics.labels import column_of

    ids = [run.run_id for run in store.runs(app)]
    if all(_names_run(text, ids) for text in (base, head)):
        return "run"
    return column_of(store, (base, head), app=app)


def _names_run(text: str, ids: list[str]) -> bool:
    is_id = re.match(r"\d{8}-\d{6}-[a-z]+-", text) is not None
    return is_id or text.partition(":")[0] in {"last", "latest"} or any(run_id.startswith(text) for run_id in ids)


def _write(report: CompareReport, output: Path, store: Store, gate: GateConfig) -> None:
    from goldassay.cli.output import writing
    from goldassay.errors import ConfigError
    from goldassay.reporting.compare_markdown import compare_markdown
    from goldassay.reporting.junit import compare_junit

    if output.suffix not in {".html", ".md", ".xml"}:
        raise ConfigError(f"a comparison is written as .html, .md or .xml (JUnit), not {output.suffix!r}.")
    if output.suffix == ".html":
        _write_page(report, output, store, gate)
        return
    with writing(output) as file:
        if output.suffix == ".md":
            file.write(compare_markdown(report))
        else:
            file.writelines(compare_junit(report))


def _write_page(report: CompareReport, output: Path, store: Store, gate: GateConfig) -> None:
    """Of runs the head's own page with every answer, against the base; of versions, being many runs, the changes."""
    from goldassay.cli.output import writing
    from goldassay.reporting.html import render_html
    from goldassay.reporting.html.compare import compare_html

    if report.by != "run":
        with writing(output) as file:
            file.write(compare_html(report))
        return
    render_html(store, report.head.label, output, compare_to=report.base.label, gate=gate)
