"""A command that is killed leaves no server behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.conftest import ROOT, wait_until

_START = """
import subprocess, sys, time
from prefect.server.api.server import SubprocessASGIServer
from goldassay.cli.guarding import guard_servers

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
SubprocessASGIServer._run_uvicorn_command = lambda self: subprocess.Popen(SLEEP)
guard_servers()
guard_servers()
server = SubprocessASGIServer()._run_uvicorn_command()
print(server.pid, flush=True)
if sys.argv[1] == "ends":
    server.kill()
    server.wait()
else:
    time.sleep(60)
"""


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_the_temporary_server_ends_with_a_command_that_is_killed():
    """Kill -9 runs no code of the command; its server is gone a moment later all the same."""
    with subprocess.Popen(
        [sys.executable, "-c", _START, "stays"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as command:
        assert command.stdout is not None
        server = int(command.stdout.readline())
        assert _is_alive(server)

        command.send_signal(signal.SIGKILL)

        wait_until(lambda: not _is_alive(server), limit_s=20)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_command_that_comes_to_its_end_is_not_held_up():
    """The guard goes with it, whether or not the server was there to the last."""
    done = subprocess.run(
        [sys.executable, "-c", _START, "ends"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
