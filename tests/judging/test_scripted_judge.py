"""The scripted judge: scripts, lexical grades, faults, counts, and the command that runs it."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.rubric import load_rubric
from goldassay.judging.scripted import ScriptedJudge, main
from goldassay.judging.settings import JudgeConfig
from goldassay.verdicts import Outcome, Verdict
from tests.judging.judge_wire import GOOD, STAMP, item, items, one_criterion


def _judge(judge: ScriptedJudge, things: list[Any], journal: Path, **settings: Any) -> list[Verdict]:
    config = JudgeConfig(provider="scripted", base_url=judge.base_url, **{"base_delay_s": 0.01, **settings})
    judge_shard(things, rubric=one_criterion(), config=config, journal=journal, environ={}, stamp=STAMP)
    return list(verdicts_from_journal(journal))


def _post(url: str, body: Any) -> tuple[int, dict[str, Any]]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_a_reply_is_chosen_by_the_question(tmp_path: Path) -> None:
    """A dict is looked up by a part of the question, so that a word in a source does not decide."""
    script = {"parcel 1?": {"reason": "r", "score": 1, "category": "added_claim"}, "Parcels": GOOD}
    with ScriptedJudge(script) as judge:
        rows = _judge(judge, items(2), tmp_path / "j.jsonl")

    assert {row.record_id: row.score for row in rows} == {"r0": 4.0, "r1": 1.0}


def test_replies_in_turn_and_text_as_it_is(tmp_path: Path) -> None:
    """A list is gone through; text is sent unchanged."""
    with ScriptedJudge([GOOD, "Looks fine to me."]) as judge:
        rows = _judge(judge, items(2), tmp_path / "j.jsonl", max_in_flight=1, reask=0)

    assert [row.reply for row in rows] == [GOOD, "Looks fine to me."]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Parcels can be returned within 30 days [1].", Outcome.PASS),
        ("Parcels can be returned within 60 days [1].", Outcome.FAIL),
        ("I'm sorry, the sources do not say that.", Outcome.PASS),
        ("Penguins breed on rocky islands during southern winters.", Outcome.FAIL),
    ],
)
def test_without_a_script_it_reads_words_and_numbers(tmp_path: Path, answer: str, outcome: Outcome) -> None:
    """A wrong number, foreign words, a refusal: graded plausibly, and the same each time."""
    with ScriptedJudge() as judge:
        first = _judge(judge, [item(answer=answer)], tmp_path / "a.jsonl")
        second = _judge(judge, [item(answer=answer)], tmp_path / "b.jsonl")

    assert first[0].outcome is outcome
    assert first[0].reply == second[0].reply


@pytest.mark.parametrize("calls", ["separate", "together"])
def test_it_replies_in_the_form_that_is_asked_for(tmp_path: Path, calls: str) -> None:
    """One grade, or one per criterion."""
    rubric = load_rubric("rag").model_copy(update={"calls": calls})
    with ScriptedJudge() as judge:
        config = JudgeConfig(provider="scripted", base_url=judge.base_url)
        judge_shard(items(3), rubric=rubric, config=config, journal=tmp_path / "j.jsonl", environ={}, stamp=STAMP)
        calls_made = judge.calls

    rows = list(verdicts_from_journal(tmp_path / "j.jsonl"))
    assert len(rows) == 9
    assert not [row for row in rows if row.outcome is Outcome.ERROR]
    assert calls_made == (3 if calls == "together" else 6)


@pytest.mark.parametrize("fault", ["500", "reset", "cut", "html", "empty", "503"])
def test_faults_that_pass_end_in_verdicts(tmp_path: Path, fault: str) -> None:
    """Each fault once, then a reply; nothing is missing and nothing twice."""
    with ScriptedJudge(faults=[fault, None, fault]) as judge:
        rows = _judge(judge, items(4), tmp_path / "j.jsonl", max_in_flight=1, max_attempts=5)

    assert sorted(row.record_id for row in rows) == ["r0", "r1", "r2", "r3"]
    assert all(row.outcome is Outcome.PASS for row in rows)
    assert judge.calls == 6


def test_a_mixture_of_faults_leaves_no_record_out(tmp_path: Path) -> None:
    """A share of each: every record ends in a verdict or in a counted error, and none is paid for twice."""
    faults = {"429": 0.03, "500": 0.05, "reset": 0.05, "garbage": 0.05, "truncated": 0.05}
    with ScriptedJudge(faults=faults, latency_s=0.01, seed=3) as judge:
        rows = _judge(judge, items(150), tmp_path / "j.jsonl", max_in_flight=30, max_attempts=6)
        paid_twice, in_flight = judge.paid_twice, judge.in_flight_max

    assert sorted(row.record_id for row in rows) == sorted(f"r{number}" for number in range(150))
    assert paid_twice == 0
    assert 1 < in_flight <= 30
    assert sum(row.outcome is Outcome.ERROR for row in rows) < 15


def test_a_slow_reply_is_timed_out(tmp_path: Path) -> None:
    """The connection is given up, the call made again."""
    with ScriptedJudge(faults=["slow"]) as judge:
        rows = _judge(judge, items(1), tmp_path / "j.jsonl", timeout_s=0.3)

    assert (rows[0].outcome, rows[0].attempts) == (Outcome.PASS, 2)


def test_above_its_rate_it_refuses_and_the_client_learns(tmp_path: Path) -> None:
    """Forty calls at 40 a second: hardly a refusal, though nothing was set."""
    with ScriptedJudge(rate_per_s=40.0) as judge:
        rows = _judge(judge, items(60), tmp_path / "j.jsonl", max_attempts=9)

    assert len(rows) == 60
    assert all(row.outcome is Outcome.PASS for row in rows)
    assert judge.calls <= 90


def test_what_is_no_call_gets_an_error() -> None:
    """Another path, a body that is no JSON, a body that is no chat."""
    with ScriptedJudge() as judge:
        assert _post(judge.base_url + "/embeddings", {})[0] == 404
        assert _post(judge.base_url + "/chat/completions", b"{")[0] == 400
        assert _post(judge.base_url + "/chat/completions", {"messages": 3})[0] == 400
        assert judge.paid == 0


def test_two_at_a_time_and_again_after_the_end() -> None:
    """Each has a port of its own; after the end nothing listens."""
    with ScriptedJudge() as first, ScriptedJudge() as second:
        assert first.base_url != second.base_url
        url = first.base_url
    with pytest.raises(OSError, match=r"refused|reset"):
        urllib.request.urlopen(url, timeout=2)


def test_a_taken_port_is_said() -> None:
    """The thread's error comes out in the `with`."""
    with ScriptedJudge() as first:
        port = int(first.base_url.split(":")[2].split("/")[0])
        with pytest.raises(OSError, match="in use"), ScriptedJudge(port=port):
            pass


def test_it_runs_as_a_command(tmp_path: Path) -> None:
    """The first line is the address."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"": "hello"}), encoding="utf-8")
    command = [sys.executable, "-m", "goldassay.judging.scripted", "--port", "0", "--script", str(script)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        status, reply = _post(url + "/chat/completions", {"messages": [{"role": "user", "content": "?"}]})
    finally:
        process.kill()
        process.communicate()

    assert status == 200
    assert reply["choices"][0]["message"]["content"] == "hello"


def test_a_wrong_option_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With the usage, on standard error."""
    with pytest.raises(SystemExit):
        main(["--speed", "9"])
    assert "--speed" in capsys.readouterr().err
