"""Asking the assistant: every golden question ends as an answer or as a counted error."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import httpx
import pytest

from goldassay.errors import ConfigError, JudgeTerminalError, JudgeTransientError, RunError
from goldassay.records import GoldenQuestion
from goldassay.sources.assistant import AskedVersion, AssistantConfig, ask_golden, ask_one
from goldassay.sources.assistant.body import build_body
from goldassay.sources.assistant.journal import Journal
from goldassay.sources.assistant.question import Question
from goldassay.verdicts import ERROR_CATEGORIES, Category

VERSION = AskedVersion("atlas", "2026.11.0", "scribe-3", "p7", "i4")


def _golden(*texts):
    return [GoldenQuestion(question_id=f"q{i}", question=text) for i, text in enumerate(texts)]


def _config(url, **more):
    quick = {"requests_per_minute": 60_000, "first_wait_s": 0.01, "timeout_s": 30, "max_in_flight": 8}
    return AssistantConfig(url=url, **(quick | more))


def _ask(questions, config, journal, **more):
    environ = more.pop("environ", {})
    return asyncio.run(ask_golden(questions, config=config, version=VERSION, journal=journal, environ=environ, **more))


def test_answers_are_stored_with_their_sources_under_the_version_asked(assistant, tmp_path):
    """Whatever the reply says of itself."""
    asked = _ask(_golden("How much is it?"), _config(assistant.url), tmp_path / "journal")

    (record,) = asked.records
    assert record.answer == "It is so: How much is it? [D1]."
    assert [source.id for source in record.sources] == ["D1"]
    assert (record.app, record.app_version, record.model) == ("atlas", "2026.11.0", "scribe-3")
    assert (record.question_id, record.record_id) == ("q0", "q0")
    assert record.asked_at is not None


@pytest.mark.parametrize("fault", ["429x2", "500x2", "503x1", "cutx2", "garbagex1", "slowx1", "mutex1"])
def test_a_passing_fault_costs_a_try_and_no_answer(assistant, tmp_path, fault):
    """A fault that goes away ends in an answer."""
    config = _config(assistant.url, timeout_s=0.5 if fault.startswith("slow") else 30)

    asked = _ask(_golden(f"{fault} How much?"), config, tmp_path / "journal")

    assert len(asked.records) == 1
    assert asked.errors == []


@pytest.mark.parametrize(
    ("fault", "category", "tries"),
    [
        ("429x9", Category.RATE_LIMITED, 3),
        ("500x9", Category.PROVIDER_ERROR, 3),
        ("cutx9", Category.PROVIDER_ERROR, 3),
        ("garbagex9", Category.UNREADABLE_REPLY, 3),
        ("mutex9", Category.UNREADABLE_REPLY, 3),
        ("slowx9", Category.TIMED_OUT, 3),
        ("400x9", Category.PROVIDER_ERROR, 1),
        ("hugex9", Category.UNREADABLE_REPLY, 1),
    ],
)
def test_a_lasting_fault_is_a_counted_error(assistant, tmp_path, fault, category, tries):
    """It names its category, and only what may help is tried again."""
    timeout_s = 0.3 if fault.startswith("slow") else 30
    config = _config(assistant.url, attempts=3, max_reply_mib=1, timeout_s=timeout_s)
    # Answered before with time to spare: a busy machine must not make the good one late.
    _ask(_golden("", "A good one?")[1:], _config(assistant.url, attempts=3, max_reply_mib=1), tmp_path / "journal")

    asked = _ask(_golden(f"{fault} How much?", "A good one?"), config, tmp_path / "journal")

    (error,) = asked.errors
    assert (error.category, error.attempts, error.question_id) == (category, tries, "q0")
    assert error.category in ERROR_CATEGORIES
    assert [record.question_id for record in asked.records] == ["q1"]


def test_every_question_of_a_faulty_night_is_accounted_for(assistant, tmp_path):
    """Answers and errors are as many as questions, and none stands twice."""
    faults = ["429x1", "500x1", "cutx1", "garbagex1", "500x9", "garbagex9", "okay", "mutex9"]
    questions = _golden(*(f"{faults[i % len(faults)]} question {i}?" for i in range(80)))

    asked = _ask(questions, _config(assistant.url), tmp_path / "journal")

    ids = [record.question_id for record in asked.records] + [error.question_id for error in asked.errors]
    assert sorted(ids) == sorted(question.question_id for question in questions)
    assert len(asked.errors) == 30


def test_a_second_run_asks_only_what_has_no_answer(assistant, tmp_path):
    """Nothing paid for is paid for twice."""
    questions = _golden("One?", "500x4 Two?", "Three?")
    first = _ask(questions, _config(assistant.url), tmp_path / "journal")

    second = _ask(questions, _config(assistant.url), tmp_path / "journal")

    assert [error.question_id for error in first.errors] == ["q1"]
    assert (len(second.records), second.errors, second.reused) == (3, [], 2)
    assert assistant.seen["One?"] == 1


def test_another_version_is_asked_anew(assistant, tmp_path):
    """An answer of the old version is no answer of the new one."""
    _ask(_golden("One?"), _config(assistant.url), tmp_path / "journal")

    asyncio.run(
        ask_golden(
            _golden("One?"),
            config=_config(assistant.url),
            version=VERSION._replace(app_version="2026.12.0"),
            journal=tmp_path / "journal",
            environ={},
        )
    )

    assert assistant.seen["One?"] == 2


def test_a_torn_last_line_is_asked_again(assistant, tmp_path):
    """A crash in the middle of a line costs that one question."""
    journal = tmp_path / "journal"
    _ask(_golden("One?", "Two?"), _config(assistant.url, max_in_flight=1), journal)
    journal.write_bytes(journal.read_bytes()[:-25])

    asked = _ask(_golden("One?", "Two?"), _config(assistant.url), journal)

    assert len(asked.records) == 2
    assert asked.reused == 1
    assert assistant.seen == {"One?": 1, "Two?": 2}


def test_a_killed_run_goes_on_from_its_journal(assistant, tmp_path):
    """Kill -9 in the middle: calls paid twice are at most those in flight."""
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from goldassay.records import GoldenQuestion\n"
        "from goldassay.sources.assistant import AssistantConfig, AskedVersion, ask_golden\n"
        "questions = [GoldenQuestion(question_id=f'q{i}', question=f'Question {i}?') for i in range(60)]\n"
        "config = AssistantConfig(url=sys.argv[1], requests_per_minute=6000, max_in_flight=4)\n"
        "import os\n"
        "done = lambda n, total: os.kill(os.getpid(), 9) if n == 20 else None\n"
        "asyncio.run(ask_golden(questions, config=config, version=AskedVersion('atlas', '2026.11.0', 'scribe-3', 'p7',"
        " 'i4'), journal=Path(sys.argv[2]), environ={}, on_progress=done))\n"
    )
    journal = tmp_path / "journal"
    killed = subprocess.run([sys.executable, "-c", script, assistant.url, str(journal)], check=False)
    questions = [GoldenQuestion(question_id=f"q{i}", question=f"Question {i}?") for i in range(60)]

    asked = _ask(questions, _config(assistant.url), journal)

    assert killed.returncode == -9
    assert len(asked.records) == 60
    assert asked.reused == 20
    assert sum(assistant.seen.values()) <= 60 + 4


def test_two_runs_cannot_share_a_journal(tmp_path):
    """The second one is told so at once."""
    with Journal(tmp_path / "journal"), pytest.raises(RunError, match="in use"), Journal(tmp_path / "journal"):
        pass


def test_a_wrong_key_stops_the_run_after_one_request_a_worker(assistant, tmp_path):
    """Asking 40 questions with a wrong key helps nobody."""
    config = _config(assistant.url, max_in_flight=2)

    with pytest.raises(JudgeTerminalError, match="401"):
        _ask(_golden(*(f"401x9 question {i}" for i in range(40))), config, tmp_path / "journal")

    assert sum(assistant.seen.values()) <= 2


def test_an_unreachable_assistant_is_an_error_for_each_question(tmp_path):
    """A refused connection is tried again, then counted."""
    asked = _ask(_golden("One?"), _config("http://127.0.0.1:9/ask", attempts=2), tmp_path / "journal")

    assert [error.category for error in asked.errors] == [Category.PROVIDER_ERROR]
    assert asked.errors[0].attempts == 2


def test_the_secret_goes_out_in_its_header_and_nowhere_else(assistant, tmp_path):
    """An endpoint that echoes the request does not bring the key into the journal."""
    environ = {"ATLAS_TOKEN": "tok-TESTTESTTEST", "ATLAS_KEY": "key-TESTTESTTEST"}
    config = _config(assistant.url, bearer_env="ATLAS_TOKEN", headers_env={"X-Key": "ATLAS_KEY"})

    asked = _ask(_golden("echox9 What?", "Good?"), config, tmp_path / "journal", environ=environ)

    assert assistant.headers[0]["Authorization"] == "Bearer tok-TESTTESTTEST"
    assert "TESTTESTTEST" not in (tmp_path / "journal").read_text()
    assert "TESTTESTTEST" not in asked.errors[0].reason


def test_a_missing_secret_is_named(assistant, tmp_path):
    """Before the first request."""
    with pytest.raises(ConfigError, match="'ATLAS_TOKEN'"):
        _ask(_golden("One?"), _config(assistant.url, bearer_env="ATLAS_TOKEN"), tmp_path / "journal")

    assert not assistant.bodies


def test_the_question_is_a_value_in_the_body_never_a_template(assistant, tmp_path):
    """Braces, quotes and percent signs arrive as they are."""
    text = '{question} {0.__class__} %s "}], \\u0000'
    config = _config(
        assistant.url,
        body={"messages": [{"role": "system", "content": "Answer."}], "stream": False},
        request={"messages[1].role": "app", "messages[1].content": "question", "options.model": "model"},
    )

    _ask(_golden(text), config, tmp_path / "journal")

    assert assistant.bodies[0] == {
        "messages": [{"role": "system", "content": "Answer."}, {"role": "atlas", "content": text}],
        "stream": False,
        "options": {"model": "scribe-3"},
    }


def test_a_place_that_the_body_has_not_is_a_setting_error():
    """And names the place."""
    config = AssistantConfig(url="http://127.0.0.1/", request={"messages[3].content": "question"})

    with pytest.raises(ConfigError, match=r"messages\[3\]"):
        build_body(Question("One?", "q", None, VERSION), config.model_copy(update={"body": {"messages": []}}))


def test_the_reply_is_mapped_by_column_paths(tmp_path):
    """Answer and sources may lie anywhere."""
    (tmp_path / "app.py").write_text(
        "def ask(question, *, app_version):\n"
        "    return {'out': {'text': f'{question} in {app_version}'}, 'hits': [{'doc': {'body': 'A'}}]}\n"
    )
    config = AssistantConfig(
        kind="python",
        function="app.py:ask",
        requests_per_minute=60_000,
        response={"answer": "out.text", "sources": "hits[*].doc.body"},
    )

    asked = _ask(_golden("One?"), config, tmp_path / "journal", base_dir=tmp_path)

    assert asked.records[0].answer == "One? in 2026.11.0"
    assert [(source.id, source.text) for source in asked.records[0].sources] == [("1", "A")]


@pytest.mark.parametrize("settings", [{}, {"kind": "python"}, {"kind": "command"}, {"url": "x", "request": {"a": "b"}}])
def test_incomplete_settings_are_refused(settings):
    """With the name of what is missing."""
    with pytest.raises(ValueError, match=r"assistant\."):
        AssistantConfig(**settings)


@pytest.mark.parametrize("url", ["ftp://host/", "http://user:word@host/", "nothing"])
def test_a_wrong_address_is_refused_without_showing_a_password(url):
    """Only http and https, and no secrets in addresses."""
    with pytest.raises(ConfigError) as caught:
        ask_one("one?", AssistantConfig(url=url), environ={})

    assert "word" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize(
    ("request_", "body", "made"),
    [
        ({"a.b[0].c": "question"}, {}, {"a": {"b": [{"c": "One?"}]}}),
        ({"list[0]": "question"}, {"list": ["x", "y"]}, {"list": ["One?", "y"]}),
        ({"list[2]": "question"}, {"list": ["x", "y"]}, {"list": ["x", "y", "One?"]}),
        ({"q": "question", "lang": "lang"}, {"k": 1}, {"k": 1, "q": "One?"}),
    ],
)
def test_places_in_the_body_are_made_as_needed(request_, body, made):
    """And the settings' own body is left as it was."""
    config = AssistantConfig(url="http://127.0.0.1/", request=request_, body=body)
    before = json.dumps(config.body)

    assert build_body(Question("One?", "q", None, VERSION), config) == made
    assert json.dumps(config.body) == before


@pytest.mark.parametrize(
    ("place", "body"), [("list[5]", {"list": []}), ("text.x", {"text": "t"}), ("list.x", {"list": []})]
)
def test_a_place_that_cannot_be_is_named(place, body):
    """Rather than a body nobody meant."""
    config = AssistantConfig(url="http://127.0.0.1/", request={place: "question"}, body=body)

    with pytest.raises(ConfigError, match="cannot put a value"):
        build_body(Question("One?", "q", None, VERSION), config)


def test_a_get_request_carries_its_fields_in_the_query():
    """Encoded, whatever the question holds."""
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"answer": "A"})

    config = AssistantConfig(
        url="http://127.0.0.1/ask", method="GET", body={"top": 3, "q": ""}, request={"q": "question"}
    )

    record = ask_one("a&b=c #?", config, environ={}, transport=httpx.MockTransport(handle))

    assert record.answer == "A"
    assert dict(seen[0].url.params) == {"top": "3", "q": "a&b=c #?"}


def test_a_reply_in_a_known_shape_is_read_by_its_name():
    """The assistant may speak a tool's own form."""
    reply = {"input": "?", "answer": "A", "context": [{"page_content": "S"}]}
    transport = httpx.MockTransport(lambda _request: httpx.Response(200, json=reply))

    record = ask_one(
        "Q?", AssistantConfig(url="http://127.0.0.1/", response="langchain"), environ={}, transport=transport
    )

    assert (record.question, record.answer, record.sources[0].text) == ("Q?", "A", "S")
    with pytest.raises(ConfigError, match="did you mean 'langchain'"):
        ask_one("Q?", AssistantConfig(url="http://127.0.0.1/", response="langchian"), environ={}, transport=transport)


def _replying(content):
    return httpx.MockTransport(lambda _request: httpx.Response(200, content=content))


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (b'{"answer": "cut \\ud83d"}', "cut \ufffd"),
        (b'{"answer": "A", "confidence": NaN}', "A"),
        (b'\xef\xbb\xbf{"answer": "A"}', "A"),
    ],
)
def test_a_reply_that_strict_parsers_refuse_is_an_answer_all_the_same(reply, answer):
    """Models cut a text in the middle of a sign; asking again would only cost again."""
    config = AssistantConfig(url="http://127.0.0.1/", attempts=1)

    assert ask_one("Q?", config, environ={}, transport=_replying(reply)).answer == answer


def test_numbers_of_a_reply_stay_as_they_were_written():
    """As in the log: the version and the ids of a passage are texts."""
    reply = b'{"answer": "A", "id": 1.10, "tags": {"v": 1.10}, "sources": [{"id": 2.0, "text": "S", "score": 0.5}]}'

    record = ask_one("Q?", AssistantConfig(url="http://127.0.0.1/"), environ={}, transport=_replying(reply))

    assert (record.record_id, record.tags) == ("1.10", {"v": "1.10"})
    assert (record.sources[0].id, record.sources[0].score) == ("2.0", 0.5)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (b'{"is_root": false, "output": "A"}', "a step on the way"),
        (b"[" * 5000 + b"]" * 5000, "nested too deeply"),
        (b"\xff\xfe", "no JSON"),
    ],
)
def test_a_reply_without_an_answer_is_that_questions_error(reply, words):
    """Whatever the assistant sends, the other questions go on."""
    config = AssistantConfig(url="http://127.0.0.1/", attempts=1, response="langchain")

    with pytest.raises(JudgeTransientError, match=words):
        ask_one("Q?", config, environ={}, transport=_replying(reply))


def test_a_question_that_takes_too_long_in_all_is_an_error(assistant, tmp_path):
    """Whatever tries are left."""
    config = _config(assistant.url, attempts=20, total_timeout_s=0.4, first_wait_s=0.2)

    asked = _ask(_golden("500x99 How much?"), config, tmp_path / "journal")

    assert [error.category for error in asked.errors] == [Category.TIMED_OUT]
    assert "last: status 500" in asked.errors[0].reason
