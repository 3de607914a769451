"""Whatever a provider sends: no exception, no row lost, no pass from noise, and every journal line read back."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldassay.errors import JudgeTerminalError, JudgeTransientError
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.journal import read_lines
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.providers.base import JudgeReply, MalformedReplyError, read_safely
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import from_response
from goldassay.verdicts import Outcome
from tests.judging.judge_wire import STAMP, item, one_criterion

WORSE = '{"reason": "No.", "score": 1, "category": "other"}'
ARGUMENTS = {"reason": "No.", "score": 1, "category": "other"}
BODIES: dict[str, dict[str, Any]] = {
    "openai": {
        "id": "x",
        "model": "m",
        "choices": [
            {
                "message": {"content": WORSE, "tool_calls": [{"function": {"arguments": WORSE}}], "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 1}},
    },
    "openai_responses": {
        "id": "r",
        "status": "completed",
        "output": [
            {"type": "message", "content": [{"type": "output_text", "text": WORSE}]},
            {"type": "function_call", "arguments": WORSE},
        ],
        "usage": {"input_tokens": 3, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 1}},
        "incomplete_details": {"reason": "x"},
        "error": None,
    },
    "anthropic": {
        "id": "m",
        "content": [{"type": "text", "text": WORSE}, {"type": "tool_use", "input": ARGUMENTS}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 3, "cache_read_input_tokens": 1},
    },
    "gemini": {
        "candidates": [
            {
                "content": {"parts": [{"text": "Hm.", "thought": True}, {"functionCall": {"args": ARGUMENTS}}]},
                "finishReason": "STOP",
            }
        ],
        "promptFeedback": {"blockReason": None},
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 3},
    },
    "ollama": {
        "model": "m",
        "message": {"content": WORSE, "thinking": "x"},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 4,
    },
}
NAMES = sorted(BODIES)
ODD: list[Any] = [
    None,
    0,
    -1,
    1.5,
    True,
    "",
    "x",
    "\ud83d",
    [],
    {},
    [None],
    [[]],
    {"a": None},
    ["x"],
    10**30,
    {"score": "\ud83d"},
]
JUNK = st.sampled_from(ODD) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def _paths(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path] * bool(path) + [deeper for key, part in below for deeper in _paths(part, (*path, key))]


def _with(body: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    body = copy.deepcopy(body)
    node: Any = body
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return body


def _read(name: str, body: dict[str, Any]) -> JudgeReply | None:
    if from_response(200, {}, body, "", now=0) is not None:
        return None
    try:
        return read_safely(PROVIDERS[name], body, {})
    except MalformedReplyError:
        return None


@pytest.mark.parametrize("name", NAMES)
def test_no_odd_value_anywhere_in_a_reply_breaks_its_reader(name):
    """A body nobody agreed on is a reply without a verdict, or one whose other parts still count."""
    for path in _paths(BODIES[name]):
        for value in ODD:
            reply = _read(name, _with(BODIES[name], path, value))
            if reply is not None:
                assert isinstance(reply.text, str)
                reply.text.encode("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_odd_values_do_not_break_the_reader_itself(name):
    """The guard around the readers is for what nobody thought of; these shapes were."""
    for path in _paths(BODIES[name]):
        for value in ODD:
            body = _with(BODIES[name], path, value)
            if from_response(200, {}, body, "", now=0) is None:
                with contextlib.suppress(MalformedReplyError):
                    PROVIDERS[name].read(body, {})


class _Answers(httpx.AsyncBaseTransport):
    def __init__(self, body: bytes) -> None:
        self._body = body

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=self._body, headers={"content-type": "application/json"}, request=request)


def _judged(name: str, body: bytes, journal: Any) -> list[Any]:
    config = JudgeConfig(provider=name, base_url="http://127.0.0.1:9", model="m", max_attempts=1, max_in_flight=1)
    config = config.model_copy(update={"give_up_after": 10**6, "base_delay_s": 0.0, "max_delay_s": 0.0})
    # The first record is answered well, so that a judge that only babbles afterwards stops nothing.
    judge_shard([item(0)], rubric=one_criterion(), config=config, journal=journal, environ={}, stamp=STAMP,
                transport=_Answers(json.dumps(BODIES[name]).encode()))  # fmt: skip
    records = [item(0), item(1)]
    try:
        judge_shard(records, rubric=one_criterion(), config=config, journal=journal, environ={}, stamp=STAMP,
                    transport=_Answers(body))  # fmt: skip
    except (JudgeTerminalError, JudgeTransientError):  # an error body: a stop that is meant
        return []
    return list(verdicts_from_journal(journal))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_reply_makes_one_row_and_no_pass(name, data, tmp_path_factory):
    """Parts of a failing verdict swapped for noise: the row is there, and it is never a pass."""
    path = data.draw(st.sampled_from(_paths(BODIES[name])))
    body = json.dumps(_with(BODIES[name], path, data.draw(JUNK))).encode()
    journal = tmp_path_factory.mktemp("journal") / "j.jsonl"

    rows = _judged(name, body, journal)

    if rows:
        assert sorted(row.record_id for row in rows) == ["r0", "r1"]
        assert all(row.outcome in {Outcome.FAIL, Outcome.ERROR} for row in rows)
    assert len(list(read_lines(journal))) == len(journal.read_bytes().splitlines())


@pytest.mark.parametrize("name", ["anthropic", "gemini"])
def test_half_an_emoji_in_a_tool_call_is_one_readable_row(name, tmp_path):
    """The reason is kept, with the sign that stands for what cannot be written."""
    arguments = {"reason": "half \ud83d here", "score": 1, "category": "other"}
    text = json.dumps(BODIES[name]).replace(json.dumps(ARGUMENTS), json.dumps(arguments))

    rows = _judged(name, text.encode(), tmp_path / "j.jsonl")

    assert [row.reason for row in rows if row.record_id == "r1"] == ["half \ufffd here"]


def test_a_reader_that_breaks_makes_a_malformed_reply():
    """What nobody thought of is one row's trouble, and its name is told."""

    class Broken:
        def read(self, payload: Any, headers: Any) -> JudgeReply:
            raise ZeroDivisionError

    with pytest.raises(MalformedReplyError, match="nobody agreed on"):
        read_safely(Broken(), {}, {})  # type: ignore[arg-type]  # only its reader is asked for
