"""Assistants that are a function or a command; the pace of asking and its journal."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldassay.errors import ConfigError, JudgeTransientError, StoreError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.sources.assistant import AskedVersion, AssistantConfig, ask_golden, ask_one
from goldassay.sources.assistant.journal import Journal
from goldassay.sources.assistant.over_http import retry_after_s
from goldassay.sources.assistant.pace import Pace, wait_before
from goldassay.sources.assistant.question import AskError
from goldassay.verdicts import Category

VERSION = AskedVersion("atlas", "2026.11.0", "scribe-3", "p7", "i4")


def _golden(*texts):
    return [GoldenQuestion(question_id=f"q{i}", question=text) for i, text in enumerate(texts)]


def _config(url, **more):
    quick = {"requests_per_minute": 60_000, "first_wait_s": 0.01, "timeout_s": 30, "max_in_flight": 8}
    return AssistantConfig(url=url, **(quick | more))


def _ask(questions, config, journal, **more):
    environ = more.pop("environ", {})
    return asyncio.run(ask_golden(questions, config=config, version=VERSION, journal=journal, environ=environ, **more))


@pytest.mark.parametrize(
    ("code", "category"),
    [
        ("def ask(question):\n    raise ValueError('broken')\n", Category.PROVIDER_ERROR),
        ("import time\ndef ask(question):\n    time.sleep(0.5)\n", Category.TIMED_OUT),
        ("def ask(question):\n    return 7\n", Category.UNREADABLE_REPLY),
        ("async def ask(question):\n    return {'sources': []}\n", Category.UNREADABLE_REPLY),
        ("def ask(question):\n    raise ValueError('cut \\ud83d')\n", Category.PROVIDER_ERROR),
    ],
    ids=["raises", "hangs", "returns-a-number", "no-answer", "raises-what-no-file-can-hold"],
)
def test_a_function_that_fails_is_an_error_row(tmp_path, code, category):
    """Never an exception of ours."""
    (tmp_path / "app.py").write_text(code)
    config = AssistantConfig(
        kind="python",
        function="app.py:ask",
        attempts=2,
        first_wait_s=0.01,
        timeout_s=0.1 if "sleep" in code else 30,
        requests_per_minute=60_000,
    )

    asked = _ask(_golden("One?"), config, tmp_path / "journal", base_dir=tmp_path)

    assert [error.category for error in asked.errors] == [category]


def test_a_function_is_loaded_by_path_alone(tmp_path):
    """sys.path stays as it is, and an async function is awaited."""
    (tmp_path / "json.py").write_text("async def ask(question):\n    return question.upper()\n")
    before = list(sys.path)

    record = ask_one("one?", AssistantConfig(kind="python", function="json.py:ask"), environ={}, base_dir=tmp_path)

    assert record.answer == "ONE?"
    assert sys.path == before
    assert json.loads("1") == 1


@pytest.mark.parametrize("place", ["missing.py:ask", "app.py", "app.py:nothing"])
def test_a_function_that_is_not_there_is_a_setting_error(tmp_path, place):
    """With the place in the message."""
    (tmp_path / "app.py").write_text("value = 1\n")

    with pytest.raises(ConfigError, match=r"assistant\.function"):
        ask_one("one?", AssistantConfig(kind="python", function=place), environ={}, base_dir=tmp_path)


def test_a_command_gets_json_and_no_shell_sees_the_question(tmp_path):
    """A question full of shell signs is text."""
    program = (
        "import json, sys; r = json.load(sys.stdin); print(json.dumps({'answer': r['question'], 'sources': ['A']}))"
    )
    config = AssistantConfig(kind="command", command=[sys.executable, "-c", program])

    record = ask_one("$(touch x); `id` | cat '\"", config, environ={}, base_dir=tmp_path)

    assert record.answer == "$(touch x); `id` | cat '\""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("program", "category"),
    [
        ("import sys; sys.exit('no luck')", Category.PROVIDER_ERROR),
        ("print('hello')", Category.UNREADABLE_REPLY),
        ("import time; time.sleep(30)", Category.TIMED_OUT),
        ("import sys; sys.stdout.write('x' * 3_000_000)", Category.UNREADABLE_REPLY),
    ],
    ids=["fails", "no-json", "hangs", "floods"],
)
def test_a_command_that_fails_is_an_error(program, category, tmp_path):
    """And leaves no process behind."""
    config = AssistantConfig(
        kind="command",
        command=[sys.executable, "-c", program],
        attempts=1,
        timeout_s=1 if "sleep" in program else 60,
        max_reply_mib=1,
    )

    with pytest.raises(JudgeTransientError) as caught:
        ask_one("one?", config, environ={}, base_dir=tmp_path)

    assert caught.value.category == category


def test_a_command_that_is_not_there_is_a_setting_error(tmp_path):
    """Not an error for each question."""
    with pytest.raises(ConfigError, match="cannot be started"):
        ask_one("one?", AssistantConfig(kind="command", command=[str(tmp_path / "none")]), environ={})


def test_requests_start_at_the_set_pace(assistant, tmp_path):
    """Ten at 1,200 a minute take at least 9 gaps of 50 ms."""
    _ask(_golden(*(f"{i}?" for i in range(10))), _config(assistant.url, requests_per_minute=1200), tmp_path / "journal")

    assert max(assistant.times) - min(assistant.times) >= 0.4


def test_a_hold_delays_the_next_start():
    """Nothing starts while the assistant wants to be left alone."""
    waits: list[float] = []

    async def sleep(seconds):
        waits.append(seconds)

    async def run():
        pace = Pace(60, clock=lambda: 100.0, sleep=sleep)
        await pace.start()
        pace.hold(30)
        await pace.start()

    asyncio.run(run())

    assert waits == [30.0]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("Sun, 29 Nov 2026 12:00:10 GMT", 10.0),
        ("soon", None),
        (None, None),
        ("-4", 0.0),
        ("inf", None),
        ("nan", None),
    ],
)
def test_retry_after_is_read_in_both_forms(value, seconds):
    """Seconds or a date; nonsense says nothing."""
    assert retry_after_s(value, datetime(2026, 11, 29, 12, tzinfo=UTC)) == seconds


@pytest.mark.parametrize("asked", [None, 0.0, 7.0])
def test_a_wait_is_never_shorter_than_asked(asked):
    """Jitter goes upwards only."""
    rng = random.Random(1)

    waits = [wait_before(attempt, first_s=1, asked_s=asked, rng=rng) for attempt in range(2, 12) for _ in range(20)]

    assert min(waits) >= max(1.0, asked or 0)
    assert max(waits) <= 72


def test_a_journal_gives_back_what_it_was_given(tmp_path):
    """Answers and errors alike."""
    answer = AnswerRecord(record_id="1", question="Q", answer="A", asked_at=datetime(2026, 1, 1, tzinfo=UTC))
    error = AskError("q", "Q", Category.TIMED_OUT, "late", 3)
    with Journal(tmp_path / "deep" / "journal") as journal:
        journal.add("a", answer)
        journal.add("b", error)

    with Journal(tmp_path / "deep" / "journal") as again:
        assert again.entries == {"a": answer, "b": error}
    assert (tmp_path / "deep" / "journal").read_bytes().count(b"\n") == 2


def test_a_file_that_cannot_be_loaded_is_a_setting_error(tmp_path):
    """With what it raised."""
    (tmp_path / "app.py").write_text("raise RuntimeError('no')\n")

    with pytest.raises(ConfigError, match="RuntimeError: no"):
        ask_one("Q?", AssistantConfig(kind="python", function="app.py:ask"), environ={}, base_dir=tmp_path)


def test_a_journal_that_cannot_be_opened_is_named(tmp_path):
    """A file stands where its folder should."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match="cannot be opened"), Journal(tmp_path / "file" / "journal"):
        pass


def test_a_full_disk_keeps_the_answers_so_far(tmp_path):
    """And says so."""
    with Journal(tmp_path / "journal") as journal:
        journal._file.close()
        journal._file = Path("/dev/full").open("ab", buffering=0)  # type: ignore[assignment]  # noqa: SIM115 - a full disk

        with pytest.raises(StoreError, match="answers so far are kept"):
            journal.add("a", AskError("q", "Q", Category.TIMED_OUT, "late", 3))
