"""A user's own SQL over the store: read-only, bound parameters, limits of memory and time, clear mistakes.

What is allowed is decided by DuckDB's own parser and sandbox, not by looking for
words: one statement, and it must be a SELECT.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.analytics.connect import VIEWS, connect
from goldassay.analytics.results import spreadsheet_safe, write_result
from goldassay.analytics.scan import quote_identifier, quote_literal
from goldassay.errors import ConfigError, GoldassayError, RunError, StoreError
from goldassay.store.columns import SCHEMAS
from goldassay.store.files import LocalFiles
from goldassay.store.store import Store

__all__ = ["run_query", "spreadsheet_safe", "to_arrow", "write_result", "write_shell_init"]


_NEAR = re.compile(r'at or near "(\w{1,40})"')
_NO_COLUMN = re.compile(r'Referenced column "(\w{1,40})" not found')
_COLUMNS = frozenset(name for schema in SCHEMAS.values() for name in schema.names)
_MEMORY = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,3})? ?(?:[KMGT]i?B)", re.IGNORECASE)


def run_query(
    store: Store,
    sql: str,
    params: Mapping[str, Any] | None = None,
    *,
    memory_limit: str = "2GB",
    timeout_s: float = 60.0,
    threads: int | None = None,
) -> pa.Table:
    """Answer one SELECT over the views answers, verdicts, runs, labels, reasons and latest.

    Args:
        store: The store.
        sql: One SELECT statement; `$name` stands for a parameter.
        params: Values by name; they are bound, never written into the SQL.
        memory_limit: What DuckDB may use, e.g. '2GB'.
        timeout_s: The query is interrupted after this many seconds.
        threads: None: one for each core.

    Returns:
        The result as an Arrow table.

    Raises:
        ConfigError: If the SQL is wrong, is no SELECT, or its parameters do not fit.
        RunError: If it takes too long or too much memory.
    """
    values = dict(params or {})
    _check_limits(memory_limit, timeout_s)
    _check_statement(sql, values)
    connection = connect(store, memory_limit=memory_limit, threads=threads)
    try:
        with _clear_errors(sql, memory_limit, timeout_s), _interrupting(connection, timeout_s):
            return to_arrow(connection, sql, values)
    finally:
        connection.close()


def write_shell_init(store: Store, folder: Path) -> Path:
    """Write a script that gives DuckDB's own shell the same views: `duckdb -init <file>`.

    The views show the store as it is now; write the script again for later runs.
    """
    if not isinstance(store.files, LocalFiles):
        message = f"DuckDB's shell reads folders; the store is {store.address!r}. Copy it, or use goldassay query SQL."
        raise ConfigError(message)
    folder.mkdir(parents=True, exist_ok=True)
    with connect(store, read_only_sandbox=False) as connection:
        runs = folder / "runs.parquet"
        pq.write_table(to_arrow(connection, "SELECT * FROM run_list"), runs)
        script = "\n".join(_shell_statements(connection, runs))
    target = folder / "views.sql"
    target.write_text(script + "\n", encoding="utf-8")
    return target


def to_arrow(connection: duckdb.DuckDBPyConnection, sql: str, params: Mapping[str, Any] | None = None) -> pa.Table:
    """Run one SELECT and return its rows as an Arrow table."""
    relation = connection.sql(sql, params=dict(params or {}) or None)
    if relation is None:
        return pa.table({})
    return _with_own_names(relation.to_arrow_table())


def _with_own_names(table: pa.Table) -> pa.Table:
    """Two columns of one name become 'a' and 'a_2': as JSON, or in a file, one would hide the other."""
    seen: dict[str, int] = {}
    names: list[str] = []
    for name in table.schema.names:
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return table.rename_columns(names) if names != table.schema.names else table


def _check_limits(memory_limit: str, timeout_s: float) -> None:
    if _MEMORY.fullmatch(memory_limit.strip()) is None:
        raise ConfigError(f"{memory_limit!r} is no amount of memory. Give one such as 500MB or 2GB.")
    if not 0 < timeout_s < math.inf:
        raise ConfigError(f"{timeout_s!r} is no number of seconds. Give one above 0.")


def _check_statement(sql: str, values: Mapping[str, Any]) -> None:
    try:
        with duckdb.connect() as parser:
            statements = parser.extract_statements(sql)
    except duckdb.Error as error:
        message = f"the SQL cannot be read: {_told(error)}{_reserved(error)}Correct it and run it again."
        raise ConfigError(message) from error
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        found = " and ".join(statement.type.name for statement in statements) or "nothing"
        # MULTI is what a PIVOT without its values becomes: a new type first, then the query.
        found = found.replace("MULTI", "a PIVOT without IN (...)")
        message = f"only one SELECT is answered; this is {found}. The store is never changed by a query."
        raise ConfigError(message)
    wanted = {str(name) for name in statements[0].named_parameters}
    if wanted != set(values):
        missing, extra = sorted(wanted - set(values)), sorted(set(values) - wanted)
        message = f"the parameters do not fit: missing {missing}, not in the SQL {extra}. Give each $name one value."
        raise ConfigError(message)


def _reserved(error: duckdb.Error) -> str:
    """A column whose name SQL has a use for of its own, `check` above all."""
    found = _NEAR.search(str(error))
    if found is None or found[1].lower() not in _COLUMNS:
        return ""
    return f'The column {found[1]} is a word of SQL too: write it in double quotes, "{found[1]}". '


def _unquoted(error: duckdb.Error, sql: str) -> str:
    """A text without quotes, or in double ones, is taken for a column."""
    found = _NO_COLUMN.search(str(error))
    if found is None:
        return ""
    compared = rf"""(?:=|<>|!=|\b(?:IN|LIKE)\b)\s{{0,20}}\(?\s{{0,20}}"?{re.escape(found[1])}\b"""
    if re.search(compared, sql, re.IGNORECASE) is None:
        return ""
    return f"If {found[1]} is a text, put it in single quotes: '{found[1]}'. "


@contextmanager
def _clear_errors(sql: str, memory_limit: str, timeout_s: float) -> Iterator[None]:
    try:
        yield
    except duckdb.InterruptException as error:
        message = (
            f"the query took longer than {timeout_s:g} s. Narrow it (month, run_id, app_version), or raise the limit."
        )
        raise RunError(message) from error
    except duckdb.OutOfMemoryException as error:
        message = f"the query needs more memory than {memory_limit}. Narrow it, or raise the limit."
        raise RunError(message) from error
    except duckdb.Error as error:
        raise _explained(error, sql) from error


def _explained(error: duckdb.Error, sql: str) -> GoldassayError:
    # A damaged file comes as a bare Error; mistakes of the user come as one of its subclasses.
    if type(error) is duckdb.Error or isinstance(error, duckdb.IOException):
        message = f"a file of the store cannot be read: {_told(error)}Run goldassay doctor, and ask again."
        return StoreError(message)
    views = ", ".join(VIEWS)
    hint = f"{_unquoted(error, sql)}The views are {views}; docs/columns.md has their columns."
    message = f"the SQL does not work: {_told(error)}{hint}"
    return ConfigError(message)


@contextmanager
def _interrupting(connection: duckdb.DuckDBPyConnection, timeout_s: float) -> Iterator[None]:
    timer = threading.Timer(timeout_s, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # a late interrupt must not hit a closed connection


def _told(error: duckdb.Error) -> str:
    text = str(error).partition("\tCandidate functions:")[0]  # a list of hundreds
    return f"{text.strip()}\n"


def _shell_statements(connection: duckdb.DuckDBPyConnection, runs: Path) -> Iterator[str]:
    yield "SET TimeZone = 'UTC';"
    for name, files in connection.execute("SELECT name, value::VARCHAR[] FROM duckdb_variables()").fetchall():
        listed = ", ".join(map(quote_literal, files))
        yield f"SET VARIABLE {quote_identifier(name)} = [{listed}];"
    yield f"CREATE VIEW run_list AS SELECT * FROM read_parquet({quote_literal(str(runs))});"  # noqa: S608 - quoted
    views = connection.execute("SELECT view_name, sql FROM duckdb_views() WHERE NOT internal").fetchall()
    for _, sql in sorted(views, key=lambda row: not row[0].startswith("stored_")):
        yield sql
