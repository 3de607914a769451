"""Answers in a database, through SQLAlchemy: a table (`rag_log`) or a SELECT, streamed in bounded batches.

The URL comes from the environment by the name in the settings; a password is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, TextClause, create_engine, inspect, make_url, text
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.types import DateTime

from goldassay.errors import ConfigError, SourceError
from goldassay.sources.batch import Window
from goldassay.sources.parquet import show_row
from goldassay.sources.rows import EmptyFile, RawRow, SourceItem
from goldassay.sources.settings import AnswersConfig

__all__ = ["database_url", "read_sql"]

ROWS = 500
"""Rows fetched at a time from the server's cursor."""


SECRET_NAME = re.compile("pass|pwd|secret|token|key|odbc_connect", re.IGNORECASE)
"""Names of values behind '?' in a URL that stay out of messages."""


def database_url(config: AnswersConfig, environ: Mapping[str, str], base_dir: Path | None = None) -> URL:
    """The database the settings name.

    Raises:
        ConfigError: No URL, or one that is none; the message never holds it.
    """
    if config.url_env is not None:
        address = environ.get(config.url_env, "")
        if not address:
            raise ConfigError(
                f"environment variable {config.url_env!r} (answers.url_env) is not set; put the URL there"
            )
    elif config.url is not None:
        address = config.url.get_secret_value()
    else:
        raise ConfigError("answers.source is 'sql' but there is no address; set answers.url_env to a variable's name")
    try:
        url = make_url(address)
    except ArgumentError:
        raise ConfigError("the database URL cannot be read; write it like 'postgresql+psycopg://host/base'") from None
    return _existing_sqlite(url, base_dir)


def _existing_sqlite(url: URL, base_dir: Path | None) -> URL:
    """SQLite makes the file it does not find, and an empty base is a worse answer than an error."""
    if url.get_backend_name() != "sqlite" or url.database in {None, "", ":memory:"}:
        return url
    path = (base_dir or Path()) / str(url.database)
    if str(url.database).startswith("file:"):
        return url
    if not path.is_file():
        raise SourceError(f"no SQLite file at {str(url.database)!r}; check the database URL")
    return url.set(database=str(path))


def read_sql(place: URL, config: AnswersConfig, window: Window | None = None) -> Iterator[SourceItem]:
    """Rows of the table or query, numbered from 1.

    Raises:
        SourceError: The database cannot be reached, lacks the table, or broke off in the middle.
    """
    name, line = f"sql:{config.table if config.query is None else 'query'}", 0
    try:
        engine = create_engine(place)
    except (NoSuchModuleError, ModuleNotFoundError) as fault:
        raise SourceError(
            f"no driver for {place.drivername!r} ({fault}); install it, e.g. goldassay[postgres]"
        ) from None
    try:
        with engine.connect() as connection:
            for row in _stream(connection, config, window):
                line += 1
                data = dict(row)
                yield RawRow(name, line, data, None, partial(show_row, data), is_table=True)
    except SQLAlchemyError as fault:
        message = _without_password(f"{_shown(place)}: {name} broke off at row {line + 1}: {fault}", place)
        raise SourceError(message, transient=_may_come_back(fault)) from None
    finally:
        engine.dispose()
    if not line:
        yield EmptyFile(name)


def _may_come_back(fault: SQLAlchemyError) -> bool:
    """Whether the connection broke, or a lock was held too long; SQLite calls a wrong column 'operational' as well."""
    if not isinstance(fault, DBAPIError):
        return False
    is_sqlite = type(fault.orig).__module__.startswith("sqlite3")
    is_operational = isinstance(fault, OperationalError | InterfaceError)
    return fault.connection_invalidated or (is_operational and (not is_sqlite or "locked" in str(fault.orig)))


def _stream(connection: Connection, config: AnswersConfig, window: Window | None) -> Iterator[Mapping[str, Any]]:
    statement, values = _statement(connection.engine, config, window)
    result = connection.execution_options(stream_results=True, yield_per=ROWS).execute(statement, values)
    yield from result.mappings()  # type: ignore[misc]  # a row's mapping has text keys


def _statement(engine: Engine, config: AnswersConfig, window: Window | None) -> tuple[TextClause, dict[str, Any]]:
    if config.query is not None:
        bound = {name: value for name, value in _bounds(window).items() if re.search(rf":{name}\b", config.query)}
        return text(config.query), _as_sqlite_text(bound) if engine.dialect.name == "sqlite" else bound
    quote = engine.dialect.identifier_preparer.quote
    schema, _, table = config.table.rpartition(".")
    found = inspect(engine)
    if not found.has_table(table, schema=schema or None) and table not in found.get_view_names(schema=schema or None):
        raise SourceError(f"no table {config.table!r} in {_shown(engine.url)}; set answers.table or answers.query")
    parts, values = _in_window(engine, config, window)
    where = f" WHERE {' AND '.join(parts)}" if parts else ""
    keys = (
        found.get_pk_constraint(table, schema=schema or None)["constrained_columns"] if found.has_table(table) else []
    )
    order = f" ORDER BY {', '.join(quote(key) for key in keys)}" if keys else ""
    place = ".".join(quote(part) for part in config.table.split("."))
    return text(f"SELECT * FROM {place}{where}{order}"), values  # noqa: S608 - every name is quoted by the dialect


def _bounds(window: Window | None) -> dict[str, datetime | None]:
    since, until = window or Window()
    return {"since": since, "until": until}


def _as_sqlite_text(bound: dict[str, datetime | None]) -> dict[str, Any]:
    """SQLite has no type for times; this is the form of its own datetime() function, in UTC."""
    return {name: None if value is None else f"{_in_utc(value):%Y-%m-%d %H:%M:%S}" for name, value in bound.items()}


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _in_window(engine: Engine, config: AnswersConfig, window: Window | None) -> tuple[list[str], dict[str, Any]]:
    """Conditions the server can check; all others are checked on the way in."""
    paths = config.mapping.get("asked_at", ["asked_at"]) if isinstance(config.mapping, dict) else []
    schema, _, table = config.table.rpartition(".")
    columns = {column["name"]: column["type"] for column in inspect(engine).get_columns(table, schema=schema or None)}
    kind = columns.get(paths[0]) if len(paths) == 1 else None
    # SQLite keeps times as text in whatever form; comparing them on the server would lose rows.
    if window is None or not isinstance(kind, DateTime) or engine.dialect.name == "sqlite":
        return [], {}
    name, signs = engine.dialect.identifier_preparer.quote(paths[0]), {"since": ">=", "until": "<"}
    values = {key: _for_column(value, kind) for key, value in _bounds(window).items() if value is not None}
    # A row without a time is read too: it is set aside with its reason, not passed over in silence.
    return [f"({name} {signs[key]} :{key} OR {name} IS NULL)" for key in values], values


def _for_column(moment: datetime, kind: DateTime) -> datetime:
    moment = _in_utc(moment)
    return moment if kind.timezone else moment.replace(tzinfo=None)


def _shown(url: URL) -> str:
    """The address without what may be a secret: drivers take passwords and certificates behind '?' as well."""
    return repr(url.set(query={}))


def _without_password(message: str, url: URL) -> str:
    for secret in (str(url.password or ""), *_secrets_behind(url)):
        message = message.replace(secret, "***") if secret else message
    return message


def _secrets_behind(url: URL) -> Iterator[str]:
    for name, value in url.query.items():
        if SECRET_NAME.search(name):
            yield from [value] if isinstance(value, str) else value
