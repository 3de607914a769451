import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import httpx
import pytest
from prefect.concurrency.asyncio import ConcurrencySlotAcquisitionError
from prefect.exceptions import ObjectNotFound, PrefectHTTPStatusError

from goldassay.errors import ConfigError, RunError
from goldassay.judging.settings import JudgeConfig
from tasks import limits, limits_server
from tasks.limits import LeasedLimiter, Stock, lease_size, shared_limiter
from tasks.limits_server import Shared, shared_limit
from tests.flows.conftest import ROOT, SETTINGS

server_test = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]

REQUEST = httpx.Request("POST", "http://127.0.0.1:4200/api/v2/concurrency_limits/increment")


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
        async with shared_limiter(JudgeConfig(provider="openai"), "goldassay-judge"):
            pass


class Answers:
    """What the server says of a limit; notes what it was told to make of it."""

    def __init__(self, monkeypatch, there):
        self.there, self.made, self.said = there, [], []
        monkeypatch.setattr(limits_server, "get_client", lambda: contextlib.nullcontext(self))

    async def read_global_concurrency_limit_by_name(self, name):
        if self.there is None:
            raise ObjectNotFound(LookupError(name))
        return self.there

    async def upsert_global_concurrency_limit_by_name(self, name, limit, slot_decay_per_second):
        self.made.append((name, limit, slot_decay_per_second))

    async def shared(self, per_minute=600):
        return await shared_limit("limit", per_minute, say=self.said.append)


def _limit(limit, decay, *, active=True):
    return SimpleNamespace(limit=limit, slot_decay_per_second=decay, active=active)


async def test_a_limit_that_is_missing_is_made_with_a_seconds_worth(monkeypatch):
    """590 a minute by decay and ten at once are 600 in the worst minute."""
    server = Answers(monkeypatch, None)

    assert await server.shared() == ("limit", 10)
    assert server.made == [("limit", 10, pytest.approx(590 / 60))]


async def test_no_more_is_leased_at_once_than_the_limit_holds(monkeypatch):
    """A limit of one slot, set by hand, is kept, told of, and leased from one by one."""
    server = Answers(monkeypatch, _limit(1, 1.0))

    assert await server.shared() == ("limit", 1)
    assert server.made == []
    assert "lets 61 a minute through, fewer than the 600" in server.said[0]
    assert "prefect gcl update limit" in server.said[0]


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (_limit(10, 9.8, active=False), "switched off"),
        (_limit(0, 9.8), "lets nothing through"),
        (_limit(10, 0.0), "lets nothing through"),
    ],
    ids=["switched off", "no slots", "no decay"],
)
async def test_a_limit_that_cannot_work_is_refused_before_the_first_call(monkeypatch, there, said):
    """One message says what is wrong with it and which command mends it."""
    with pytest.raises(ConfigError, match=said):
        await Answers(monkeypatch, there).shared()


async def test_a_lowered_rate_reaches_the_limit_that_is_there(monkeypatch):
    """Settings of 300 a minute lower a limit of 600, and say so; the same settings say nothing."""
    server, same = Answers(monkeypatch, _limit(10, 590 / 60)), _limit(10, 590 / 60)

    assert await server.shared(300) == ("limit", 5)
    assert server.made == [("limit", 5, pytest.approx(295 / 60))]
    assert "is lowered to 300" in server.said[0]
    server.there, server.said = same, []
    await server.shared(600)
    assert server.said == []


async def test_tokens_are_leased_too_and_unused_ones_come_back():
    """A prompt larger than a lease takes several; what it did not use serves the next."""
    asked = []

    async def acquire(permits):
        asked.append(permits)

    limiter = LeasedLimiter(Open(), acquire, size=100, tokens=Stock(acquire, size=1000))

    await limiter.acquire(2500)
    limiter.release("ok", tokens=2500, tokens_used=2100, headers={}, wait_s=None)
    await limiter.acquire(800)

    assert asked == [100, 1000, 1000, 1000]


@pytest.mark.parametrize(
    ("cause", "raised"),
    [
        (httpx.ConnectError("away"), httpx.ConnectError),
        (PrefectHTTPStatusError("busy", request=REQUEST, response=httpx.Response(503)), PrefectHTTPStatusError),
        (PrefectHTTPStatusError("gone", request=REQUEST, response=httpx.Response(422)), RunError),
        (None, RunError),
    ],
)
async def test_a_server_that_is_away_or_busy_is_no_limit_that_was_removed(monkeypatch, cause, raised):
    """The first is worth another try of the shard; the second stops it with the reason."""

    async def refuse(*_, **__):
        raise ConcurrencySlotAcquisitionError("no slots") from cause

    monkeypatch.setattr(limits, "rate_limit", refuse)

    with pytest.raises(raised):
        await limits._acquire_of(Shared("limit", 1))(1)


async def test_a_limit_that_is_lowered_under_a_run_slows_it_and_does_not_stop_it(monkeypatch):
    """An operator who wants fewer calls gets fewer, in leases as large as the limit still holds."""
    granted = []

    async def rate_limit(_name, *, occupy, strict):
        assert strict
        if occupy > 3:
            raise ConcurrencySlotAcquisitionError("Slots requested is greater than the limit")
        granted.append(occupy)

    monkeypatch.setattr(limits, "rate_limit", rate_limit)

    await limits._acquire_of(Shared("limit", 10))(10)

    assert sum(granted) == 10
    assert max(granted) <= 3


async def test_a_judge_that_asks_no_model_needs_no_shared_limit():
    """The lexical judge makes no call that a limit could hold back."""
    async with shared_limiter(JudgeConfig(provider="lexical"), "goldassay-judge") as limiter:
        assert limiter is None


async def test_without_a_name_the_process_limits_itself():
    """The default costs no call to any server."""
    async with shared_limiter(JudgeConfig(), None) as limiter:
        assert limiter is None


class TestTogether:
    pytestmark = server_test

    def test_two_nights_and_a_golden_run_stay_under_one_limit_together(self, work, judge, tmp_path):
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

        told = [tmp_path / f"{number}.txt" for number in range(len(words))]

        def start(number):
            with told[number].open("a") as stderr:
                command = [sys.executable, "-m", "goldassay", *words[number]]
                return subprocess.Popen(command, cwd=work.folder, env=environment, stdout=stderr, stderr=stderr)

        running = [start(number) for number in range(len(words))]
        codes = [process.wait(240) for process in running]
        # On a busy machine one of them may lose its Prefect server for a moment (3, the run broke): the message says to
        # run the same command again, which goes on where it ended.
        codes = [start(number).wait(240) if code == 3 else code for number, code in enumerate(codes)]
        moments = arrivals()

        # The golden run has nothing to compare with yet.
        assert codes == [0, 0, 1], [place.read_text()[-2000:] for place in told]
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
