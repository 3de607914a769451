"""Budgets: the limits in money, calls and minutes, and the order that keeps a part a fair sample."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.judging.budget import cost_usd, fair_order
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.settings import JudgeConfig, Price
from goldassay.verdicts import Category, Outcome, Verdict
from tests.judging.judge_wire import STAMP, VirtualClock, Wire, in_stratum, items, ok, one_criterion

URL = "http://127.0.0.1:9/v1"
PRICES = {"m": Price(input=1.0, cached=0.1, output=10.0)}


def _judge(
    things: Any, wire: Wire, journal: Path, *, clock: VirtualClock | None = None, **settings: Any
) -> list[Verdict]:
    config = JudgeConfig(base_url=URL, model="m", **settings)
    arguments: dict[str, Any] = {"environ": {}, "stamp": STAMP, "clock": clock or VirtualClock(), "transport": wire}
    judge_shard(things, rubric=one_criterion(), config=config, journal=journal, **arguments)
    return list(verdicts_from_journal(journal))


def _over(rows: list[Verdict]) -> list[Verdict]:
    return [row for row in rows if row.category is Category.OVER_BUDGET]


def test_cached_tokens_have_their_own_price() -> None:
    """1,000 tokens in, 400 of them cached, 100 out."""
    assert cost_usd(PRICES["m"], 1000, 400, 100) == pytest.approx((600 * 1.0 + 400 * 0.1 + 100 * 10.0) / 1e6)


def test_unknown_is_not_free() -> None:
    """No price, or no usage: no cost, not 0."""
    assert cost_usd(None, 1000, 0, 100) is None
    assert cost_usd(PRICES["m"], None, None, None) is None


def test_most_calls_are_kept_and_the_rest_is_said_to_be_over_budget(tmp_path: Path) -> None:
    """No row is missing; a later run with more budget does the rest."""
    wire = Wire(lambda _: ok())
    rows = _judge(items(20), wire, tmp_path / "j.jsonl", max_calls=8)

    assert len(wire.bodies) == 8
    assert len(rows) == 20
    assert len(_over(rows)) == 12
    assert all(row.outcome is Outcome.ERROR and row.attempts == 0 for row in _over(rows))

    wire = Wire(lambda _: ok())
    rows = _judge(items(20), wire, tmp_path / "j.jsonl", max_calls=100)
    assert len(wire.bodies) == 12
    assert (len(rows), _over(rows)) == (20, [])


def test_a_resumed_run_remembers_what_it_spent(tmp_path: Path) -> None:
    """The limit is that of the run, not of the process."""
    _judge(items(20), Wire(lambda _: ok()), tmp_path / "j.jsonl", max_calls=8)
    wire = Wire(lambda _: ok())

    _judge(items(20), wire, tmp_path / "j.jsonl", max_calls=10)

    assert len(wire.bodies) == 2


@pytest.mark.parametrize("limit", [0.01, 0.05, 0.1])
def test_money_is_not_overspent_by_calls_in_flight(tmp_path: Path, limit: float) -> None:
    """Fifty workers at once, and still within the limit."""
    wire = Wire(lambda _: ok(tokens_in=600, tokens_out=40))

    rows = _judge(items(200), wire, tmp_path / "j.jsonl", max_cost_usd=limit, prices=PRICES)

    spent = sum(row.cost_usd or 0.0 for row in rows)
    assert spent <= limit
    assert spent > 0.7 * limit
    assert len(rows) == 200


def test_a_judge_that_thinks_at_length_does_not_overspend_before_its_first_reply(tmp_path: Path) -> None:
    """Fifty workers know nothing of it yet; only the first sets out on the usual reckoning."""
    wire = Wire(lambda _: ok(tokens_in=600, tokens_out=1000))

    rows = _judge(items(200), wire, tmp_path / "j.jsonl", max_cost_usd=0.1, prices=PRICES)

    assert 0.05 < sum(row.cost_usd or 0.0 for row in rows) <= 0.1


def test_when_the_time_is_up_nothing_more_is_sent(tmp_path: Path) -> None:
    """Half a minute at one call a second: about thirty calls, then a clean end."""
    clock = VirtualClock()
    wire = Wire(lambda _: ok(), clock=clock)

    rows = _judge(
        items(60), wire, tmp_path / "j.jsonl", clock=clock, max_minutes=0.5, requests_per_minute=60, max_in_flight=4
    )

    assert 28 <= len(wire.bodies) <= 31
    assert len(rows) == 60
    assert len(_over(rows)) == 60 - len(wire.bodies)
    assert clock.now <= 40


def test_what_was_judged_is_a_fair_sample(tmp_path: Path) -> None:
    """Strata in proportion, though the log has them one after another."""
    things = [in_stratum(number, "billing" if number < 80 else "travel") for number in range(100)]

    rows = _judge(things, Wire(lambda _: ok()), tmp_path / "j.jsonl", max_calls=20)

    judged = Counter(row.stratum for row in rows if row.outcome is Outcome.PASS)
    assert judged == {"billing": 16, "travel": 4}


def test_the_fair_order_is_the_same_each_time_and_not_that_of_the_log() -> None:
    """It hangs on the ids alone."""
    first = [thing.record.record_id for thing in fair_order(items(50))]

    assert first == [thing.record.record_id for thing in fair_order(reversed(items(50)))]
    assert first != [thing.record.record_id for thing in items(50)]
