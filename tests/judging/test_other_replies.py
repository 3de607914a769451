"""What was asked more than once: every reply that was paid for has a place in the row, and its price in the row's."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from goldassay.judging import JudgeItem, load_rubric
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.journal_rows import verdict_from_json, verdict_to_json
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig, Price
from goldassay.judging.show import show_reply
from goldassay.reporting.html.records import Answer, SourcePool, answer_chunks
from goldassay.store.schema import batch_to_verdicts, verdicts_to_batch
from goldassay.verdicts import Category, OtherReply, Outcome, Verdict
from tests.judging.judge_wire import GOOD, STAMP, VirtualClock, Wire, item, ok, one_criterion

BAD = '{"reason": "It says 60 days.", "score": 1, "category": "wrong_number"}'
PRICES = {"judge": Price(input=1.0, output=10.0)}
ONE_CALL_USD = (800 * 1.0 + 40 * 10.0) / 1e6


def judged(
    answer: Callable[[int], dict[str, Any]],
    journal: Path,
    *,
    rubric: Rubric | None = None,
    things: Sequence[JudgeItem] = (),
    **settings: Any,
) -> list[Verdict]:
    """The rows of one record whose calls go out one after another."""
    config = JudgeConfig(base_url="http://127.0.0.1:9/v1", max_in_flight=1, prices=PRICES, **settings)
    wire = Wire(answer)
    judge_shard(
        list(things) or [item()],
        rubric=rubric or one_criterion(),
        config=config,
        journal=journal,
        environ={},
        stamp=STAMP,
        clock=VirtualClock(),
        transport=wire,
    )
    return list(verdicts_from_journal(journal))


def in_turn(*texts: str) -> Callable[[int], dict[str, Any]]:
    """Good responses with these texts."""
    return lambda number: ok(texts[number])


def all_replies(row: Verdict) -> Counter[str | None]:
    """Every reply of a row, however often."""
    return Counter([row.reply, *(other.reply for other in row.other_replies)])


@pytest.mark.parametrize(
    ("texts", "own", "others"),
    [
        pytest.param((GOOD, BAD, GOOD), GOOD, [("fail", 1.0, BAD), ("pass", 4.0, GOOD)], id="a-flip"),
        pytest.param((GOOD, GOOD, GOOD), GOOD, [("pass", 4.0, GOOD)] * 2, id="all-agree"),
        pytest.param((GOOD, "hm", BAD), "hm", [("pass", 4.0, GOOD), ("fail", 1.0, BAD)], id="a-tie"),
        pytest.param(("a", "b", "c"), "a", [("error", None, "b"), ("error", None, "c")], id="none-readable"),
    ],
)
def test_what_the_judge_said_the_other_times_stands_in_the_row(tmp_path, texts, own, others) -> None:
    """Each repeat with how it was read; tokens, cost and attempts are those of all."""
    (row,) = judged(in_turn(*texts), tmp_path / "j.jsonl", repeats=3, reask=0)

    assert row.reply == own
    assert [(other.outcome, other.score, other.reply) for other in row.other_replies] == others
    assert {other.kind for other in row.other_replies} == {"repeat"}
    assert (row.attempts, row.tokens_in, row.tokens_out) == (3, 2400, 120)
    assert row.cost_usd == pytest.approx(3 * ONE_CALL_USD)


def test_a_repeat_that_nobody_answered_is_told_and_costs_nothing(tmp_path: Path) -> None:
    """Two of three agree, and a reader sees what became of the third."""
    gone = {"error": "ReadTimeout"}
    answers = [ok(GOOD), gone, ok(GOOD)]

    (row,) = judged(lambda number: answers[number], tmp_path / "j.jsonl", repeats=3, max_attempts=1)

    (silent,) = [other for other in row.other_replies if other.reply is None]
    assert (silent.outcome, silent.reason) == ("error", "timed_out: ReadTimeout")
    assert (row.repeats, row.agreeing, row.attempts) == (3, 2, 3)
    assert row.cost_usd == pytest.approx(2 * ONE_CALL_USD)


def test_one_reply_without_its_usage_makes_the_cost_of_all_unknown(tmp_path: Path) -> None:
    """Unknown is not free: half a sum would be a wrong one."""
    without = ok(GOOD)
    del without["body"]["usage"]
    answers = [ok(GOOD), without]

    (row,) = judged(lambda number: answers[number], tmp_path / "j.jsonl", repeats=2)

    assert row.cost_usd is None
    assert row.outcome is Outcome.PASS


def test_the_other_order_of_a_pairwise_call_is_kept(tmp_path: Path) -> None:
    """Both orders were paid for; the reply that is not shown as the row's own says which it answered."""
    rubric = load_rubric("pairwise")
    a_wins = '{"reason": "shorter", "winner": "A", "category": "none"}'
    b_wins = '{"reason": "right", "winner": "B", "category": "incomplete"}'
    thing = JudgeItem(item().record, other=item(answer="60 days.").record)

    (row,) = judged(in_turn(a_wins, b_wins), tmp_path / "j.jsonl", rubric=rubric, things=[thing])

    assert row.reply == a_wins
    assert row.other_replies == (OtherReply("order", "pass", 2.0, "right", b_wins, "stop", "BA"),)
    assert (row.attempts, row.tokens_in) == (2, 1600)


def test_repeats_that_were_asked_again_keep_every_reply(tmp_path: Path) -> None:
    """What could not be read, and what was not chosen, in the order of asking."""
    (row,) = judged(in_turn("hm", BAD, GOOD, "so so", GOOD), tmp_path / "j.jsonl", repeats=3)

    assert [(other.kind, other.reply) for other in row.other_replies] == [
        ("asked_again", "hm"),
        ("repeat", BAD),
        ("asked_again", "so so"),
        ("repeat", GOOD),
    ]
    assert all_replies(row) == Counter({GOOD: 2, BAD: 1, "hm": 1, "so so": 1})
    assert (row.attempts, row.tokens_in, row.extra["reasked"]) == (5, 4000, "2")


def test_a_reply_paid_for_before_the_process_was_killed_is_in_the_row(tmp_path: Path) -> None:
    """Killed between an unreadable reply and the next: the resumed run's row has both, and the price of both."""
    journal = tmp_path / "j.jsonl"
    judged(in_turn("hm", GOOD), journal)
    head, spent, _ = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(head + spent)

    (row,) = judged(in_turn(GOOD), journal)

    assert row.other_replies == (OtherReply("asked_again", "error", None, "not_json", "hm", "stop"),)
    assert (row.attempts, row.tokens_in, row.extra) == (2, 1600, {"reasked": "1"})
    assert row.cost_usd == pytest.approx(2 * ONE_CALL_USD)


def test_a_call_about_several_criteria_is_paid_for_once_however_often_it_was_asked(tmp_path: Path) -> None:
    """Each criterion's row shows the reply that was asked again; its price stands on the first alone."""
    rubric = load_rubric("rag").model_copy(update={"calls": "together"})
    grade = json.loads(GOOD)

    rows = judged(
        in_turn("hm", json.dumps({"faithful": grade, "relevant": grade})), tmp_path / "j.jsonl", rubric=rubric
    )

    graded = [row for row in rows if row.outcome is Outcome.PASS]
    assert [row.check for row in graded] == ["faithful", "relevant"]
    assert [[other.reply for other in row.other_replies] for row in graded] == [["hm"], ["hm"]]
    assert [row.tokens_in for row in graded] == [1600, 0]
    assert [row.extra for row in graded] == [{"reasked": "1"}, {}]


def test_a_budget_that_ends_between_two_tries_loses_no_reply(tmp_path: Path) -> None:
    """The row is over budget; the reply that was paid for, and its price, stand in it."""
    clock = VirtualClock()
    wire = Wire(lambda number: ok("hm") if not number else {"error": "ReadTimeout"}, clock=clock, latency_s=50.0)
    config = JudgeConfig(base_url="http://127.0.0.1:9/v1", max_in_flight=1, max_minutes=1.5, prices=PRICES)
    journal = tmp_path / "j.jsonl"

    judge_shard(
        [item()],
        rubric=one_criterion(),
        config=config,
        journal=journal,
        environ={},
        stamp=STAMP,
        clock=clock,
        transport=wire,
    )

    (row,) = verdicts_from_journal(journal)
    assert [other.reply for other in row.other_replies] == ["hm"]
    assert row.cost_usd == pytest.approx(ONE_CALL_USD)
    assert row.category in {Category.OVER_BUDGET, Category.TIMED_OUT}
    assert row.attempts == 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("form", ["separate", "together", "pairwise"])
def test_every_reply_that_was_paid_for_stands_in_the_rows_with_its_price(tmp_path: Path, form: str, seed: int) -> None:
    """Flips, slips, time-outs and a process that stops in the middle: sent and kept are the same, to the token."""
    rng = random.Random(seed)
    sent: Counter[str] = Counter()
    winner = '{"reason": "r", "winner": "%s", "category": "none"}'
    both = {"faithful": json.loads(GOOD), "relevant": json.loads(BAD)}
    choices = {"separate": [GOOD, BAD], "together": [json.dumps(both)], "pairwise": [winner % "A", winner % "B"]}[form]

    def answer(number: int) -> dict[str, Any]:
        if rng.random() < 0.15:
            return {"error": "ReadTimeout"}
        text = rng.choice([*choices, "hm", "so so"]) + " " * number
        sent[text] += 1
        return ok(text, tokens_in=100 + number, tokens_out=number)

    rubric = load_rubric("pairwise" if form == "pairwise" else "rag")
    rubric = rubric.model_copy(update={"calls": "together"}) if form == "together" else rubric
    things = [JudgeItem(item(at).record, other=item(at, answer="60 days.").record) for at in range(4)]
    settings: dict[str, Any] = {
        "repeats": 3,
        "max_attempts": 1,
        "give_up_after": 99,
        "rubric": rubric,
        "things": things,
    }
    journal = tmp_path / "j.jsonl"
    judged(answer, journal, **settings)
    lines = journal.read_bytes().splitlines(keepends=True)
    for line in lines[len(lines) // 2 :]:  # these never came: the process was killed before
        cut = json.loads(line)
        sent -= Counter([cut["reply"]]) if cut.get("paid") else Counter()
    journal.write_bytes(b"".join(lines[: len(lines) // 2]))

    rows = [row for row in judged(answer, journal, **settings) if row.request_hash]

    checks = 2 if form == "together" else 1  # a reply about two criteria is shown in the rows of both
    kept = sum((all_replies(row) for row in rows), Counter())
    kept = Counter({text: times for text, times in kept.items() if text is not None})
    assert {text: times // checks for text, times in kept.items()} == dict(sent)
    paid = sum(sum(100 + len(text) - len(text.rstrip(" ")) for _ in range(times)) for text, times in sent.items())
    assert sum(row.tokens_in or 0 for row in rows) == paid
    assert sum(row.cost_usd or 0.0 for row in rows) == pytest.approx(
        sum((100 + (n := len(text) - len(text.rstrip(" "))) + 10 * n) * times / 1e6 for text, times in sent.items())
    )


ROW = Verdict(
    record_id="r0",
    check="faithful",
    check_kind="judge",
    outcome=Outcome.PASS,
    rubric="rag",
    rubric_version="1",
    judge_model="judge-x",
    score=4.0,
    scale_max=5.0,
    pass_mark=4.0,
    reply=GOOD,
    other_replies=(
        OtherReply("repeat", "fail", 1.0, "It says 60 days.", BAD, "stop"),
        OtherReply("repeat", "error", None, "timed_out", None),
    ),
)


def test_other_replies_come_back_from_a_file_and_from_a_line() -> None:
    """Parquet and journal keep them as they were."""
    assert batch_to_verdicts(verdicts_to_batch([ROW])) == [ROW]
    assert verdict_from_json(json.loads(json.dumps(verdict_to_json(ROW)))) == ROW


def test_judge_show_prints_what_was_said_the_other_times() -> None:
    """With how each was read, and that one never came."""
    text = show_reply(ROW, load_rubric("rag"), item()).text()

    assert f"[another reply: the same call, made once more; fail, score 1: It says 60 days.]\n{BAD}" in text
    assert "error: timed_out]\n(none came)" in text


def test_the_page_holds_the_other_replies_beside_the_reply() -> None:
    """The answer that is opened shows them; one alone has no such key."""
    (chunk,) = answer_chunks([Answer(item().record, None, [ROW])], SourcePool())
    (one,) = chunk[0]["v"]

    assert one["y"] == GOOD
    assert one["t"] == [
        ["Asked once more: fail 1", "It says 60 days.", BAD],
        ["Asked once more: error", "timed_out", ""],
    ]
