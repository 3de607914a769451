"""``goldassay ask``: one question to the assistant itself, with the sources it was sent, checked by the rules."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

_HERE = Where()


def ask(
    question: Annotated[str, Parameter(help="The question.")],
    /,
    *,
    app_version: Annotated[str, Parameter(help="Version to ask for, where the assistant knows several.")] = "",
    model: Annotated[str | None, Parameter(help="Answering model to ask for.")] = None,
    json: Annotated[bool, Parameter(help="Print the record as JSON.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Ask the assistant as a golden run would; nothing is stored."""
    import os

    from goldassay.cli.output import print_json
    from goldassay.reporting.explain import print_explanation
    from goldassay.reporting.theme import make_console
    from goldassay.rules import load_rules
    from goldassay.rules.explain import explain
    from goldassay.sources.assistant import AskedVersion, ask_one

    project = open_project(where)
    config = project.settings.assistant
    if config is None:
        raise ConfigError("no assistant is set. Say in [assistant] of goldassay.toml how to ask it: docs/assistant.md")
    version = AskedVersion(project.settings.app, app_version, model)
    record = ask_one(question, config, version=version, environ=os.environ, base_dir=project.folder)
    if json:
        print_json(record.model_dump(mode="json", exclude_none=True))
    else:
        rules = load_rules(project.settings.rules, base_dir=project.folder)
        print_explanation(explain(record, None, rules), make_console())
    return 0
