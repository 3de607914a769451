"""One real Prefect server for all flow tests, a project with sample logs, and a scripted judge."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldassay.judging.scripted import ScriptedJudge

ROOT = Path(__file__).resolve().parents[2]
_START_LIMIT_S = 180


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(what: Callable[[], Any], *, limit_s: float, every_s: float = 0.25) -> Any:
    """The first truthy value of `what`; fails the test when the limit is over."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if value := what():
            return value
        time.sleep(every_s)
    pytest.fail(f"nothing came of {what} within {limit_s} s")


DONE = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
"""State types of a flow run that has ended."""


def ended(server: PrefectServer, run_id: str) -> str | None:
    """The final state of a flow run, or None while it goes on."""
    state = server.state_of(run_id)
    return state if state in DONE else None


def kill_flow_processes(run_id: str) -> None:
    """Kill -9 of every process that works on a flow run."""
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            with contextlib.suppress(OSError):
                if run_id.encode() in (process / "environ").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)


_BUSY = frozenset({408, 429, 502, 503})
_BUSY_S = 30.0


@dataclass
class PrefectServer:
    """A `prefect server` process of its own, with its state in a folder of its own."""

    home: Path
    port: int
    database_url: str | None = None
    process: subprocess.Popen[bytes] | None = None

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "GOLDASSAY_"))}
        own = {
            "PREFECT_HOME": str(self.home),
            "PREFECT_API_URL": self.api,
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            "PREFECT_LOGGING_LEVEL": "INFO",
            "PREFECT_WORKER_QUERY_SECONDS": "1",
            "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "2",
            "PREFECT_SERVER_UI_ENABLED": "false",
            "PYTHONUNBUFFERED": "1",
        }
        if self.database_url:
            own["PREFECT_API_DATABASE_CONNECTION_URL"] = self.database_url
        return {**kept, **own}

    def start(self) -> None:
        command = [sys.executable, "-m", "prefect", "server", "start", "--port", str(self.port)]
        with (self.home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, cwd=self.home, start_new_session=True
            )
        wait_until(self.is_up, limit_s=_START_LIMIT_S)

    def is_up(self) -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.api}/health", timeout=2, trust_env=False).status_code == 200
        return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        self.process = None

    def post(self, path: str, body: Any) -> Any:
        response = self._ask("POST", path, body)
        return response.json() if response.content else None

    def get(self, path: str) -> Any:
        return self._ask("GET", path).json()

    def _ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Asks as Prefect's own client does: a server whose SQLite is locked says 503, and means a little later."""
        until = time.monotonic() + _BUSY_S
        while True:
            response = httpx.request(method, f"{self.api}{path}", json=body, timeout=30, trust_env=False)
            if response.status_code not in _BUSY or time.monotonic() > until:
                response.raise_for_status()
                return response
            time.sleep(0.5)

    def flow_runs(self, name: str) -> list[dict[str, Any]]:
        """Flow runs of one flow, oldest first."""
        body = {"flows": {"name": {"any_": [name]}}, "sort": "START_TIME_ASC", "limit": 200}
        found: list[dict[str, Any]] = self.post("/flow_runs/filter", body)
        return [run for run in found if run["state_type"] != "SCHEDULED"]

    def deployment(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/deployments/name/{name}")
        return found

    def run_deployment(self, name: str, parameters: dict[str, Any] | None = None) -> str:
        body = {"parameters": parameters or {}, "state": {"type": "SCHEDULED"}}
        return str(self.post(f"/deployments/{self.deployment(name)['id']}/create_flow_run", body)["id"])

    def state_of(self, run_id: str) -> str:
        return str(self.get(f"/flow_runs/{run_id}")["state_type"])


@dataclass
class Work:
    """A project folder that owns its flows, pointed at a scripted judge."""

    folder: Path
    server: PrefectServer
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def goldassay(self, *words: str, code: int = 0, **environment: str) -> str:
        """Runs a command in the project and returns what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", *words],
            cwd=self.folder, env={**self.server.environment, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == code, f"exit code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-5000:]}"
        return done.stdout

    def goldassay_error(self, *words: str, code: int = 3) -> str:
        """Runs a command that must fail, and returns its message; a traceback is a defect."""
        done = subprocess.run(
            [sys.executable, "-m", "goldassay", *words],
            cwd=self.folder, env={**self.server.environment, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr[-3000:]
        return done.stderr

    def set(self, text: str) -> None:
        """Replaces goldassay.toml."""
        (self.folder / "goldassay.toml").write_text(text, encoding="utf-8")

    def start_worker(self) -> subprocess.Popen[bytes]:
        with (self.folder / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "prefect", "worker", "start", "--pool", "goldassay-process"],
                cwd=self.folder, env={**self.server.environment, "PYTHONPATH": str(ROOT)},
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.workers.append(worker)
        return worker

    def stop_workers(self, how: signal.Signals = signal.SIGTERM) -> None:
        for worker in self.workers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, how)
            worker.wait(30)
        self.workers.clear()

    def query(self, sql: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.goldassay("query", sql, "--json"))
        return rows


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A real server on SQLite, shared by all tests of a session."""
    server = PrefectServer(tmp_path_factory.mktemp("prefect"), free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def judge() -> Iterator[ScriptedJudge]:
    """A judge over real HTTP that reads lexically."""
    with ScriptedJudge() as running:
        yield running


SETTINGS = """
app = "{app}"
[answers]
path = "logs/*.jsonl*"
[golden]
path = "golden.yaml"
[judge]
provider = "openai"
base_url = "{url}"
model = "scripted-judge"
max_in_flight = 8
[sampling]
nightly = 10
"""


@pytest.fixture
def work(tmp_path: Path, prefect_server: PrefectServer, judge: ScriptedJudge) -> Iterator[Work]:
    """A fresh project on the shared server; its app has a name of its own, so that tests do not meet."""
    made = Work(tmp_path, prefect_server)
    made.goldassay("init", ".", "--app", "atlas")
    shutil.copytree(ROOT / "examples" / "data" / "logs", tmp_path / "logs", dirs_exist_ok=True)
    shutil.copy(ROOT / "examples" / "data" / "golden.yaml", tmp_path / "golden.yaml")
    made.set(SETTINGS.format(app="atlas", url=judge.base_url))
    yield made
    made.stop_workers(signal.SIGKILL)
