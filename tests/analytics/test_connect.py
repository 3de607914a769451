"""The views over a store: lazy, pruned, in UTC, and shut off from everything else."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from goldassay.analytics.connect import VIEWS, connect
from goldassay.analytics.query import run_query
from goldassay.records import AnswerRecord
from goldassay.store import RunManifest, Store, open_store
from goldassay.verdicts import Category, Outcome, Verdict

NIGHT = datetime(2026, 11, 28, 23, 30, tzinfo=UTC)


def _publish(
    store: Store, run_id: str, *, at: datetime = NIGHT, app: str = "atlas", rows: int = 4, **fields: Any
) -> None:
    staging = store.staging(run_id)
    verdicts = [
        Verdict(
            record_id=str(n),
            app=app,
            app_version="1.10",
            check="numbers",
            check_kind="rule",
            outcome=Outcome.FAIL if n == 0 else Outcome.PASS,
            category=Category.WRONG_NUMBER if n == 0 else None,
            asked_at=at,
        )
        for n in range(rows)
    ]
    staging.write_answers(0, [AnswerRecord(record_id=str(n), question="q", answer="a", app=app) for n in range(rows)])
    staging.write_verdicts("rules", 0, verdicts)
    store.publish(run_id, RunManifest(run_id=run_id, app=app, run_at=at, **({"run_kind": "nightly"} | fields)))


@pytest.fixture
def months(tmp_path: Path) -> Store:
    """One run in each of six months."""
    store = open_store(tmp_path / "months")
    for month in range(6, 12):
        _publish(store, f"night-{month:02d}", at=datetime(2026, month, 3, tzinfo=UTC))
    return store


def test_an_empty_store_has_all_views(tmp_path: Path) -> None:
    """Before the first run every view is there, with its columns and no rows."""
    with connect(open_store(tmp_path / "none")) as connection:
        for view in VIEWS:
            assert connection.execute(f"SELECT count(*) FROM {view}").fetchone() == (0,)
            assert len(connection.execute(f"DESCRIBE {view}").fetchall()) > 10


def plan_of(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """What DuckDB did."""
    return str(connection.execute(f"EXPLAIN ANALYZE {sql}").fetchall()[0][1])


@pytest.mark.parametrize(
    ("view", "where", "files"),
    [
        ("verdicts", "month = '2026-08'", 1),
        ("verdicts", "month >= '2026-10'", 2),
        ("verdicts", "app = 'other'", 0),
        ("reasons", "month = '2026-08'", 1),
        ("answers", "month < '2026-08'", 2),
    ],
)
def test_a_filter_on_the_folder_opens_only_its_files(months: Store, view: str, where: str, files: int) -> None:
    """Months and apps are read from the paths, before any file is opened."""
    with connect(months) as connection:
        plan = plan_of(connection, f"SELECT count(*), max(record_id) FROM {view} WHERE {where}")

    read = re.search(r"Total Files Read: (\d+)", plan)
    assert (int(read[1]) if read else 0) == files


def test_counting_reads_no_heavy_column(months: Store) -> None:
    """Texts of replies and reasons stay on the disk."""
    with connect(months) as connection:
        plan = plan_of(connection, "SELECT app_version, category, count(*) FROM verdicts GROUP BY ALL")

    projected = re.search(r"Projections?:([^│]*(?:│\s*│[^│]*)*)", plan)
    assert projected is not None
    assert "reply" not in plan
    assert "evidence" not in plan


def test_latest_is_the_newest_run_of_each_app_and_kind(tmp_path: Path) -> None:
    """A golden run in between does not hide the nightly one, nor one app another."""
    store = open_store(tmp_path / "store")
    _publish(store, "night-1", at=NIGHT - timedelta(days=40))
    _publish(store, "gold-1", at=NIGHT - timedelta(days=39), run_kind="golden")
    _publish(store, "night-2", at=NIGHT - timedelta(days=38))
    _publish(store, "other-1", at=NIGHT, app="NULL")

    with connect(store) as connection:
        runs = connection.execute("SELECT DISTINCT run_id, app FROM latest ORDER BY ALL").fetchall()
    assert runs == [("gold-1", "atlas"), ("night-2", "atlas"), ("other-1", "NULL")]


@pytest.mark.parametrize(
    "app",
    [
        "1.10",
        "007",
        "a/b",
        "..",
        "%",
        "2024-01-05",
        "NULL",
        "null",
        "\u00fc \U0001f600",
        "it's",
        "__HIVE_DEFAULT_PARTITION__",
    ],
)
def test_any_app_name_comes_back_as_text(tmp_path: Path, app: str) -> None:
    """Through folders, DuckDB and back; never a number, a date or a null."""
    store = open_store(tmp_path / "store")
    _publish(store, "run-1", app=app)

    with connect(store) as connection:
        rows = connection.execute("SELECT DISTINCT app, typeof(app) FROM verdicts").fetchall()
        filtered = connection.execute("SELECT count(*) FROM answers WHERE app = ?", [app]).fetchone()
    assert rows == [(app, "VARCHAR")]
    assert filtered == (4,)


@pytest.fixture
def tokyo() -> Iterator[None]:
    """A machine far east of Greenwich."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    yield
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("tokyo")
def test_days_are_utc_days_wherever_the_machine_stands(tmp_path: Path) -> None:
    """23:30 UTC is still that day."""
    store = open_store(tmp_path / "store")
    _publish(store, "run-1")

    assert run_query(store, "SELECT DISTINCT CAST(run_at AS DATE)::VARCHAR AS day FROM verdicts").to_pylist() == [
        {"day": "2026-11-28"}
    ]


@pytest.mark.parametrize(
    "name", ["it's", "a[b]c", "st*r", "wh?t", "per%cent", "sp ace", "\u00fcber", 'quo"te', "a;--b"]
)
def test_a_store_may_lie_in_any_folder(tmp_path: Path, name: str) -> None:
    """Quotes and pattern signs in the path are letters like any other, in the sandbox too."""
    store = open_store(tmp_path / name)
    _publish(store, "run-1")
    neighbour = open_store(tmp_path / "aXc" if name == "a[b]c" else tmp_path / "neighbour")
    _publish(neighbour, "run-2")

    assert run_query(store, "SELECT run_id, count(*) AS n FROM verdicts GROUP BY 1").to_pylist() == [
        {"run_id": "run-1", "n": 4}
    ]


def test_nothing_of_the_path_stands_in_the_view(months: Store) -> None:
    """File lists are bound; a path cannot become SQL."""
    with connect(months) as connection:
        views = connection.execute("SELECT sql FROM duckdb_views() WHERE NOT internal").fetchall()
    assert views
    assert not any(months.address in sql for (sql,) in views)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{outside}')",
        "SELECT * FROM read_csv('{outside}')",
        "SELECT * FROM '{outside}'",
        "SELECT * FROM glob('{outside}*')",
        "SELECT * FROM read_text('{inside}/../secret.txt')",
        "COPY (SELECT 1) TO '{outside}.csv'",
        "ATTACH '{outside}.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 1",
        "SET enable_external_access = true",
        "RESET enable_external_access",
        "SET lock_configuration = false",
        "EXPORT DATABASE '{outside}'",
    ],
)
def test_the_sandbox_holds(months: Store, tmp_path: Path, sql: str) -> None:
    """Not even a trusted caller's connection reads or writes beside the store."""
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    before = sorted(tmp_path.iterdir())

    with connect(months) as connection, pytest.raises(duckdb.Error):
        connection.execute(sql.format(outside=outside, inside=months.address)).fetchall()
    assert sorted(tmp_path.iterdir()) == before


def test_a_python_variable_is_no_table(months: Store) -> None:
    """Names in SQL find views only."""
    import pyarrow as pa

    secret = pa.table({"x": [1]})
    assert secret.num_rows == 1
    with connect(months) as connection, pytest.raises(duckdb.CatalogException):
        connection.execute("SELECT * FROM secret")


def test_connecting_twice_and_in_threads_is_fine(months: Store) -> None:
    """Connections share nothing."""
    with connect(months) as one, connect(months) as two:
        assert (
            one.execute("SELECT count(*) FROM runs").fetchone() == two.execute("SELECT count(*) FROM runs").fetchone()
        )


def test_runs_carry_what_the_manifest_says(tmp_path: Path) -> None:
    """Counts, judge, lists and the baseline mark."""
    store = open_store(tmp_path / "store")
    _publish(store, "run-1", gate=("numbers",), rule_versions={"numbers": "2"}, cost_usd=1.5)
    store.accept("run-1")

    with connect(store) as connection:
        row = connection.execute(
            "SELECT baseline, newest, gate, rule_versions['numbers'], cost_usd FROM runs"
        ).fetchone()
    assert row == (True, True, ["numbers"], "2", 1.5)
