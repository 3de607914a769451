import errno
import json
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace

import httpx
import pytest
from prefect.exceptions import PrefectHTTPStatusError

from goldassay.errors import ConfigError, JudgeTerminalError, JudgeTransientError, RunError, SourceError, StoreError
from tasks.fanning import BURST, in_shards
from tasks.retrying import is_infrastructure
from tests.flows.conftest import ROOT


def _store_error(cause):
    error = StoreError("the store cannot be written")
    error.__cause__ = cause
    return error


def _refused_by_the_server(status):
    request = httpx.Request("POST", "http://127.0.0.1:4200/api/task_runs")
    return PrefectHTTPStatusError("refused", request=request, response=httpx.Response(status, request=request))


pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (OSError("disk"), True),
        (MemoryError(), True),
        (ConnectionResetError("gone"), True),
        (httpx.ReadTimeout("slow"), True),
        (_refused_by_the_server(429), True),
        (_refused_by_the_server(503), True),
        (_refused_by_the_server(404), False),
        (_refused_by_the_server(422), False),
        (BrokenProcessPool("a worker was killed"), True),
        (SourceError("the database dropped the connection", transient=True), True),
        (_store_error(ConnectionResetError("gone")), True),
        (_store_error(OSError(errno.ENOSPC, "full")), False),
        (StoreError("two runs of one name"), False),
        (SourceError("no table 'rag_log'"), False),
        (FileNotFoundError(errno.ENOENT, "no such file"), False),
        (PermissionError(errno.EACCES, "not yours"), False),
        (ImportError("no module named 'tasks.new'"), False),
        (KeyError("shards"), False),
        (TypeError("a fault in the code"), False),
        (JudgeTransientError("the judge is not there"), True),
        (JudgeTerminalError("wrong key"), False),
        (ConfigError("a setting is wrong"), False),
        (RunError("no answers"), False),
    ],
)
def test_only_the_machines_trouble_is_tried_again(error, again):
    """What a person must mend is told once and at once."""
    assert is_infrastructure(None, None, SimpleNamespace(data=error)) is again


def test_the_condition_asks_the_state_for_nothing():
    """A state whose result cannot be had is no reason to give up."""

    class Stubborn:
        data = OSError("disk")

        def result(self):
            raise ValueError("not final")

    assert is_infrastructure(None, None, Stubborn())


FLOW = """
import asyncio, json
from prefect import flow, task
from goldassay.errors import ConfigError
from tasks.retrying import is_infrastructure

attempts = {"disk": 0, "setting": 0}

@task(retries=2, retry_delay_seconds=0, retry_condition_fn=is_infrastructure)
async def breaks(what):
    attempts[what] += 1
    if what == "setting":
        raise ConfigError("a setting is wrong")
    if attempts[what] < 3:
        raise OSError("disk")

@flow
async def both():
    await breaks("disk")
    try:
        await breaks("setting")
    except ConfigError:
        pass

asyncio.run(both())
print(json.dumps(attempts))
"""


def test_an_async_task_is_retried_on_a_real_server_for_the_right_reasons(prefect_server):
    """Twice for a broken disk, never for a wrong setting; in a process of its own, as every flow run is."""
    done = subprocess.run(
        [sys.executable, "-c", FLOW], cwd=ROOT, env=prefect_server.environment,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {"disk": 3, "setting": 1}


async def test_shards_are_handed_over_in_bursts_that_the_server_bears():
    """1,200 shards are never 1,200 task runs at once, and every one of them is run, in order."""
    waiting, most = 0, 0

    class Future:
        def __init__(self, shard):
            self.shard = shard

        def result(self):
            nonlocal waiting
            waiting -= 1
            return self.shard

    class Task:
        def submit(self, _plan, shard):
            nonlocal waiting, most
            waiting += 1
            most = max(most, waiting)
            return Future(shard)

    results = await in_shards(Task(), "plan", 1200)

    assert results == list(range(1200))
    assert most == BURST <= 2000
