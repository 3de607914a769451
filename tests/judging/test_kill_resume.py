"""A judge stage that is killed anywhere and started again: no row lost, none twice, only calls in flight paid again."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from goldassay.judging.engine import verdicts_from_journal
from goldassay.judging.scripted import ScriptedJudge

_ROOT = Path(__file__).resolve().parents[2]
_IN_FLIGHT = 20
_CHILD = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from goldassay.judging.engine import judge_shard
from goldassay.judging.rubric import load_rubric
from goldassay.judging.settings import JudgeConfig
from tests.judging.judge_wire import STAMP, items
config = JudgeConfig(provider="scripted", base_url=sys.argv[1], max_in_flight={in_flight})
journal = Path(sys.argv[2])
judge_shard(items({count}), rubric=load_rubric("rag"), config=config, journal=journal, environ={{}}, stamp=STAMP)
"""


def _child(url: str, journal: Path, count: int) -> subprocess.Popen[bytes]:
    code = _CHILD.format(root=str(_ROOT), in_flight=_IN_FLIGHT, count=count)
    return subprocess.Popen([sys.executable, "-c", code, url, str(journal)], cwd=_ROOT)


def _finish(url: str, journal: Path, count: int) -> None:
    assert _child(url, journal, count).wait(timeout=240) == 0


def _wait_for_calls(judge: ScriptedJudge, calls: int, process: subprocess.Popen[bytes]) -> None:
    while judge.calls < calls and process.poll() is None:
        time.sleep(0.002)


def _kill_and_resume(folder: Path, *, count: int, kills: list[float]) -> None:
    """Kill after each of these shares of the calls, then let it finish."""
    journal = folder / "journal.jsonl"
    with ScriptedJudge(latency_s=0.02) as judge:
        for share in kills:
            process = _child(judge.base_url, journal, count)
            _wait_for_calls(judge, int(share * 2 * count), process)
            process.send_signal(signal.SIGKILL)
            process.wait()
        _finish(judge.base_url, journal, count)
        paid_twice = judge.paid_twice

    rows = [(row.record_id, row.check) for row in verdicts_from_journal(journal)]
    assert len(rows) == len(set(rows)) == count * 3
    assert paid_twice <= _IN_FLIGHT * len(kills)


def test_killed_three_times_nothing_is_lost(tmp_path: Path) -> None:
    """Killed early, in the middle and late: all rows are there, and only calls in flight were paid again."""
    _kill_and_resume(tmp_path, count=150, kills=[0.05, 0.4, 0.9])


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(20))
def test_killed_at_a_random_moment_of_a_long_run(tmp_path: Path, moment: int) -> None:
    """At any of twenty random moments of 2,000 records."""
    _kill_and_resume(tmp_path, count=2000, kills=[random.Random(moment).random()])


def test_run_again_when_finished_asks_nobody(tmp_path: Path) -> None:
    """The same command on a finished journal makes no call."""
    journal = tmp_path / "journal.jsonl"
    with ScriptedJudge() as judge:
        _finish(judge.base_url, journal, 10)
        calls = judge.calls
        size = journal.stat().st_size
        _finish(judge.base_url, journal, 10)

    assert judge.calls == calls
    assert journal.stat().st_size == size
