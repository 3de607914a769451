"""Identical requests of one stage: one call serves them all, whatever happens to it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.errors import JudgeTerminalError
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.progress import ProgressSnapshot
from goldassay.judging.prompt import JudgeItem
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.summary import JudgeSummary
from goldassay.verdicts import Category, Outcome, Verdict
from tests.judging.judge_wire import STAMP, VirtualClock, Wire, item, ok, one_criterion

URL = "http://127.0.0.1:9/v1"


def _same(count: int, *, first: int = 0) -> list[JudgeItem]:
    """Records that differ by their id alone, with weights of their own."""
    question = "How long may I keep a parcel?"
    numbers = range(first, first + count)
    return [JudgeItem(item(number, question=question).record, None, 1.0 + number) for number in numbers]


def _judge(
    things: list[JudgeItem], answer: Callable[[int], dict[str, Any]], journal: Path, **config: Any
) -> tuple[Wire, JudgeSummary, list[Verdict]]:
    wire = Wire(answer)
    settings = JudgeConfig(base_url=URL, **config)
    summary = judge_shard(
        things,
        config=settings,
        journal=journal,
        transport=wire,
        rubric=one_criterion(),
        environ={},
        stamp=STAMP,
        clock=VirtualClock(),
    )
    return wire, summary, list(verdicts_from_journal(journal))


@pytest.mark.parametrize("max_in_flight", [1, 8])
def test_identical_requests_are_paid_for_once(tmp_path: Path, max_in_flight: int) -> None:
    """Six records, one request: every record has its own row, five of them reused and free."""
    wire, summary, rows = _judge(_same(6), lambda _: ok(), tmp_path / "j.jsonl", max_in_flight=max_in_flight)

    assert len(wire.bodies) == summary.calls == 1
    assert summary.reused == 5
    assert sorted(row.record_id for row in rows) == [f"r{number}" for number in range(6)]
    assert sorted(row.weight for row in rows) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert {row.outcome for row in rows} == {Outcome.PASS}
    assert [row.reused for row in rows].count(False) == 1
    assert sum(row.attempts or 0 for row in rows) == 1
    assert len({row.request_hash for row in rows}) == 1


def test_different_requests_are_all_asked(tmp_path: Path) -> None:
    """Another question is another request."""
    things = [*_same(2), item(7), *_same(2, first=8)]

    wire, summary, rows = _judge(things, lambda _: ok(), tmp_path / "j.jsonl")

    assert len(wire.bodies) == 2
    assert (len(rows), summary.reused) == (5, 3)


def test_a_reply_that_cannot_be_read_serves_nobody(tmp_path: Path) -> None:
    """The next record asks for itself; the rest has its reply."""
    wire, summary, rows = _judge(
        _same(4), lambda number: ok("hm") if number == 0 else ok(), tmp_path / "j.jsonl", reask=0, max_in_flight=1
    )

    assert len(wire.bodies) == 2
    assert [row.outcome for row in rows].count(Outcome.ERROR) == 1
    assert [row.reused for row in rows].count(True) == summary.reused == 2


def test_a_judge_that_never_answers_well_is_asked_by_each(tmp_path: Path) -> None:
    """Errors are never shared: each record has a try of its own, and an error row of its own."""
    wire, summary, rows = _judge(_same(5), lambda _: ok("hm"), tmp_path / "j.jsonl", reask=0)

    assert len(wire.bodies) == 5
    assert [row.outcome for row in rows] == [Outcome.ERROR] * 5
    assert summary.reused == 0


def test_a_budget_that_is_used_up_ends_the_wait_of_thousands(tmp_path: Path) -> None:
    """Nobody waits for ever for a call that may not be made, however many ask the same."""
    things = [item(9_999), *_same(3_000)]

    _, _, rows = _judge(things, lambda _: ok("hm"), tmp_path / "j.jsonl", reask=0, max_calls=1)

    over = [row for row in rows if row.category is Category.OVER_BUDGET]
    assert len(rows) == 3_001
    assert len(over) == 3_000


def test_a_call_within_the_budget_serves_all_who_ask_the_same(tmp_path: Path) -> None:
    """Sharing costs nothing, so that a budget of one call is enough for a thousand records."""
    _, summary, rows = _judge(_same(1_000), lambda _: ok(), tmp_path / "j.jsonl", max_calls=1)

    assert {row.outcome for row in rows} == {Outcome.PASS}
    assert (summary.calls, summary.reused) == (1, 999)


def test_a_resumed_stage_shares_what_the_journal_holds(tmp_path: Path) -> None:
    """After a stop, the reply in the journal serves those that were not settled before."""
    journal = tmp_path / "j.jsonl"
    _judge(_same(1), lambda _: ok(), journal)

    wire, summary, rows = _judge(_same(4), lambda _: ok(), journal)

    assert wire.bodies == []
    assert (len(rows), summary.reused, summary.resumed) == (4, 3, 1)


def test_a_stopped_stage_leaves_the_waiting_for_the_next_try(tmp_path: Path) -> None:
    """A wrong key ends the run; nobody has got a row for a call that was not made, and all have one afterwards."""
    journal = tmp_path / "j.jsonl"
    denied = {"status": 401, "body": {"error": {"message": "bad key"}}}
    with pytest.raises(JudgeTerminalError):
        _judge(_same(3), lambda _: denied, journal)
    assert list(verdicts_from_journal(journal)) == []

    wire, _, rows = _judge(_same(3), lambda _: ok(), journal)

    assert (len(wire.bodies), len(rows)) == (1, 3)


def test_the_progress_reaches_its_end_with_shared_and_resumed_replies(tmp_path: Path) -> None:
    """What needs no call is done too."""
    seen: list[ProgressSnapshot] = []
    journal = tmp_path / "j.jsonl"
    _judge(_same(3), lambda _: ok(), journal)
    judge_shard(
        [*_same(6), item(99)],
        config=JudgeConfig(base_url=URL),
        journal=journal,
        transport=Wire(lambda _: ok()),
        rubric=one_criterion(),
        environ={},
        stamp=STAMP,
        clock=VirtualClock(),
        on_progress=seen.append,
        total=7,
    )

    assert (seen[-1].done, seen[-1].total) == (7, 7)


def test_a_resumed_progress_never_counts_more_calls_than_there_are(tmp_path: Path) -> None:
    """What needs no call, such as an answer without sources, is no call of the journal either: 4/4, not 7/4."""
    seen: list[ProgressSnapshot] = []
    journal = tmp_path / "j.jsonl"
    things = [*(item(number) for number in range(4)), *(item(number, sources=()) for number in range(10, 13))]
    for _ in range(2):
        judge_shard(
            things,
            config=JudgeConfig(base_url=URL),
            journal=journal,
            transport=Wire(lambda _: ok()),
            rubric=one_criterion(),
            environ={},
            stamp=STAMP,
            clock=VirtualClock(),
            on_progress=seen.append,
            total=len(things),
        )

    assert (seen[-1].done, seen[-1].total) == (4, 4)


def test_asked_anew_and_asked_repeatedly_is_asked_each_time(tmp_path: Path) -> None:
    """Without reuse, and with repeats, which measure the judge itself, no reply is shared."""
    wire, *_ = _judge(_same(3), lambda _: ok(), tmp_path / "a.jsonl", reuse=False)
    repeated, *_ = _judge(_same(3), lambda _: ok(), tmp_path / "b.jsonl", repeats=3)

    assert (len(wire.bodies), len(repeated.bodies)) == (3, 9)
