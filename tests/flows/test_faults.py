"""Faults of the orchestration: Dask, a server that dies, a locked database, PostgreSQL. Minutes, so marked slow."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from goldassay.judging.scripted import ScriptedJudge
from tests.flows.conftest import (
    DONE,
    ROOT,
    SETTINGS,
    PrefectServer,
    Work,
    ended,
    free_port,
    kill_flow_processes,
    wait_until,
)

pytestmark = [pytest.mark.slow, pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(600)]

ROWS = 'SELECT record_id, "check", outcome, reason FROM verdicts ORDER BY ALL'


def _project(folder: Path, server: PrefectServer, judge: ScriptedJudge, more: str = "") -> Work:
    work = Work(folder, server)
    work.goldassay("init", ".", "--app", "atlas")
    shutil.copytree(ROOT / "examples" / "data" / "logs", folder / "logs", dirs_exist_ok=True)
    shutil.copy(ROOT / "examples" / "data" / "golden.yaml", folder / "golden.yaml")
    work.set(SETTINGS.format(app="atlas", url=judge.base_url) + more)
    return work


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A server that a test may kill."""
    server = PrefectServer(tmp_path_factory.mktemp("own"), free_port())
    server.start()
    yield server
    server.stop(signal.SIGKILL)


def _start(work: Work, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "goldassay", *words],
        cwd=work.folder, env={**work.server.environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def test_dask_gives_the_same_verdicts_as_one_process(work, judge):
    """The same flow over two Dask workers: the same rows, in many shards."""
    work.set(
        SETTINGS.format(app="atlas", url=judge.base_url)
        + "[run]\nrules_shard = 20\njudge_shard = 5\njudge_at_once = 2\n"
    )
    work.goldassay("run", "--set", "store=one")
    work.goldassay("run", "--task-runner", "dask", "--set", "store=many")

    one = work.goldassay("query", ROWS, "--format", "csv", "--set", "store=one")
    many = work.goldassay("query", ROWS, "--format", "csv", "--set", "store=many")

    assert one == many
    assert one.count("\n") > 1000


def test_a_server_killed_and_restarted_in_the_middle_of_a_run_costs_nothing(tmp_path, own_server, judge):
    """The client waits for the server; whatever the flow run ends as, the next command completes the rest."""
    work = _project(tmp_path, own_server, judge)
    work.set(SETTINGS.format(app="atlas", url=judge.base_url).replace("max_in_flight = 8", "max_in_flight = 2"))
    judge.replies.latency_s = 0.3
    running = _start(work, "run", "--until", "2026-11-28")
    wait_until(lambda: judge.calls >= 8, limit_s=120, every_s=0.05)

    own_server.stop(signal.SIGKILL)
    time.sleep(2)
    own_server.start()
    running.communicate(timeout=300)
    judge.replies.latency_s = 0.0
    if running.returncode != 0:
        work.goldassay("run", "--until", "2026-11-28")

    (run,) = work.query("SELECT records, verdicts FROM runs")
    rows = work.query('SELECT count(*) n, count(DISTINCT (record_id, "check")) d FROM verdicts')[0]
    assert rows["n"] == rows["d"] == run["verdicts"]
    assert judge.paid_twice <= 2


def test_a_locked_database_of_the_server_does_not_break_a_run(tmp_path, own_server, judge):
    """SQLite is locked for seconds in the middle of a run: it completes, and no call is repeated."""
    work = _project(tmp_path, own_server, judge)
    judge.replies.latency_s = 0.2
    running = _start(work, "run", "--until", "2026-11-28")
    wait_until(lambda: judge.calls >= 4, limit_s=120, every_s=0.05)

    with contextlib.closing(sqlite3.connect(own_server.home / "prefect.db", timeout=30)) as database:
        database.execute("BEGIN EXCLUSIVE")
        time.sleep(6)
        database.rollback()
    output, _ = running.communicate(timeout=300)

    assert running.returncode == 0, output[-3000:]
    assert work.query("SELECT count(*) n FROM runs")[0]["n"] == 1
    assert judge.paid_twice == 0


def test_a_killed_night_is_noticed_and_goes_on_by_itself(tmp_path, own_server, judge):
    """Kill -9 of the run alone: no heartbeat, so the server calls it crashed, begins it anew, and it completes."""
    work = _project(tmp_path, own_server, judge)
    automations = work.folder / "deployments" / "automations.yaml"
    text = automations.read_text(encoding="utf-8")
    text = text.replace("within: 150", "within: 45").replace("schedule_after: 60", "schedule_after: 1")
    automations.write_text(text, encoding="utf-8")
    slow = SETTINGS.format(app="atlas", url=judge.base_url).replace("max_in_flight = 8", "max_in_flight = 2")
    work.set(slow.replace("nightly = 10", 'nightly = "full"'))
    judge.replies.latency_s = 0.15
    work.goldassay("deploy")
    work.start_worker()
    server = own_server
    first = server.run_deployment("goldassay-nightly/atlas-nightly", {"until": "2026-11-28"})
    wait_until(lambda: judge.calls >= 20, limit_s=120, every_s=0.05)

    work.stop_workers(signal.SIGKILL)
    kill_flow_processes(first)
    judge.replies.latency_s = 0.0
    work.start_worker()

    assert wait_until(lambda: ended(server, first), limit_s=120) == "CRASHED"

    def second():
        found = [run for run in server.flow_runs("goldassay-nightly") if run["id"] != first]
        return found[-1] if found and found[-1]["state_type"] in DONE else None

    assert wait_until(second, limit_s=120)["state_type"] == "COMPLETED"
    work.stop_workers(signal.SIGKILL)
    (run,) = work.query("SELECT records, selected FROM runs")
    assert run["selected"] == run["records"] == 62
    assert judge.paid_twice <= 2


@pytest.fixture
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """PostgreSQL of Debian with pg_trgm, as an ordinary user; skipped with a word where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("no PostgreSQL server is installed (Debian: apt-get install postgresql)")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root and there is no runuser")
    tools, folder, port = found[-1].parent, tmp_path_factory.mktemp("postgres"), free_port()
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        for place in takewhile(lambda p: p != Path(tempfile.gettempdir()), (folder, *folder.parents)):
            place.chmod(0o755)  # the database's own user must reach its folder
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def tool(name: str, *words: str) -> None:
        subprocess.run([*as_user, str(tools / name), *words], check=True, capture_output=True, cwd=folder, timeout=120)

    tool("initdb", "-D", str(data), "-U", "prefect", "--auth", "trust", "-E", "UTF8")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    tool("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        tool("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "prefect", "prefect")
        yield f"postgresql+asyncpg://prefect@127.0.0.1:{port}/prefect"
    finally:
        stop = [*as_user, str(tools / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop"]
        subprocess.run(stop, check=False, capture_output=True, cwd=folder, timeout=60)


def test_a_night_on_a_server_with_postgresql(tmp_path, tmp_path_factory, postgres, judge):
    """The same night with Prefect's state in PostgreSQL."""
    server = PrefectServer(tmp_path_factory.mktemp("pg"), free_port(), database_url=postgres)
    server.start()
    try:
        work = _project(tmp_path, server, judge)
        work.goldassay("run", "--until", "2026-11-28")

        assert work.query("SELECT records FROM runs")[0]["records"] == 62
        assert server.flow_runs("goldassay-nightly")[-1]["state_type"] == "COMPLETED"
    finally:
        server.stop()
