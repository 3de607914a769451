"""``goldassay query``: SQL over the store's views, read-only."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from goldassay.cli.project import Where, open_project
from goldassay.errors import ConfigError

if TYPE_CHECKING:
    from goldassay.analytics.results import ResultFormat
    from goldassay.store import Store

_HERE = Where()
_ENDINGS: dict[str, ResultFormat] = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".parquet": "parquet"}


def query(
    sql: Annotated[
        str | None, Parameter(help="One SELECT over answers, verdicts, runs, labels, reasons, latest.")
    ] = None,
    /,
    *,
    param: Annotated[
        list[str] | None, Parameter(help="Value for $name in the SQL: --param name=value. May be repeated.")
    ] = None,
    format: Annotated[
        Literal["table", "csv", "json", "jsonl", "parquet"] | None,
        Parameter(help="How to print or write the result; default: by the ending of --output, else a table."),
    ] = None,
    json: Annotated[bool, Parameter(help="The same as --format json.", negative=())] = False,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="File to write; default: standard output.")
    ] = None,
    memory: Annotated[str, Parameter(help="Most memory for the query; its result may take as much again.")] = "2GB",
    timeout: Annotated[float, Parameter(help="Most seconds the query may take.")] = 300.0,
    shell: Annotated[bool, Parameter(help="Open DuckDB's own shell on the views, or say how to.", negative=())] = False,
    where: Where = _HERE,
) -> int:
    """Ask the store a question in SQL."""
    from goldassay.analytics.memory import within_memory
    from goldassay.analytics.query import run_query, write_result

    project = open_project(where)
    store = project.existing_store()
    if shell:
        return _open_shell(store, project.folder)
    if sql is None:
        raise ConfigError('no SQL given. For instance: goldassay query "SELECT * FROM runs"')
    chosen = "json" if json else format or _by_ending(output)
    with within_memory(memory):
        table = run_query(store, sql, _bound(param or []), memory_limit=memory, timeout_s=timeout)
        write_result(table, chosen, sys.stdout if output is None else output)
    return 0


def _by_ending(output: Path | None) -> ResultFormat:
    if output is None or output.suffix == ".txt":
        return "table"
    found = _ENDINGS.get(output.suffix.lower())
    if found is None:
        raise ConfigError(f"-o {str(output)!r}: end it in {', '.join(_ENDINGS)} or .txt, or say which --format.")
    return found


def _open_shell(store: Store, folder: Path) -> int:
    from goldassay.analytics.query import write_shell_init

    script = write_shell_init(store, folder / ".goldassay" / "shell")
    program = shutil.which("duckdb")
    if program is None:
        sys.stdout.write(f"DuckDB's shell is not installed. With it: duckdb -init {shlex.quote(str(script))}\n")
        return 0
    return subprocess.run([program, "-init", str(script)], check=False).returncode


def _bound(texts: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--param takes name=value, got {text!r}; in the SQL it stands as $name.")
        values[name] = value
    return values
