"""A DuckDB connection over a store, with the views answers, verdicts, runs, labels, reasons and latest.

Nothing is loaded: the views read the Parquet files that the manifests name, and a
query touches only the months, columns and row groups it needs. In the sandbox the
connection reads the store's folder and nothing else, and its settings are locked.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from goldassay.analytics.scan import create_scan, escape_glob, quote_literal
from goldassay.errors import StoreError
from goldassay.store.files import LocalFiles
from goldassay.store.manifest import FileEntry, RunManifest
from goldassay.store.schema import SCHEMAS
from goldassay.store.store import Store

__all__ = ["VIEWS", "connect", "runs_table"]

VIEWS = ("answers", "verdicts", "runs", "labels", "reasons", "latest")
"""The views everyone queries."""

_TEXT, _TIME, _COUNT = pa.string(), pa.timestamp("us", tz="UTC"), pa.int64()
RUN_COLUMNS: dict[str, Any] = {
    "run_id": _TEXT,
    "run_kind": _TEXT,
    "run_at": _TIME,
    "finished_at": _TIME,
    "app": _TEXT,
    "app_version": _TEXT,
    "app_versions": pa.list_(_TEXT),
    "model": _TEXT,
    "prompt_version": _TEXT,
    "index_version": _TEXT,
    "status": _TEXT,
    "baseline": pa.bool_(),
    "newest": pa.bool_(),
    "window_start": _TIME,
    "window_end": _TIME,
    "records": _COUNT,
    "rejected": _COUNT,
    "checked": _COUNT,
    "selected": _COUNT,
    "verdicts": _COUNT,
    "judged": _COUNT,
    "errors": _COUNT,
    "skipped": _COUNT,
    "reused": _COUNT,
    "calls": _COUNT,
    "cost_usd": pa.float64(),
    "judge_provider": _TEXT,
    "judge_model": _TEXT,
    "judge_models_reported": pa.list_(_TEXT),
    "rubric": _TEXT,
    "rubric_version": _TEXT,
    "rule_versions": pa.map_(_TEXT, _TEXT),
    "gate": pa.list_(_TEXT),
    "golden_digest": _TEXT,
    "golden_questions": _COUNT,
    "settings_digest": _TEXT,
    "notes": pa.list_(_TEXT),
}
"""Columns of the view `runs`."""


def connect(
    store: Store, *, memory_limit: str = "2GB", threads: int | None = None, read_only_sandbox: bool = True
) -> duckdb.DuckDBPyConnection:
    """Open an in-memory DuckDB with the store's views.

    Args:
        store: The store; later runs are not seen, connect again for them.
        memory_limit: DuckDB's own limit; larger joins and groups spill to the temporary folder.
        threads: None: one for each core.
        read_only_sandbox: True: no file outside the store, no extension, no change of a setting.

    Raises:
        StoreError: If a file that a manifest names is missing or has another size.
    """
    connection = duckdb.connect(config=_settings(memory_limit, threads))
    connection.execute("SET TimeZone = 'UTC'")  # days and months are UTC days, whatever the machine's zone
    runs, _, files = store.snapshot()
    _check_files(store, files.values())
    _create_scans(connection, store, runs, list(files.values()))
    _create_table(connection, "run_list", runs_table(runs))
    connection.execute(resources.files("goldassay.analytics").joinpath("sql/views.sql").read_text(encoding="utf-8"))
    if read_only_sandbox:
        _lock(connection, store)
    return connection


def runs_table(runs: Sequence[RunManifest]) -> pa.Table:
    """Return the view `runs` as a table, one row a run."""
    newest = {(run.app, run.run_kind): run.run_id for run in runs}
    rows = [_run_row(run, newest=newest[run.app, run.run_kind] == run.run_id) for run in runs]
    return pa.Table.from_pylist(rows, schema=pa.schema(list(RUN_COLUMNS.items())))


def _run_row(run: RunManifest, *, newest: bool) -> dict[str, Any]:
    flat = run.model_dump(exclude={"counts", "judge", "files", "rejected_samples", "sampling"})
    judge = run.judge
    return {
        **flat,
        **run.counts.model_dump(),
        "newest": newest,
        "rule_versions": list(run.rule_versions.items()),
        "judge_provider": judge.provider,
        "judge_model": judge.model,
        "judge_models_reported": list(judge.models_reported),
    }


def _settings(memory_limit: str, threads: int | None) -> dict[str, Any]:
    spill = Path(tempfile.gettempdir()) / f"goldassay-spill-{os.getpid()}-{secrets.token_hex(4)}"
    settings: dict[str, Any] = {
        "memory_limit": memory_limit,
        "temp_directory": str(spill),  # made when a query spills, removed when the connection closes
        "max_temp_directory_size": "20GB",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,  # a table name never finds a Python variable
        "preserve_insertion_order": False,
    }
    return settings | ({} if threads is None else {"threads": threads})


def _create_scans(
    connection: duckdb.DuckDBPyConnection, store: Store, runs: Sequence[RunManifest], entries: Sequence[FileEntry]
) -> None:
    newest = {(run.app, run.run_kind): run for run in runs}
    months = {run.run_at.strftime("%Y-%m") for run in newest.values()}
    for kind, schema in SCHEMAS.items():
        chosen = [entry for entry in entries if entry.path.startswith(f"{kind}/")]
        create_scan(connection, f"stored_{kind}", _groups(chosen), schema, files=store.files)
        if kind == "verdicts":
            recent = [entry for entry in chosen if any(f"/month={month}/" in entry.path for month in months)]
            create_scan(connection, "stored_latest", _groups(recent), schema, files=store.files)


def _groups(entries: Iterable[FileEntry]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        groups[entry.schema_version].append(entry.path)
    return groups


def _check_files(store: Store, entries: Collection[FileEntry]) -> None:
    sizes = store.files.sizes([entry.path for entry in entries])
    damaged = [entry.path for entry in entries if sizes.get(entry.path) != entry.bytes]
    if damaged:
        names = ", ".join(map(repr, damaged[:3])) + (f" and {len(damaged) - 3} more" if len(damaged) > 3 else "")
        message = f"missing or cut off in {store.address!r}: {names}. Put the files back, or see goldassay doctor."
        raise StoreError(message)


def _create_table(connection: duckdb.DuckDBPyConnection, name: str, table: pa.Table) -> None:
    connection.register("incoming", table)
    connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM incoming")  # noqa: S608 - our own name
    connection.unregister("incoming")


def _lock(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    if isinstance(store.files, LocalFiles):
        # Twice, because paths with '[', '*' or '?' are escaped before DuckDB compares them.
        folders = {quote_literal(path) for path in (store.address, escape_glob(store.address))}
        connection.execute(f"SET allowed_directories = [{', '.join(sorted(folders))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
