"""The pools that carry the calls, over real HTTP on loopback."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.transport import SpreadTransport, open_transport, timeouts
from goldassay.verdicts import Outcome
from tests.judging.judge_wire import STAMP, items, one_criterion


@pytest.mark.parametrize("http2", [False, True])
def test_either_pool_carries_a_run(tmp_path: Path, http2: bool) -> None:  # noqa: FBT001 - both ways
    """All calls arrive, as many at once as set and no more."""
    with ScriptedJudge(latency_s=0.02) as judge:
        config = JudgeConfig(provider="scripted", base_url=judge.base_url, http2=http2, max_in_flight=30)
        judge_shard(items(90), rubric=one_criterion(), config=config, journal=tmp_path / "j", environ={}, stamp=STAMP)
        most = judge.in_flight_max

    rows = list(verdicts_from_journal(tmp_path / "j"))
    assert len(rows) == 90
    assert all(row.outcome is Outcome.PASS and row.attempts == 1 for row in rows)
    assert 10 < most <= 30


async def test_many_connections_are_spread_over_small_pools() -> None:
    """HTTP/2 is httpx's own, whose pool is slow when large."""
    transport = open_transport(JudgeConfig(http2=True, max_in_flight=100))

    assert isinstance(transport, SpreadTransport)
    assert len(transport._pools) == 9
    async with transport:
        pass


async def test_pools_take_turns() -> None:
    """Each gets its share."""
    seen: list[int] = []

    def pool(number: int) -> httpx.MockTransport:
        def handle(_: httpx.Request) -> httpx.Response:
            seen.append(number)
            return httpx.Response(200)

        return httpx.MockTransport(handle)

    spread = SpreadTransport([pool(0), pool(1), pool(2)])
    for _ in range(6):
        await spread.handle_async_request(httpx.Request("GET", "http://h/"))

    assert seen == [0, 1, 2, 0, 1, 2]


def test_waiting_for_a_connection_has_no_time_limit() -> None:
    """A queue of our own is never the judge's time-out."""
    limits = timeouts(JudgeConfig(timeout_s=5))

    assert limits == {"connect": 5, "read": 5, "write": 5, "pool": None}


def test_an_unusable_address_stops_the_run_at_once(tmp_path: Path) -> None:
    """Not every record is tried."""
    config = JudgeConfig(base_url="nowhere:9/v1", max_in_flight=2)

    with pytest.raises(Exception, match=r"judge\.base_url"):
        judge_shard(items(5), rubric=one_criterion(), config=config, journal=tmp_path / "j", environ={}, stamp=STAMP)
