"""How the store's files become one relation: lazily, by file lists that are bound and never written into SQL.

Files of one schema version share one scan; older versions get the missing columns
as typed nulls and changed ones by a cast, so no footer but the first of a version
is read before a query runs. Folder values are text: '007' and '1.10' stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import duckdb
import pyarrow as pa

from goldassay.analytics.remote_scan import remote_dataset
from goldassay.errors import StoreError
from goldassay.store.files import StoreFiles
from goldassay.store.remote import RemoteFiles

__all__ = ["create_scan", "duckdb_type", "escape_glob", "quote_identifier", "quote_literal"]

_PARTITION = {"month": "VARCHAR"}
"""Columns that only the folder tells; `app` is in the file too."""
_OPTIONS = "hive_partitioning = true, hive_types_autocast = false"
"""Without the guess that '2024-01-05' is a date, every folder value is text."""


def create_scan(
    connection: duckdb.DuckDBPyConnection,
    view: str,
    groups: Mapping[str, Sequence[str]],
    schema: pa.Schema,
    *,
    files: StoreFiles,
) -> None:
    """Create a view over files, grouped by schema version.

    Args:
        connection: Where the view is made.
        view: Its name; ours, not a user's.
        groups: Paths relative to the store, by schema version; empty: the view has no rows.
        schema: The columns the view shall have, beside `month`.
        files: The store's files.
    """
    wanted = {field.name: duckdb_type(field.type) for field in schema} | _PARTITION
    sources = [_source(connection, f"{view}_{version}", paths, files) for version, paths in groups.items() if paths]
    parts = [_select(connection, source, wanted) for source in sources]
    body = "\nUNION ALL ".join(parts or [_nothing(wanted)])
    connection.execute(f"CREATE OR REPLACE VIEW {quote_identifier(view)} AS {body}")


def duckdb_type(kind: pa.DataType) -> str:
    """Return the DuckDB type of an Arrow type of our schemas."""
    simple = {
        pa.string(): "VARCHAR",
        pa.bool_(): "BOOLEAN",
        pa.int32(): "INTEGER",
        pa.int64(): "BIGINT",
        pa.float64(): "DOUBLE",
        pa.timestamp("us", tz="UTC"): "TIMESTAMPTZ",
    }
    if kind in simple:
        return simple[kind]
    if isinstance(kind, pa.MapType):
        return f"MAP({duckdb_type(kind.key_type)}, {duckdb_type(kind.item_type)})"
    if isinstance(kind, pa.ListType):
        return f"{duckdb_type(kind.value_type)}[]"
    if isinstance(kind, pa.StructType):
        fields = (kind.field(position) for position in range(kind.num_fields))
        return f"STRUCT({', '.join(f'{quote_identifier(field.name)} {duckdb_type(field.type)}' for field in fields)})"
    message = f"no DuckDB type for Arrow type {kind!r}"
    raise TypeError(message)


def quote_identifier(name: str) -> str:
    """Quote a name for SQL."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def quote_literal(text: str) -> str:
    """Quote a text for SQL, where no parameter can be bound."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def escape_glob(path: str) -> str:
    """Keep DuckDB from reading a path as a pattern: '[', '*' and '?' stand for themselves."""
    return "".join(f"[{letter}]" if letter in "[*?" else letter for letter in path)


def _source(connection: duckdb.DuckDBPyConnection, name: str, paths: Sequence[str], files: StoreFiles) -> str:
    """Name a relation over files of one schema version."""
    if isinstance(files, RemoteFiles):
        connection.register(name, remote_dataset(files, paths))
        return quote_identifier(name)
    full = [escape_glob(f"{files.address}/{path}") for path in paths]
    connection.execute(f"SET VARIABLE {quote_identifier(name)} = $files", {"files": full})
    return f"read_parquet(getvariable('{name}'), {_OPTIONS})"


def _select(connection: duckdb.DuckDBPyConnection, source: str, wanted: Mapping[str, str]) -> str:
    present = {str(row[0]): str(row[1]) for row in _describe(connection, source)}
    columns = ", ".join(_column(name, kind, present) for name, kind in wanted.items())
    return f"SELECT {columns} FROM {source}"  # noqa: S608 - our own names; paths are in a variable


def _describe(connection: duckdb.DuckDBPyConnection, source: str) -> Iterable[tuple[object, ...]]:
    try:
        return connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()  # noqa: S608 - our own names
    except duckdb.Error as error:
        told = str(error).partition("\n")[0]
        message = f"a file of the store cannot be read: {told}. Run goldassay doctor to find all damaged files."
        raise StoreError(message) from error


def _column(name: str, kind: str, present: Mapping[str, str]) -> str:
    quoted = quote_identifier(name)
    if name not in present:
        return f"CAST(NULL AS {kind}) AS {quoted}"
    # A needless cast would keep filters from reaching the file.
    return quoted if _same(present[name], kind) else f"CAST({quoted} AS {kind}) AS {quoted}"


def _same(found: str, wanted: str) -> bool:
    return found.replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ").replace('"', "") == wanted.replace('"', "")


def _nothing(wanted: Mapping[str, str]) -> str:
    columns = ", ".join(f"CAST(NULL AS {kind}) AS {quote_identifier(name)}" for name, kind in wanted.items())
    return f"SELECT {columns} WHERE false"
