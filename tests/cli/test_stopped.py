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
