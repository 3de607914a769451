"""A run that has to stop: nothing new goes out, what is under way is heard, and nothing is settled too early."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldassay.errors import JudgeTerminalError, StoreError
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.journal import read_lines
from goldassay.judging.settings import JudgeConfig, Price
from goldassay.verdicts import Category, Outcome
from tests.judging.judge_wire import GOOD, STAMP, VirtualClock, Wire, completion, items, ok, one_criterion

URL = "http://127.0.0.1:9/v1"
WRONG_KEY = {"status": 401, "body": {"error": {"message": "wrong key", "code": "invalid_api_key"}}}


class Together(Wire):
    """The second request's answer comes a second after the first's, when the run has stopped."""

    def __init__(self, late: dict[str, Any], clock: VirtualClock) -> None:
        super().__init__(lambda number: late if number else WRONG_KEY, clock=clock)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._latency_s = 1.0 + len(self.bodies)
        return await super().handle_async_request(request)


def _judge(count: int, wire: Wire, clock: VirtualClock, journal: Path, **settings: Any) -> None:
    config = JudgeConfig(base_url=URL, max_in_flight=2, **settings)
    judge_shard(
        items(count),
        rubric=one_criterion(),
        config=config,
        journal=journal,
        environ={},
        stamp=STAMP,
        clock=clock,
        transport=wire,
    )


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(
            {"status": 429, "headers": {"retry-after": "30"}, "body": {"error": {"message": "slow"}}}, id="429"
        ),
        pytest.param({"status": 503, "body": {"error": {"message": "busy"}}}, id="503"),
        pytest.param({"status": 400, "body": {"error": {"message": "temperature is not supported"}}}, id="refused"),
        pytest.param({"error": "ReadTimeout"}, id="time-out"),
    ],
)
def test_a_call_that_fails_after_the_stop_is_not_sent_again_and_not_settled(tmp_path: Path, late: Any) -> None:
    """It would hold the run for minutes, and its row would say that it failed for good: the resumed run makes it."""
    clock, journal = VirtualClock(), tmp_path / "j.jsonl"
    wire = Together(late, clock)

    with pytest.raises(JudgeTerminalError, match="refused the key"):
        _judge(6, wire, clock, journal)

    assert len(wire.bodies) == 2
    assert clock.now < 3.0
    assert [line["kind"] for line in read_lines(journal)] == ["head"]
    _judge(6, Wire(lambda _: ok()), VirtualClock(), journal)
    assert [row.outcome for row in verdicts_from_journal(journal)] == [Outcome.PASS] * 6


def test_an_unreadable_reply_after_the_stop_is_kept_and_asked_again_by_the_next_run(tmp_path: Path) -> None:
    """It was paid for, and one more try is due to it."""
    clock, journal = VirtualClock(), tmp_path / "j.jsonl"
    with pytest.raises(JudgeTerminalError):
        _judge(2, Together(ok("hm"), clock), clock, journal)
    wire = Wire(lambda _: ok())

    _judge(2, wire, VirtualClock(), journal)

    rows = list(verdicts_from_journal(journal))
    assert [row.reply for row in rows] == [GOOD, GOOD]
    assert sorted(len(row.other_replies) for row in rows) == [0, 1]
    assert sum("after an earlier reply could not be read" in str(body) for body in wire.bodies) == 1


def test_a_good_reply_after_the_stop_is_kept(tmp_path: Path) -> None:
    """It was paid for: the next run asks for the other one only."""
    clock, journal = VirtualClock(), tmp_path / "j.jsonl"
    with pytest.raises(JudgeTerminalError):
        _judge(2, Together(ok(), clock), clock, journal)
    wire = Wire(lambda _: ok())

    _judge(2, wire, VirtualClock(), journal)

    assert len(wire.bodies) == 1


def test_a_resumed_run_reckons_what_no_usage_told(tmp_path: Path) -> None:
    """Prompts count as before the interruption, not only the replies: else each resume overshoots the money."""

    def silent(_: int) -> dict[str, Any]:
        body = completion()
        del body["usage"]
        return {"status": 200, "body": body}

    limits = {"prices": {"judge": Price(input=10.0, output=30.0)}, "max_cost_usd": 1.0}
    whole = Wire(silent)
    _judge(200, whole, VirtualClock(), tmp_path / "whole", **limits)
    journal = tmp_path / "cut"
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    paid = [line for line in lines if b'"paid":true' in line]
    journal.write_bytes(lines[0] + b"".join(paid[: len(paid) // 2]))
    rest = Wire(silent)

    _judge(200, rest, VirtualClock(), journal, **limits)

    assert len(paid) // 2 + len(rest.bodies) <= len(whole.bodies) + 1
    assert {row.category for row in verdicts_from_journal(journal)} == {None, Category.OVER_BUDGET}


def test_a_disk_that_fails_while_the_run_goes_on_stops_it_with_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not after hours of paying for what may not be kept, and not with a traceback at the end."""

    def failing(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    class Slow(Wire):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await asyncio.sleep(0.01)
            return await super().handle_async_request(request)

    monkeypatch.setattr("goldassay.judging.workers._BEAT_S", 0.01)
    monkeypatch.setattr("goldassay.judging.journal.os.fsync", failing)
    wire = Slow(lambda _: ok())

    with pytest.raises(StoreError, match="cannot be written: Input/output error"):
        _judge(2_000, wire, VirtualClock(), tmp_path / "j.jsonl")

    assert len(wire.bodies) < 1_000
