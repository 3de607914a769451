"""Answers in a real PostgreSQL: JSON columns, real times, server-side batches; skipped where none is installed."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from goldassay.errors import SourceError
from goldassay.sources import AnswersConfig, Window, read_answers

ROWS = 5_000
FILL = f"""
CREATE TABLE rag_log (
    id bigserial PRIMARY KEY, question text, answer text, sources jsonb, asked_at timestamptz, tags jsonb
);
INSERT INTO rag_log (question, answer, sources, asked_at, tags)
SELECT 'Q' || i, 'A' || i, jsonb_build_array(jsonb_build_object('id', 'D1', 'text', 'S')),
    timestamptz '2026-09-01 00:00+00' + i * interval '1 minute', jsonb_build_object('team', 'x')
FROM generate_series(0, {ROWS - 2}) i;
INSERT INTO rag_log (question, answer) VALUES ('no time', 'A');
CREATE VIEW "Odd view; --" AS SELECT * FROM rag_log
"""
START = dt.datetime(2026, 9, 1, tzinfo=dt.UTC)


def _programs():
    """Folder of the server's programs; the test is skipped, with a word, where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [Path(shutil.which("initdb") or "")]
    if not found[-1].is_file():
        pytest.skip("no PostgreSQL server is installed")
    return found[-1].parent


def _as_server_user(command):
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return command
    if (
        shutil.which("runuser") is None
        or subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode
    ):
        pytest.skip("PostgreSQL refuses to run as root, and there is no user 'postgres'")
    return ["runuser", "-u", "postgres", "--", *command]


@pytest.fixture(scope="module")
def database():
    """URL of a fresh server with a filled rag_log."""
    pytest.importorskip("psycopg", reason="the driver for PostgreSQL is not installed")
    programs = _programs()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="goldassay-pg-") as name:
        Path(name).chmod(0o777)
        data = f"{name}/data"
        options = f"-p {port} -k {name} -c listen_addresses=127.0.0.1 -c fsync=off"
        control = [str(programs / "pg_ctl"), "-D", data]
        init = [str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "tester"]
        subprocess.run(_as_server_user(init), check=True, capture_output=True, cwd="/")
        start = [*control, "-w", "-l", f"{name}/log", "-o", options, "start"]
        subprocess.run(_as_server_user(start), check=True, stdout=subprocess.DEVNULL, cwd="/")
        try:
            url = f"postgresql+psycopg://tester:pw-TESTTEST@127.0.0.1:{port}/postgres"
            _fill(url)
            yield url
        finally:
            stop = [*control, "-m", "immediate", "stop"]
            subprocess.run(_as_server_user(stop), check=True, stdout=subprocess.DEVNULL, cwd="/")


def _fill(url):
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in FILL.split(";\n"):
            connection.execute(text(statement))
    engine.dispose()


def _read(url, *, window=None, **more):
    config = AnswersConfig.model_validate({"url_env": "LOG_URL", **more})
    batches = list(read_answers(config, environ={"LOG_URL": url}, window=window))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected], batches


def test_a_table_is_read_in_the_order_of_its_key(database):
    """With JSON columns and times as the driver gives them."""
    records, rejected, _ = _read(database)

    assert [record.record_id for record in records] == [str(number) for number in range(1, ROWS + 1)]
    assert (records[0].sources[0].text, records[0].asked_at, records[0].tags) == ("S", START, {"team": "x"})
    assert rejected == []


def test_the_server_cuts_the_window_and_loses_no_row_without_a_time(database):
    """What lies outside is never sent; what has no time is set aside."""
    window = Window(START + dt.timedelta(hours=12), START + dt.timedelta(hours=36))

    records, (rejected,), batches = _read(database, window=window)

    assert len(records) == 24 * 60
    assert sum(batch.outside for batch in batches) == 0
    assert "asked_at is missing" in rejected.reason


@pytest.mark.parametrize(
    "more",
    [
        {"table": "public.Odd view; --"},
        {"query": "SELECT * FROM rag_log WHERE (:since)::timestamptz IS NULL OR asked_at >= :since"},
    ],
    ids=["view", "query"],
)
def test_views_and_queries_are_read_too(database, more):
    """Names are quoted, bounds are bound."""
    records, _, _ = _read(database, **more)

    assert len(records) == ROWS


@pytest.mark.parametrize("more", [{"table": "none"}, {"query": "SELECT 1/0 AS answer"}], ids=["no-table", "breaks"])
def test_what_goes_wrong_is_told_without_the_password(database, more):
    """The address is shown, the secret is not."""
    with pytest.raises(SourceError, match=r"tester:\*\*\*@") as caught:
        _read(database, **more)

    assert "TESTTEST" not in str(caught.value)
