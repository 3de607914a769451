"""The estimate of a judge stage is what the stage then does: what it asks, reuses, shares, and had finished before."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.errors import JudgeTerminalError
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.forecast import Forecast, forecast
from goldassay.judging.prompt import JudgeItem
from goldassay.judging.rubric import load_rubric
from goldassay.judging.settings import JudgeConfig, Price
from goldassay.verdicts import StoredReply
from tests.judging.judge_wire import GOOD, STAMP, VirtualClock, Wire, item, items, ok, one_criterion

URL = "http://127.0.0.1:9/v1"
PRICES = {"m": Price(input=1.0, cached=0.1, output=10.0)}


def _forecast(things: Sequence[JudgeItem], journal: Path, *, rubric: Any = None, reuse: Any = None, **config: Any):
    settings = JudgeConfig(base_url=URL, model="m", **config)
    return forecast(
        things, rubric=rubric or one_criterion(), config=settings, journal=journal, stamp=STAMP, reuse=reuse
    )


def _judge(things: Sequence[JudgeItem], journal: Path, wire: Wire, *, reuse: Any = None, **config: Any):
    settings = JudgeConfig(base_url=URL, model="m", **{"max_in_flight": 4, **config})
    return judge_shard(
        things, rubric=one_criterion(), config=settings, journal=journal, stamp=STAMP, environ={}, reuse=reuse,
        transport=wire, clock=VirtualClock(),
    )  # fmt: skip


def _paid(tmp_path: Path, things: Sequence[JudgeItem]) -> dict[str, StoredReply]:
    """Replies that an earlier run paid for."""
    journal = tmp_path / "earlier.jsonl"
    _judge(things, journal, Wire(lambda _: ok()))
    return {
        str(row.request_hash): StoredReply(
            request_hash=str(row.request_hash), reply=row.reply or GOOD, finish_reason="stop",
            judge_model_reported=None, request_id=None, run_id="earlier", run_at=STAMP.run_at,
        )
        for row in verdicts_from_journal(journal)
    }  # fmt: skip


def test_the_estimate_counts_calls_that_will_be_made(tmp_path: Path) -> None:
    """Criteria that do not apply are no calls; repeats are, and are never shared."""
    made = _forecast(items(10), tmp_path / "j", rubric=load_rubric("rag"), repeats=2)

    assert (made.items, made.calls, made.shared) == (10, 40, 0)  # `correct` has no reference to compare with


def test_the_estimate_has_a_price_and_a_time_where_they_are_set(tmp_path: Path) -> None:
    """None, so that nobody reads 0.00, where there is no price; the slower of both rates counts."""
    made = _forecast(items(40), tmp_path / "j")
    priced = JudgeConfig(model="m", prices=PRICES, requests_per_minute=20)

    assert made.cost_usd(JudgeConfig(model="m")) is None
    assert made.cost_usd(priced) == pytest.approx((made.tokens_in * 1.0 + 40 * 150 * 10.0) / 1e6)
    assert made.minutes(priced) == 2.0
    assert made.minutes(JudgeConfig(tokens_per_minute=1000.0)) == pytest.approx((made.tokens_in + 6000) / 1000)
    assert made.minutes(JudgeConfig()) is None


@pytest.mark.parametrize("reuse_is_on", [True, False])
def test_what_was_paid_for_before_is_no_call(tmp_path: Path, *, reuse_is_on: bool) -> None:
    """The very run afterwards makes just those calls, and `reuse = false` all of them."""
    paid = _paid(tmp_path, items(6))

    def known(hashes: Sequence[str]) -> Mapping[str, StoredReply]:
        return {name: paid[name] for name in hashes if name in paid}

    config = JudgeConfig(base_url=URL, model="m", reuse=reuse_is_on)
    wire = Wire(lambda _: ok())
    asked: dict[str, Any] = {"rubric": one_criterion(), "config": config, "stamp": STAMP, "reuse": known}

    made = forecast(items(10), journal=tmp_path / "estimate", **asked)
    summary = judge_shard(
        items(10), journal=tmp_path / "run", environ={}, transport=wire, clock=VirtualClock(), **asked
    )

    assert (made.calls, made.reused) == ((4, 6) if reuse_is_on else (10, 0))
    assert (len(wire.bodies), summary.reused) == (made.calls, made.reused)


def test_a_stored_reply_that_cannot_be_read_is_asked_again(tmp_path: Path) -> None:
    """A look at the hashes alone would call it spared."""
    paid = {name: reply._replace(reply="no verdict") for name, reply in _paid(tmp_path, items(3)).items()}

    made = _forecast(items(3), tmp_path / "estimate", reuse=lambda hashes: {h: paid[h] for h in hashes})

    assert (made.calls, made.reused) == (3, 0)


def test_calls_that_ask_the_same_are_one_call(tmp_path: Path) -> None:
    """Six records with one question, answer and source, and another."""
    same = [item(number, question="How long may I keep a parcel?") for number in range(6)]
    things = [*same, item(7)]

    made = _forecast(things, tmp_path / "estimate")
    wire = Wire(lambda _: ok())
    _judge(things, tmp_path / "run", wire)

    assert (made.calls, made.shared) == (2, 5)
    assert len(wire.bodies) == 2


def test_what_an_interrupted_run_has_finished_is_told_apart(tmp_path: Path) -> None:
    """Its journal is read as the resumed run reads it, and a copy is all that is written to."""
    journal, copy = tmp_path / "run.jsonl", tmp_path / "copy.jsonl"
    stopped = Wire(lambda number: ok() if number < 4 else {"status": 401, "body": {"error": {"message": "no"}}})
    with pytest.raises(JudgeTerminalError):
        _judge(items(10), journal, stopped, max_in_flight=1)
    shutil.copyfile(journal, copy)

    made = _forecast(items(10), copy)
    wire = Wire(lambda _: ok())
    _judge(items(10), journal, wire)

    assert made.resumed + made.calls == 10
    assert 0 < made.calls == len(wire.bodies)


def test_a_budget_hides_no_call(tmp_path: Path) -> None:
    """The estimate is asked for to set one."""
    made = _forecast(items(10), tmp_path / "j", max_calls=3)

    assert made.calls == 10


def test_shards_add_up() -> None:
    """Every figure."""
    assert Forecast(1, 2, 3, 4, 5, 6) + Forecast(1, 2, 3, 4, 5, 6) == Forecast(2, 4, 6, 8, 10, 12)
