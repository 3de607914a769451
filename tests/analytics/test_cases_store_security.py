"""The cases of topic security that are the store's: path names, SQL and spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from goldassay.analytics.connect import connect
from goldassay.analytics.query import run_query, write_result
from goldassay.analytics.scan import create_scan
from goldassay.errors import ConfigError
from goldassay.store import RunManifest, Store, open_store
from goldassay.verdicts import Outcome, Verdict

NIGHT = datetime(2026, 11, 28, tzinfo=UTC)


def _publish(store: Store, run_id: str, app: str) -> None:
    verdict = Verdict(record_id=app, app=app, check="numbers", check_kind="rule", outcome=Outcome.PASS)
    store.staging(run_id).write_verdicts("rules", 0, [verdict])
    store.publish(run_id, RunManifest(run_id=run_id, run_kind="nightly", run_at=NIGHT, app=app))


def export_csv(case: dict[str, Any], _: Store) -> dict[str, Any]:
    """Cells of an answer in a spreadsheet, as text columns and as headers."""
    cells = case["input"]["cells"]
    body, header = io.StringIO(), io.StringIO()
    write_result(pa.table({"answer": cells}), "csv", body)
    write_result(pa.table({cell: ["x"] for cell in cells}), "csv", header)
    in_body = [row[0] for row in csv.reader(io.StringIO(body.getvalue(), newline=""))][1:]
    in_header = next(csv.reader(io.StringIO(header.getvalue(), newline="")))
    return {
        "cells_prefixed_with_apostrophe": sum(a == f"'{b}" for a, b in zip(in_body, cells, strict=True)),
        "headers_checked_too": in_header == [f"'{cell}" for cell in cells],
    }


def hostile_columns(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Column names of a file, and a column name given by a user, are names and nothing else."""
    columns = case["input"]["parquet_columns"]
    folder = Path(store.address) / "verdicts" / "app=atlas"
    folder.mkdir(parents=True)
    pq.write_table(pa.table({column: ["1"] for column in columns}), folder / "p.parquet")
    with connect(store) as connection:
        schema = pa.schema([pa.field(column, pa.string()) for column in columns])
        create_scan(connection, "foreign_file", {"1": ["verdicts/app=atlas/p.parquet"]}, schema, files=store.files)
        read = connection.execute("SELECT * FROM foreign_file").fetchall()
    assert len(read) == 1
    try:
        run_query(store, f"SELECT count(*) FROM verdicts GROUP BY {case['input']['group_by']}")
        run = "succeeds"
    except ConfigError:
        run = "fails"
    outside = [path for path in ("/srv/pwned.csv",) if Path(path).exists()]
    return {
        "file_/srv/pwned.csv_exists": bool(outside),
        "run": run,
        "reason": case["expected"]["reason"],
        "reads_outside_input": 0,
    }


def listed_paths(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """File names with quotes: read, and never part of the SQL."""
    folder = Path(store.address) / "verdicts"
    folder.mkdir(parents=True)
    names = [f"verdicts/{Path(name).name}" for name in case["input"]["files"]]
    for name in names:
        pq.write_table(pa.table({"id": ["1", "2"]}), Path(store.address) / name)
    with connect(store) as connection:
        create_scan(connection, "listed", {"1": names}, pa.schema([("id", pa.string())]), files=store.files)
        rows = connection.execute("SELECT count(*) FROM listed").fetchone()
        sql = connection.execute("SELECT string_agg(sql, '') FROM duckdb_views() WHERE NOT internal").fetchone()
    assert rows == (2 * len(names),)
    assert sql is not None
    return {"run": "succeeds", "sql_text_contains_path": any(Path(n).name in sql[0] for n in names)}


def hostile_ids(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Names from the log become folders: inside the store, one each, and they come back."""
    ids = case["input"]["ids"]
    for number, name in enumerate(ids):
        _publish(store, f"run-{number}", name)
    root = Path(store.address)
    files = [path for path in root.parent.rglob("*") if path.is_file()]
    outside = [path for path in files if root not in path.resolve().parents]
    with connect(store) as connection:
        back = {row[0] for row in connection.execute("SELECT DISTINCT app FROM verdicts").fetchall()}
    assert back == set(ids)
    return {"files_outside_output_dir": len(outside), "collisions": len(ids) - len(set(back))}


WAYS: dict[str, Callable[[dict[str, Any], Store], dict[str, Any]]] = {
    "cells": export_csv,
    "parquet_columns": hostile_columns,
    "ids": hostile_ids,
    "query": listed_paths,
}
"""By the key of the input that makes a case the store's."""


def _cases() -> list[dict[str, Any]]:
    named = os.environ.get("GOLDASSAY_CASES")
    path = Path(named) if named else Path(__file__).parents[1] / "cases" / "security.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if row["topic"] == "security" and set(WAYS) & set(row["input"])]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["case"]))
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    """What comes in is data, on the way into folders, SQL and spreadsheets alike."""
    way = next(WAYS[key] for key in WAYS if key in case["input"])

    got = way(case, open_store(tmp_path / "store"))

    assert {key: got.get(key) for key in case["expected"]} == case["expected"], case["why"]
