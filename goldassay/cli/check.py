"""``goldassay check``: the rules alone, for every commit. No network, no Prefect, no store."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from goldassay.cli.project import Project, Where, open_project
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.analytics.tally import Tally
    from goldassay.records import AnswerRecord, GoldenQuestion
    from goldassay.rules import RuleSet
    from goldassay.sources import AnswersConfig, GoldenSet
    from goldassay.verdicts import Verdict

_HERE = Where()
_BASE_SAMPLE = 500


def check(
    files: Annotated[list[str], Parameter(help="Files, globs or folders of answers; default: those of the project.")]
    | None = None,
    /,
    *,
    golden: Annotated[Path | None, Parameter(help="Golden set; default: the project's.")] = None,
    json: Annotated[bool, Parameter(help="Print one verdict a line as JSON.", negative=())] = False,
    junit: Annotated[Path | None, Parameter(help="Also write a JUnit file.")] = None,
    explain: Annotated[str | None, Parameter(help="Show one answer, by its id, with everything marked.")] = None,
    verbose: Annotated[bool, Parameter(help="All reasons, three examples each.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Check answers by the rules; exit code 1 when an answer fails a gate rule, or no gate rule could tell of any."""
    from goldassay.rules import load_rules

    project = open_project(where)
    rules = load_rules(project.settings.rules, base_dir=project.folder)
    answers, base = _answers(project, files)
    golden_set = _golden(project, golden)
    if explain is not None:
        return _explain(answers, base, golden_set, rules, explain)
    return _check(answers, base, golden_set, rules, project, json=json, junit=junit, verbose=verbose, files=files or ())


def _answers(project: Project, files: list[str] | None) -> tuple[AnswersConfig, Path]:
    configured: AnswersConfig = project.settings.answers
    if not files:
        if not configured.path and not configured.reads_sql:
            raise ConfigError("no answers to check. Name files (goldassay check logs/*.jsonl) or set answers.path.")
        return _named(configured, project), project.folder
    # The columns are mapped as in the project's own log; only the place is another.
    elsewhere = configured.model_copy(update={"path": list(files), "source": "auto", "url": None, "url_env": None})
    return _named(elsewhere, project), Path.cwd()


def _named(answers: AnswersConfig, project: Project) -> AnswersConfig:
    """Records that name no app are the project's, as in a run."""
    return answers.model_copy(update={"defaults": {"app": project.settings.app, **answers.defaults}})


def _golden(project: Project, path: Path | None) -> GoldenSet | None:
    from goldassay.sources import read_golden

    if path is not None:
        return read_golden(path)
    configured = project.settings.golden.path
    return None if configured is None else read_golden(project.folder / configured)


def _pairs(
    answers: AnswersConfig, base: Path, golden: GoldenSet | None, tally: Tally
) -> Iterator[tuple[AnswerRecord, GoldenQuestion | None]]:
    import os

    from goldassay.sources import read_answers

    for batch in read_answers(answers, base_dir=base, environ=os.environ):
        tally.set_aside(batch.rejected)
        tally.note(batch.notes)
        for record, inline in zip(batch.records, batch.golden, strict=True):
            yield record, (golden.find(record) if golden else None) or inline


def _check(
    answers: AnswersConfig,
    base: Path,
    golden: GoldenSet | None,
    rules: RuleSet,
    project: Project,
    *,
    json: bool,
    junit: Path | None,
    verbose: bool,
    files: Sequence[str],
) -> int:
    from goldassay.analytics.tally import Tally

    if json and junit is not None:
        raise ConfigError("--json and --junit are both set. Choose one, or run the command twice.")
    tally = Tally(app=project.settings.app, gate=project.settings.rules.gate)
    pairs, rules = _numbered(_pairs(answers, base, golden, tally), rules)
    rows = _checked(pairs, rules, tally)
    if json:
        _print_json(rows)
    elif junit is not None:
        _write_junit(junit, rows)
    else:
        for _ in rows:
            pass
    if not json:
        _print_report(tally, verbose=verbose, files=files)
    return 1 if tally.failed_answers or _proves_nothing(tally, project) else 0


def _proves_nothing(tally: Tally, project: Project) -> bool:
    """A log without sources, or mapped wrongly, leaves every gate rule silent; that is no pass."""
    if tally.told_answers or not project.settings.rules.gate:
        return False
    sys.stderr.write(
        "goldassay: no gate rule could tell of any answer, which proves nothing: exit code 1. "
        "Is the log read as you meant? goldassay doctor\n"
    )
    return True


def _numbered(
    pairs: Iterator[tuple[AnswerRecord, GoldenQuestion | None]], rules: RuleSet
) -> tuple[Iterator[tuple[AnswerRecord, GoldenQuestion | None]], RuleSet]:
    """Looks at the first answers whether this log numbers its sources from 0 or from 1."""
    from itertools import chain, islice

    from goldassay.rules import load_rules
    from goldassay.rules.cites_base import detect_base
    from goldassay.rules.settings import with_citation_base

    first = list(islice(pairs, _BASE_SAMPLE))
    config = with_citation_base(rules.config, detect_base(record for record, _ in first))
    return chain(first, pairs), load_rules(config, base_dir=rules.base_dir)


def _checked(
    pairs: Iterable[tuple[AnswerRecord, GoldenQuestion | None]], rules: RuleSet, tally: Tally
) -> Iterator[Verdict]:
    from goldassay.rules import check_answer

    for record, golden in pairs:
        verdicts = check_answer(record, golden, rules)
        tally.add(record, golden, verdicts)
        yield from verdicts


def _print_json(rows: Iterable[Verdict]) -> None:
    import orjson

    from goldassay.cli.output import verdict_json

    for verdict in rows:
        sys.stdout.buffer.write(orjson.dumps(verdict_json(verdict)) + b"\n")


def _write_junit(path: Path, rows: Iterable[Verdict]) -> None:
    from goldassay.cli.output import writing
    from goldassay.reporting.junit import verdicts_junit

    with writing(path) as file:
        file.writelines(verdicts_junit(rows, name="goldassay check"))


def _print_report(tally: Tally, *, verbose: bool, files: Sequence[str]) -> None:
    from goldassay.reporting.terminal import print_check
    from goldassay.reporting.theme import make_console

    print_check(tally.summary(), make_console(), verbose=verbose, files=files)


def _explain(answers: AnswersConfig, base: Path, golden: GoldenSet | None, rules: RuleSet, record_id: str) -> int:
    from goldassay.analytics.tally import Tally
    from goldassay.reporting.explain import print_explanation
    from goldassay.reporting.theme import make_console
    from goldassay.rules.explain import explain

    pairs, rules = _numbered(_pairs(answers, base, golden, Tally(app="", gate=())), rules)
    for record, question in pairs:
        if record.record_id == record_id:
            print_explanation(explain(record, question, rules), make_console())
            return 0
    raise ConfigError(f"no answer with id {record_id!r} in these files. The ids stand in: goldassay check FILES --json")
