"""``goldassay report``: one run as a page, as Markdown for a pull request, as JUnit, or on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.analytics.gate import GateConfig

_HERE = Where()
_ENDINGS = (".html", ".md", ".xml")


def report(
    run: Annotated[str, Parameter(help="Run id, or the beginning of one, or 'last'.")] = "last",
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], help="File ending in .html, .md or .xml (JUnit); default: the terminal."),
    ] = None,
    verbose: Annotated[bool, Parameter(help="All reasons, changes and set-aside lines.", negative=())] = False,
    json: Annotated[bool, Parameter(help="Print everything as JSON.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Show one run."""
    from goldassay.analytics.summary import run_summary
    from goldassay.cli.output import print_json
    from goldassay.reporting.terminal import print_summary
    from goldassay.reporting.theme import make_console

    project = open_project(where)
    store = project.existing_store()
    found = store.run(run, app=project.settings.app)
    gate = project.settings.gate if found.run_kind == "golden" else None
    if output is not None:
        return _write(store, found.run_id, output, project.settings.run.compare_to, gate)
    summary = run_summary(store, found.run_id, compare_to=project.settings.run.compare_to, gate=gate)
    if json:
        print_json(summary)
    else:
        print_summary(summary, make_console(), verbose=verbose)
    return 0


def _write(store: object, run_id: str, output: Path, compare_to: str, gate: GateConfig | None) -> int:
    import sys

    from goldassay.analytics.summary import run_summary
    from goldassay.cli.output import writing
    from goldassay.reporting.html import render_html
    from goldassay.reporting.junit import verdicts_junit
    from goldassay.reporting.markdown import summary_markdown
    from goldassay.store import Store

    assert isinstance(store, Store)
    if output.suffix == ".html":
        render_html(store, run_id, output, compare_to=compare_to, gate=gate)
    elif output.suffix == ".md":
        with writing(output) as file:
            file.write(summary_markdown(run_summary(store, run_id, compare_to=compare_to, gate=gate)))
    elif output.suffix == ".xml":
        with writing(output) as file:
            questions = {answer.record.record_id: answer.record.question for answer in store.answers_of(run_id)}
            file.writelines(verdicts_junit(store.verdicts_of(run_id), questions=questions, name=run_id))
    else:
        raise ConfigError(f"no report ends in {output.suffix!r}; known endings are {', '.join(_ENDINGS)}.")
    sys.stderr.write(f"goldassay: wrote {output}\n")
    return 0
