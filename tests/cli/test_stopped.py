"""Ctrl-C and SIGTERM end a run at once, with one message, and the same command goes on from there."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from goldassay.judging.scripted import ScriptedJudge
from tests.cli.conftest import ROOT, SETTINGS

_SIGNAL_INSIDE_A_CALLBACK = """
import asyncio, os, signal
from goldassay.cli.stopping import run_until_stopped

class TerminationSignal(BaseException):
    pass

def as_prefect_does(*_):
    raise TerminationSignal

async def flow():
    signal.signal(signal.SIGTERM, as_prefect_does)
    asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
    await asyncio.sleep(20)

run_until_stopped(flow(), embedded={embedded})
"""

_LIMIT_S = 30
"""Prefect's client alone would go on for minutes."""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_ends_at_once_and_loses_nothing_paid_for(project: Path, how: signal.Signals) -> None:
    """Ctrl-C as a terminal sends it, to Prefect's temporary server as well; SIGTERM to the command, as services do."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "GOLDASSAY_"))}
    with ScriptedJudge(latency_s=0.5) as judge:
        settings = 'store = "other"\n' + SETTINGS.format(url=judge.base_url)
        (project / "goldassay.toml").write_text(settings, encoding="utf-8")
        command = [sys.executable, "-m", "goldassay", "run"]
        run = subprocess.Popen(
            command, cwd=project, env={**kept, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        try:
            while judge.calls < 9 and run.poll() is None:
                time.sleep(0.05)
            (os.killpg if how is signal.SIGINT else os.kill)(run.pid, how)
            _, printed = run.communicate(timeout=_LIMIT_S)
            done = subprocess.run(command, cwd=project, env={**kept, "PYTHONPATH": str(ROOT)}, check=False)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)

    assert run.returncode == 3
    assert "the same command goes on from there" in printed
    assert "Traceback" not in printed
    assert done.returncode == 0
    assert judge.paid_twice <= 8


@pytest.mark.parametrize("embedded", ["True", "False"], ids=["own server", "given server"])
def test_a_signal_that_asyncio_swallows_still_ends_the_run(embedded: str) -> None:
    """Prefect's handler raises inside of whatever runs; asyncio catches all that a callback raises, and goes on."""
    script = _SIGNAL_INSIDE_A_CALLBACK.format(embedded=embedded)

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=15, check=False
    )

    assert done.returncode == 3
    assert done.stderr == "\ngoldassay: stopped; what was paid for is kept, and the same command goes on from there.\n"
