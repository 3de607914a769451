"""A user's SQL: what is answered, what is refused, and how mistakes are told."""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from goldassay.analytics.query import run_query, write_shell_init
from goldassay.errors import ConfigError, RunError, StoreError
from goldassay.store import RunManifest, Store, open_store
from goldassay.verdicts import Outcome, Verdict


@pytest.fixture
def small(tmp_path: Path) -> Store:
    """Three verdicts of one run."""
    store = open_store(tmp_path / "store")
    rows = [
        Verdict(record_id=name, app="atlas", check="numbers", check_kind="rule", outcome=Outcome.PASS, reason=name)
        for name in ("a", "b", "it's")
    ]
    store.staging("run-1").write_verdicts("rules", 0, rows)
    at = datetime(2026, 11, 28, tzinfo=UTC)
    store.publish("run-1", RunManifest(run_id="run-1", run_kind="nightly", run_at=at, app="atlas"))
    return store


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) AS n FROM verdicts",
        "FROM verdicts SELECT count(*) AS n",
        "WITH x AS (SELECT * FROM verdicts) SELECT count(*) AS n FROM x",
        "SELECT count(*) AS n FROM verdicts -- a comment; DROP TABLE x",
        "select count(*) as n from verdicts;",
        "SELECT 3 AS n UNION SELECT count(*) FROM verdicts",
    ],
)
def test_selects_of_any_form_are_answered(small: Store, sql: str) -> None:
    """What DuckDB's parser calls a SELECT is one."""
    assert run_query(small, sql).to_pylist() == [{"n": 3}]


@pytest.mark.parametrize(
    "sql",
    [
        "COPY verdicts TO '{out}'",
        "COPY (SELECT 1) TO '{out}'",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}'",
        "ATTACH '{out}' AS x",
        "CREATE TABLE x AS SELECT 1",
        "CREATE TABLE x AS SELECT * FROM read_text('/etc/passwd')",
        "INSERT INTO run_list SELECT * FROM run_list",
        "DELETE FROM run_list",
        "UPDATE run_list SET app = 'x'",
        "DROP VIEW verdicts",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "SET threads = 1",
        "SET VARIABLE x = 1",
        "EXPORT DATABASE '{out}'",
        "IMPORT DATABASE '{out}'",
        "CHECKPOINT",
        "SELECT 1; SELECT 2",
        "SELECT 1; COPY (SELECT 1) TO '{out}'",
        "",
        "-- nothing",
    ],
)
def test_everything_but_one_select_is_refused(small: Store, tmp_path: Path, sql: str) -> None:
    """Refused by statement type, before anything runs, and nothing is written anywhere."""
    out = tmp_path / "out.csv"

    with pytest.raises(ConfigError, match=r"only one SELECT is answered; this is .*never changed"):
        run_query(small, sql.format(out=out))
    assert not out.exists()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
        "SELECT * FROM read_parquet('https://example.org/x.parquet')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
    ],
)
def test_files_outside_the_store_are_out_of_reach(small: Store, sql: str) -> None:
    """The sandbox is DuckDB's, so no function slips through a list of names."""
    with pytest.raises(ConfigError, match="the SQL does not work"):
        run_query(small, sql)


def test_parameters_are_bound(small: Store) -> None:
    """A value is a value, whatever it looks like."""
    sql = "SELECT record_id FROM verdicts WHERE record_id = $name AND outcome = $outcome"

    found = run_query(small, sql, {"name": "it's", "outcome": "pass"})
    attack = run_query(small, sql, {"name": "' OR 1=1 --", "outcome": "pass"})

    assert found.to_pylist() == [{"record_id": "it's"}]
    assert attack.num_rows == 0


@pytest.mark.parametrize(
    ("params", "told"), [({}, r"missing \['name'\]"), ({"name": 1, "x": 2}, r"not in the SQL \['x'\]")]
)
def test_parameters_must_fit(small: Store, params: dict[str, object], told: str) -> None:
    """Too few and too many are both said by name."""
    with pytest.raises(ConfigError, match=told):
        run_query(small, "SELECT $name AS n", params)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("SELECT nope FROM verdicts", '"nope" not found'),
        ("SELECT * FROM verdict", 'Did you mean "verdicts"'),
        ("SELECT outcome + 1 FROM verdicts", "No function matches"),
        ("SELECT CAST(outcome AS INTEGER) FROM verdicts", "Could not convert string 'pass'"),
        ("SELECT 1 GROUP BY version) FROM read_csv('/etc/passwd') --", "syntax error"),
    ],
)
def test_mistakes_are_told_with_their_place(small: Store, sql: str, told: str) -> None:
    """DuckDB's own hint, and the views; exit code 2, no traceback."""
    with pytest.raises(ConfigError, match=told) as caught:
        run_query(small, sql)
    assert caught.value.exit_code == 2


def test_a_pivot_with_its_values_is_a_select(small: Store) -> None:
    """Only the form that first has to create a type is refused."""
    sql = "SELECT * FROM (PIVOT verdicts ON outcome IN ('pass', 'fail') USING count(*) GROUP BY app)"
    assert run_query(small, sql).to_pylist() == [{"app": "atlas", "pass": 3, "fail": 0}]
    with pytest.raises(ConfigError, match="PIVOT"):
        run_query(small, "PIVOT verdicts ON outcome USING count(*)")


def test_a_query_that_takes_too_long_is_stopped(small: Store) -> None:
    """The limit is a wall-clock one, and the message says how to narrow."""
    sql = "SELECT count(*) FROM range(100000000) a, range(100000) b WHERE (a.range * b.range) % 7 = 1"
    with pytest.raises(RunError, match=r"longer than 0.2 s.*Narrow it"):
        run_query(small, sql, timeout_s=0.2, threads=1)


def test_a_query_that_takes_too_much_memory_is_stopped(small: Store) -> None:
    """The machine is not."""
    with pytest.raises(RunError, match="more memory than 60MB"):
        run_query(small, "SELECT list(range) AS l FROM range(100000000)", memory_limit="60MB", threads=1)


def test_a_sort_larger_than_memory_spills_and_cleans_up(small: Store) -> None:
    """The sandbox leaves DuckDB its temporary folder, and nothing of it stays behind."""
    sql = "SELECT count(*) AS n FROM (SELECT hash(range) AS x FROM range(6000000) ORDER BY x LIMIT 5000000)"
    (row,) = run_query(small, sql, memory_limit="120MB", threads=1).to_pylist()

    assert row["n"] == 5000000
    assert not list(Path(tempfile.gettempdir()).glob(f"goldassay-spill-{os.getpid()}-*"))


def test_a_damaged_file_is_a_store_error(small: Store) -> None:
    """Damage that a listing does not show is told as the store's trouble, not the query's."""
    (path,) = Path(small.address).rglob("*.parquet")
    content = path.read_bytes()
    for damaged in (b"PAR1" + bytes(len(content) - 8) + b"PAR1", content[:4] + bytes(200) + content[204:]):
        path.write_bytes(damaged)
        with pytest.raises(StoreError, match=r"(?s)a file of the store cannot be read: .*goldassay doctor"):
            run_query(small, "SELECT * FROM verdicts")


def test_the_result_is_arrow_with_its_types(small: Store) -> None:
    """No detour over Python values."""
    table = run_query(small, "SELECT run_at, count(*) AS n, avg(weight) AS w FROM verdicts GROUP BY ALL")

    assert table.schema.field("n").type == pa.int64()
    assert table.schema.field("w").type == pa.float64()
    assert str(table.schema.field("run_at").type) == "timestamp[us, tz=UTC]"


def test_duckdbs_own_shell_gets_the_same_views(small: Store, tmp_path: Path) -> None:
    """The script runs as it is, in a plain DuckDB, quotes in the path included."""
    moved = Path(small.address).rename(tmp_path / "it's a store")
    script = write_shell_init(open_store(moved), tmp_path / "shell")

    with duckdb.connect() as shell:
        shell.execute(script.read_text(encoding="utf-8"))
        counted = [shell.execute(f"SELECT count(*) FROM {view}").fetchone() for view in ("verdicts", "runs", "latest")]
    assert counted == [(3,), (1,), (3,)]


@pytest.mark.parametrize(
    ("sql", "hint"),
    [
        ("SELECT check FROM verdicts", 'write it in double quotes, "check"'),
        ("SELECT count(*) FROM verdicts WHERE outcome = pass", "in single quotes: 'pass'"),
        ('SELECT count(*) FROM verdicts WHERE outcome = "pass"', "in single quotes: 'pass'"),
        ('SELECT count(*) FROM verdicts WHERE outcome IN ("pass")', "in single quotes: 'pass'"),
    ],
)
def test_a_mistake_of_quotes_is_told_with_its_remedy(small: Store, sql: str, hint: str) -> None:
    """A column named check, and texts without quotes, are what everybody writes first."""
    with pytest.raises(ConfigError) as fault:
        run_query(small, sql)

    assert hint in str(fault.value)


@pytest.mark.parametrize("sql", ["SELECT outcom FROM verdicts", "SELECT end FROM verdicts", "SELECT 1 = nothing"])
def test_other_mistakes_get_no_hint_about_columns(small: Store, sql: str) -> None:
    """A hint that does not fit leads astray."""
    with pytest.raises(ConfigError) as fault:
        run_query(small, sql)

    assert "double quotes" not in str(fault.value)
