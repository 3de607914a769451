import asyncio
import subprocess
import sys
import threading
import time

import pytest

from goldassay.errors import ConfigError
from goldassay.judging.settings import JudgeConfig
from tasks.limits import LeasedLimiter, lease_size, shared_limiter
from tests.flows.conftest import ROOT, SETTINGS

server_test = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]


class Open:
    """A local limiter that lets everything through."""

    def __init__(self):
        self.taken = 0

    async def acquire(self, tokens):
        self.taken += 1

    def release(self, ending, **_details):
        pass


async def test_permits_are_leased_some_at_a_time():
    """Ten calls at a lease of four ask the server three times, never once a call."""
    asked = []

    async def acquire(permits):
        asked.append(permits)

    limiter = LeasedLimiter(Open(), acquire, size=4)

    await asyncio.gather(*(limiter.acquire(100) for _ in range(10)))

    assert asked == [4, 4, 4]


async def test_while_one_lease_is_awaited_the_others_do_not_ask_too():
    """Twenty waiting workers cause one request to the server, not twenty."""
    asked = 0

    async def slowly(_permits):
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)

    limiter = LeasedLimiter(Open(), slowly, size=20)

    await asyncio.gather(*(limiter.acquire(1) for _ in range(20)))

    assert asked == 1


@pytest.mark.parametrize(("rpm", "size"), [(600, 10), (60, 1), (6, 1), (12_000, 200)])
def test_a_lease_is_about_a_seconds_worth(rpm, size):
    """Small enough that a crash loses a second, large enough that its cost vanishes."""
    assert lease_size(rpm) == size


async def test_a_shared_limit_without_a_rate_is_refused_before_the_first_call():
    """Nothing could be shared."""
    with pytest.raises(ConfigError, match="requests_per_minute"):
        async with shared_limiter(JudgeConfig(), "goldassay-judge"):
            pass


async def test_without_a_name_the_process_limits_itself():
    """The default costs no call to any server."""
    async with shared_limiter(JudgeConfig(), None) as limiter:
        assert limiter is None


class TestTogether:
    pytestmark = server_test

    def test_two_nights_and_a_golden_run_stay_under_one_limit_together(self, work, judge):
        """Three processes at ten calls a second: never more over the whole time, and nobody starves."""
        per_s = 10
        text = SETTINGS.format(app="atlas", url=judge.base_url)
        text = text.replace(
            "max_in_flight = 8", f"max_in_flight = 8\nrequests_per_minute = {per_s * 60}\nreuse = false"
        )
        text = text.replace("nightly = 10", "nightly = 12") + '[run]\nshared_limit = "goldassay-shared-test"\n'
        work.set(text)
        words = [
            ["run", "--until", "2026-11-28"],
            ["run", "--since", "2026-11-28", "--set", "store=other"],  # two nights on one store wait for each other
            ["golden", "--app-version", "2026.10.1"],
        ]
        environment = {**work.server.environment, "PYTHONPATH": str(ROOT)}
        arrivals = _watch(judge)

        running = [
            subprocess.Popen(
                [sys.executable, "-m", "goldassay", *each], cwd=work.folder, env=environment,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            for each in words
        ]  # fmt: skip
        codes = [process.wait(240) for process in running]
        moments = arrivals()

        assert codes == [0, 0, 1]  # the golden run has nothing to compare with yet
        runs = work.query("SELECT run_kind, selected, judged + skipped + errors > 0 AS done FROM runs")
        assert len(runs) == 2
        assert all(run["done"] for run in runs)
        for span in (5.0, 10.0):
            assert _most_within(moments, span) <= per_s * span + 2 * per_s


def _watch(judge):
    """Notes when calls arrive; the function returned ends the watch and gives their moments."""
    moments: list[float] = []
    over = threading.Event()

    def look():
        while not over.is_set():
            moments.extend([time.monotonic()] * (judge.calls - len(moments)))
            time.sleep(0.02)

    thread = threading.Thread(target=look)
    thread.start()

    def end():
        over.set()
        thread.join()
        return moments

    return end


def _most_within(moments, span):
    return max(sum(start <= moment < start + span for moment in moments) for start in moments)
