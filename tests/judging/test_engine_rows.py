"""What a judge stage makes of its replies: rows, re-asks, repeats, reuse, stops, the worked example."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.errors import ConfigError, JudgeTerminalError, JudgeTransientError, StoreError
from goldassay.judging.engine import judge_items, judge_shard, verdicts_from_journal
from goldassay.judging.rubric import load_rubric
from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig, Price
from goldassay.judging.summary import JudgeSummary
from goldassay.verdicts import Category, OtherReply, Outcome, StoredReply, Verdict
from tests.judging.judge_wire import GOOD, STAMP, VirtualClock, Wire, item, items, ok, one_criterion

BAD = '{"reason": "It says 60 days.", "score": 1, "category": "wrong_number"}'
URL = "http://127.0.0.1:9/v1"


def _judge(
    things: Sequence[Any], wire: Wire, journal: Path, *, config: JudgeConfig | None = None, **more: Any
) -> tuple[JudgeSummary, list[Verdict]]:
    config = config or JudgeConfig(base_url=URL)
    arguments = {"rubric": one_criterion(), "environ": {}, "stamp": STAMP, "clock": VirtualClock(), **more}
    summary = judge_shard(things, config=config, journal=journal, transport=wire, **arguments)
    return summary, list(verdicts_from_journal(journal))


def test_one_reply_in_three_that_cannot_be_read_is_an_error_of_the_judge(tmp_path: Path) -> None:
    """Two readable verdicts and a 'Looks fine to me.': passed 1 of 3, and nothing is guessed."""
    rubric = load_rubric("rag").model_copy(update={"calls": "together"})
    graded = {"reason": "r", "category": "none"}
    script = [
        {"faithful": {**graded, "score": 5}, "relevant": {**graded, "score": 5}},
        {"faithful": {**graded, "score": 2, "category": "added_claim"}, "relevant": {**graded, "score": 5}},
        "Looks fine to me.",
    ]
    with ScriptedJudge(script) as judge:
        config = JudgeConfig(provider="scripted", base_url=judge.base_url, max_in_flight=1, reask=0)
        summary = judge_shard(
            items(3), rubric=rubric, config=config, journal=tmp_path / "j.jsonl", environ={}, stamp=STAMP
        )

    faithful = [row for row in verdicts_from_journal(tmp_path / "j.jsonl") if row.check == "faithful"]
    assert [row.outcome for row in faithful] == [Outcome.PASS, Outcome.FAIL, Outcome.ERROR]
    assert faithful[2].category is Category.UNREADABLE_REPLY
    assert faithful[2].reply == "Looks fine to me."
    assert faithful[2].score is None
    assert summary.unreadable == 1


def test_rows_carry_what_the_call_was(tmp_path: Path) -> None:
    """Columns of the run, the record, the rubric and the call."""
    config = JudgeConfig(base_url=URL, model="m", prices={"m": Price(input=1.0, output=10.0)})

    _, (row,) = _judge([item(7)], Wire(lambda _: ok()), tmp_path / "j.jsonl", config=config)

    assert (row.run_id, row.run_kind, row.run_at) == STAMP
    assert (row.record_id, row.check, row.check_kind, row.rubric) == ("r7", "faithful", "judge", "rag")
    assert (row.outcome, row.score, row.pass_mark) == (Outcome.PASS, 4.0, 4.0)
    assert (row.judge_provider, row.judge_model, row.judge_model_reported) == ("openai", "m", "judge-x")
    assert (row.tokens_in, row.tokens_out, row.attempts, row.finish_reason) == (800, 40, 1, "stop")
    assert row.cost_usd == pytest.approx((800 * 1.0 + 40 * 10.0) / 1e6)
    assert row.reply == GOOD
    assert row.request_hash is not None


def test_a_reply_that_cannot_be_read_is_asked_again_in_other_words(tmp_path: Path) -> None:
    """Once by default; both replies are paid for and counted, and no request is sent twice as it was."""
    wire = Wire(lambda number: ok("Looks fine to me.") if number == 0 else ok())

    summary, (row,) = _judge([item()], wire, tmp_path / "j.jsonl")

    assert row.outcome is Outcome.PASS
    assert (row.attempts, row.tokens_in, row.tokens_out) == (2, 1600, 80)
    assert (summary.calls, summary.reasked, summary.unreadable) == (2, 1, 0)
    assert wire.bodies[0] != wire.bodies[1]


def test_no_word_is_asked_again_without_end(tmp_path: Path) -> None:
    """After `reask` more tries the row is an error that keeps the last reply."""
    config = JudgeConfig(base_url=URL, reask=2)

    summary, (row,) = _judge([item()], Wire(lambda _: ok("hm")), tmp_path / "j.jsonl", config=config)

    assert (row.outcome, row.category, row.attempts) == (Outcome.ERROR, Category.UNREADABLE_REPLY, 3)
    assert summary.reasked == 2


@pytest.mark.parametrize(
    ("first", "room"), [(ok("hm"), 1024), (ok(GOOD[:20], finish="length"), 2048)], ids=["no-json", "cut-off"]
)
def test_only_a_reply_that_was_cut_off_is_given_more_room(tmp_path: Path, first: dict[str, Any], room: int) -> None:
    """A model refuses more than its most: asking so for no need would lose the second try."""
    wire = Wire(lambda number: ok() if number else first)

    _judge([item()], wire, tmp_path / "j.jsonl", config=JudgeConfig(base_url=URL, max_tokens=1024))

    assert [body["max_tokens"] for body in wire.bodies] == [1024, room]


def test_a_good_reply_is_never_sent_again_whatever_its_headers_say(tmp_path: Path) -> None:
    """A 200 that says that nothing remains is a 200."""
    headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-limit-requests": "5", "retry-after": "60"}
    wire = Wire(lambda _: {**ok(), "headers": headers})

    summary, rows = _judge(items(5), wire, tmp_path / "j.jsonl")

    assert len(wire.bodies) == summary.requests == 5
    assert all(row.attempts == 1 for row in rows)


@pytest.mark.parametrize(
    ("replies", "outcome", "agreeing"),
    [
        pytest.param([GOOD, GOOD, BAD], Outcome.PASS, 2, id="two-of-three-pass"),
        pytest.param([BAD, GOOD, BAD], Outcome.FAIL, 2, id="two-of-three-fail"),
        pytest.param([GOOD, GOOD, GOOD], Outcome.PASS, 3, id="all-agree"),
        pytest.param([GOOD, "hm", "hm"], Outcome.ERROR, 1, id="one-readable"),
        pytest.param([GOOD, "hm", GOOD], Outcome.PASS, 2, id="two-readable-agree"),
        pytest.param([GOOD, "hm", BAD], Outcome.ERROR, 1, id="tie"),
        pytest.param(["hm", "hm", "hm"], Outcome.ERROR, 0, id="none-readable"),
    ],
)
def test_repeats_are_decided_by_the_majority(
    tmp_path: Path, replies: list[str], outcome: Outcome, agreeing: int
) -> None:
    """N calls make one row; without a majority of all it is an error, and the flips can be counted."""
    config = JudgeConfig(base_url=URL, repeats=3, reask=0, max_in_flight=1)
    wire = Wire(lambda number: ok(replies[number]))

    _, (row,) = _judge([item()], wire, tmp_path / "j.jsonl", config=config)

    assert row.outcome is outcome
    assert row.agreeing == agreeing
    assert row.repeats == 3
    assert row.tokens_in == 2400
    assert len({json.dumps(body) for body in wire.bodies}) == 1


def _stored(asked: list[str]) -> Any:
    def reuse(hashes: Sequence[str]) -> dict[str, StoredReply]:
        asked.extend(hashes)
        return {
            hashed: StoredReply(hashed, GOOD, "stop", "judge-x", "id-1", "run-0", STAMP.run_at) for hashed in hashes
        }

    return reuse


def test_what_was_paid_for_before_is_used_again(tmp_path: Path) -> None:
    """The store's reply makes the row: reused, no attempt, no cost."""
    asked: list[str] = []
    wire = Wire(lambda _: ok())

    summary, rows = _judge(items(3), wire, tmp_path / "j.jsonl", reuse=_stored(asked))

    assert wire.bodies == []
    assert [(row.reused, row.attempts, row.cost_usd, row.outcome) for row in rows] == [(True, 0, 0.0, Outcome.PASS)] * 3
    assert summary.reused == 3
    assert summary.calls == 0
    assert {row.request_hash for row in rows} == set(asked)


def test_fresh_asks_anew(tmp_path: Path) -> None:
    """With reuse off the store is not even looked at."""
    asked: list[str] = []
    config = JudgeConfig(base_url=URL, reuse=False)
    wire = Wire(lambda _: ok())

    _judge(items(2), wire, tmp_path / "j.jsonl", config=config, reuse=_stored(asked))

    assert len(wire.bodies) == 2
    assert asked == []


def test_a_wrong_key_stops_the_run_with_one_message_and_keeps_what_was_judged(tmp_path: Path) -> None:
    """At most one request per worker; after the key is mended, the same command does the rest."""
    wrong = {"status": 401, "body": {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}}
    wire = Wire(lambda number: ok() if number < 2 else wrong)
    config = JudgeConfig(base_url=URL, max_in_flight=1)

    with pytest.raises(JudgeTerminalError, match=r"Check the key in the variable that judge\.api_key_env should name"):
        _judge(items(6), wire, tmp_path / "j.jsonl", config=config)

    assert len(wire.bodies) == 3
    mended = Wire(lambda _: ok())
    _, rows = _judge(items(6), mended, tmp_path / "j.jsonl", config=config)
    assert len(rows) == 6
    assert len(mended.bodies) == 4


def test_calls_in_flight_are_heard_to_their_end_when_the_run_stops(tmp_path: Path) -> None:
    """They are paid for: their replies are in the journal though the run has failed."""
    clock = VirtualClock()
    wrong = {"status": 401, "body": {"error": "no"}}

    class Late(Wire):
        async def handle_async_request(self, request: Any) -> Any:
            is_first = not self.bodies
            await asyncio.sleep(0)
            self._latency_s = 0.0 if is_first else 5.0
            return await super().handle_async_request(request)

    wire = Late(lambda number: wrong if number == 0 else ok(), clock=clock, latency_s=1.0)
    with pytest.raises(JudgeTerminalError):
        _judge(items(4), wire, tmp_path / "j.jsonl", config=JudgeConfig(base_url=URL, max_in_flight=4), clock=clock)

    rows = list(verdicts_from_journal(tmp_path / "j.jsonl"))
    assert len(rows) == len(wire.bodies) - 1


def test_a_judge_that_is_not_there_stops_the_run(tmp_path: Path) -> None:
    """Not every record is tried five times against a closed door."""
    wire = Wire(lambda _: {"error": "ConnectError", "message": "refused"})
    config = JudgeConfig(base_url=URL, max_in_flight=2, give_up_after=5)

    with pytest.raises(JudgeTransientError, match="answered none of 5 calls in a row"):
        _judge(items(100), wire, tmp_path / "j.jsonl", config=config)

    assert len(wire.bodies) <= 7 * config.max_attempts


def test_a_judge_that_is_not_there_stops_a_short_run_as_well(tmp_path: Path) -> None:
    """Three answers, none judged: that is no night to publish; once it is back, all three are asked."""
    config = JudgeConfig(base_url=URL, max_in_flight=2)
    down = Wire(lambda _: {"error": "ConnectError", "message": "refused"})
    with pytest.raises(JudgeTransientError, match="answered none of 3 calls in a row"):
        _judge(items(3), down, tmp_path / "j.jsonl", config=config)

    back = Wire(lambda _: ok())
    summary, rows = _judge(items(3), back, tmp_path / "j.jsonl", config=config)

    assert len(back.bodies) == 3
    assert not summary.errors
    assert [row.outcome for row in rows] == ["pass"] * 3


def test_a_crash_in_a_callback_ends_the_run_with_that_error(tmp_path: Path) -> None:
    """Whatever breaks one worker is told, not swallowed."""

    def reuse(_hashes: Sequence[str]) -> dict[str, StoredReply]:
        raise StoreError("the store is gone")

    with pytest.raises(StoreError, match="the store is gone"):
        _judge(items(3), Wire(lambda _: ok()), tmp_path / "j.jsonl", reuse=reuse)


def test_two_records_of_one_id_are_both_judged(tmp_path: Path) -> None:
    """A log may hold an id twice; neither hides the other, also after resuming."""
    twins = [item(1), item(1)]
    _judge(twins, Wire(lambda _: ok()), tmp_path / "j.jsonl")
    wire = Wire(lambda _: ok())

    _, rows = _judge(twins, wire, tmp_path / "j.jsonl")

    assert len(rows) == 2
    assert wire.bodies == []


def test_a_record_that_changed_is_judged_anew(tmp_path: Path) -> None:
    """Its calls have another hash; the rows of the old text are not shown."""
    _judge([item(1)], Wire(lambda _: ok()), tmp_path / "j.jsonl")

    _, rows = _judge([item(1, answer="31 days [1].")], Wire(lambda _: ok(BAD)), tmp_path / "j.jsonl")

    assert [row.outcome for row in rows] == [Outcome.FAIL]


def test_odd_text_goes_out_and_comes_back(tmp_path: Path) -> None:
    """A lone surrogate or a null byte in a logged text breaks neither request nor journal."""
    odd = item(1, answer="cut \ud83d off \x00 [1].", source="half \udc00 pair")

    summary, rows = _judge([odd, item(2)], Wire(lambda _: ok()), tmp_path / "j.jsonl")

    assert [row.outcome for row in rows] == [Outcome.PASS, Outcome.PASS]
    assert summary.requests == 2


def test_what_the_judge_model_calls_itself_is_collected(tmp_path: Path) -> None:
    """So that a silent change of model can be found."""
    summary, _ = _judge(items(3), Wire(lambda _: ok()), tmp_path / "j.jsonl")

    assert summary.models_reported == {"judge-x": 3}


def test_judge_and_assistant_of_one_family_are_flagged(tmp_path: Path) -> None:
    """A column, so that the bias can be looked at."""
    config = JudgeConfig(base_url=URL, model="gpt-4o-mini")

    _, (row,) = _judge([item(1, model="gpt-4o")], Wire(lambda _: ok()), tmp_path / "j.jsonl", config=config)

    assert "same_family" in row.flags


def test_a_setting_without_effect_is_said_once(tmp_path: Path) -> None:
    """num_ctx is Ollama's alone."""
    config = JudgeConfig(base_url=URL, num_ctx=8192)

    summary, _ = _judge(items(5), Wire(lambda _: ok()), tmp_path / "j.jsonl", config=config)

    assert len(summary.warnings) == 1


def test_unknown_settings_are_refused() -> None:
    """A misspelt name never passes for a setting."""
    with pytest.raises(ValueError, match="max_tokns"):
        JudgeConfig.model_validate({"max_tokns": 5})


async def test_progress_tells_how_far_it_is(tmp_path: Path) -> None:
    """The last snapshot has everything done."""
    seen: list[Any] = []
    await judge_items(
        items(4),
        rubric=one_criterion(),
        config=JudgeConfig(base_url=URL),
        journal=tmp_path / "j.jsonl",
        environ={},
        stamp=STAMP,
        transport=Wire(lambda _: ok()),
        on_progress=seen.append,
        total=4,
    )

    assert (seen[-1].done, seen[-1].total, seen[-1].in_flight, seen[-1].errors) == (4, 4, 0, 0)


def test_a_limit_in_money_without_a_price_is_refused(tmp_path: Path) -> None:
    """Unknown is not free."""
    config = JudgeConfig(base_url=URL, max_cost_usd=1.0)

    with pytest.raises(ConfigError, match="has no price"):
        _judge(items(1), Wire(lambda _: ok()), tmp_path / "j.jsonl", config=config)


def test_calls_about_one_record_follow_each_other(tmp_path: Path) -> None:
    """The first one fills the provider's prefix cache for the rest; workers do not share a record while others wait."""
    clock = VirtualClock()
    wire = Wire(lambda _: ok(), clock=clock, latency_s=1.0)
    config = JudgeConfig(base_url=URL, max_in_flight=2, reask=0)

    _judge(items(4), wire, tmp_path / "j.jsonl", config=config, rubric=load_rubric("rag"), clock=clock)

    asked = [str(body["messages"]).split("keep parcel ")[1][0] for body in wire.bodies]
    assert asked == ["0", "1", "0", "1", "2", "3", "2", "3"]
    prefixes = [str(body["messages"][1]["content"]).split("Criterion ")[0] for body in wire.bodies]
    assert prefixes[0] == prefixes[2]


def test_workers_help_each_other_when_records_run_out(tmp_path: Path) -> None:
    """The last record's calls go out together."""
    clock = VirtualClock()
    wire = Wire(lambda _: ok(), clock=clock, latency_s=1.0)
    config = JudgeConfig(base_url=URL, max_in_flight=6, repeats=6)

    _judge(items(1), wire, tmp_path / "j.jsonl", config=config, clock=clock)

    assert wire.in_flight_max == 6


def test_what_was_asked_again_stands_in_the_row(tmp_path: Path) -> None:
    """How often, and each reply that could not be read: the journal goes, the row stays."""
    config = JudgeConfig(base_url=URL, reask=1, max_in_flight=1)
    wire = Wire(lambda number: ok(["hm", GOOD][number]))

    summary, (row,) = _judge([item()], wire, tmp_path / "j.jsonl", config=config)

    assert summary.reasked == 1
    assert row.outcome is Outcome.PASS
    assert row.extra == {"reasked": "1"}
    assert row.other_replies == (OtherReply("asked_again", "error", None, "not_json", "hm", "stop"),)
