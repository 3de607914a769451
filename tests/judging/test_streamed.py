"""An answer that comes as a stream though none was asked for: read when it is whole, asked again when it broke off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from goldassay.judging.client import CallResult, JudgeClient
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.providers.base import JudgeRequest
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.streamed import body_of_stream
from tests.judging.judge_wire import GOOD, VirtualClock, Wire

HALVES = (GOOD[:20], GOOD[20:])
REQUEST = JudgeRequest("system", "record", "criterion", {"type": "object"}, 100)


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "model": "judge-x", "choices": [choice], "usage": None}


def _part(text: str, **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": text}]}, **more}], "modelVersion": "judge-x"}


def _block(index: int, delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


STREAMS: dict[str, list[dict[str, Any]]] = {
    "openai": [
        _chunk({"role": "assistant", "content": ""}),
        _chunk({"reasoning_content": "hm"}),
        *[_chunk({"content": half}) for half in HALVES],
        _chunk({}, "stop"),
        {"model": "judge-x", "choices": [], "usage": {"prompt_tokens": 800, "completion_tokens": 40}},
    ],
    "openai_responses": [
        {"type": "response.created", "response": {"status": "in_progress", "output": []}},
        {"type": "response.output_text.delta", "delta": HALVES[0]},
        {
            "type": "response.completed",
            "response": {
                "status": "completed",
                "model": "judge-x",
                "output": [{"type": "message", "content": [{"type": "output_text", "text": GOOD}]}],
                "usage": {"input_tokens": 800, "output_tokens": 40},
            },
        },
    ],
    "anthropic": [
        {"type": "message_start", "message": {"model": "judge-x", "content": [], "usage": {"input_tokens": 800}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        _block(0, {"type": "thinking_delta", "thinking": "hm"}),
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "name": "r", "input": {}}},
        *[_block(1, {"type": "input_json_delta", "partial_json": half}) for half in HALVES],
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 40}},
        {"type": "message_stop"},
    ],
    "gemini": [
        _part(HALVES[0]),
        _part(
            HALVES[1], finishReason="STOP"
        ) | {"usageMetadata": {"promptTokenCount": 800, "candidatesTokenCount": 40}},
    ],
    "ollama": [
        {"model": "judge-x", "message": {"role": "assistant", "content": "", "thinking": "hm"}, "done": False},
        *[{"message": {"content": half}, "done": False} for half in HALVES],
        {
            "model": "judge-x",
            "message": {"content": ""},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 800,
            "eval_count": 40,
        },
    ],
}  # fmt: skip
STREAMS["scripted"] = STREAMS["openai"]


def stream(events: Sequence[dict[str, Any]], *, lines: bool = False, end: str = "\n") -> str:
    """Server-sent events, or one object a line."""
    if lines:
        return "".join(json.dumps(event) + end for event in events)
    named = [f"event: {event.get('type', 'message')}{end}data: {json.dumps(event)}{end}{end}" for event in events]
    return f": keep-alive{end}{end}" + "".join(named)


def asked(name: str, text: str, content_type: str = "text/event-stream") -> tuple[CallResult, int]:
    """What a call makes of a server that answers so every time, and how often it was asked."""
    config = JudgeConfig(provider=name, base_url="http://127.0.0.1:9/v1", model="judge-x", max_attempts=2)
    wire = Wire(lambda _: {"status": 200, "headers": {"content-type": content_type}, "text": text})

    async def call() -> CallResult:
        async with JudgeClient(PROVIDERS[name], config, clock=VirtualClock(), transport=wire) as client:
            return await client.call(REQUEST)

    return asyncio.run(call()), len(wire.bodies)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("done", ["", "data: [DONE]\n\n"])
@pytest.mark.parametrize("name", sorted(STREAMS))
def test_a_whole_stream_is_a_reply(name: str, done: str, end: str) -> None:
    """It was paid for: text, tokens and model are read, and nobody is asked again."""
    result, requests = asked(name, stream(STREAMS[name], lines=name == "ollama", end=end) + done)

    assert result.reply is not None
    reply = result.reply
    assert (json.loads(reply.text), requests) == (json.loads(GOOD), 1)
    assert (reply.tokens_in, reply.tokens_out, reply.model_reported) == (800, 40, "judge-x")


@pytest.mark.parametrize("name", sorted(STREAMS))
def test_a_stream_that_broke_off_is_no_reply(name: str) -> None:
    """However much of it came: a part that looks whole is none."""
    events = STREAMS[name]
    ends = {"openai": 5, "scripted": 5}.get(name, len(events))  # the finish reason comes before the usage there

    for count in range(ends):
        result, requests = asked(name, stream(events[:count], lines=name == "ollama"))
        assert result.reply is None
        assert requests == 2


def test_an_error_in_a_stream_is_that_error() -> None:
    """A gateway that fails half way says so in an event of its own."""
    events = [*STREAMS["openai"][:3], {"error": {"message": "too many requests", "type": "rate_limit_error"}}]

    result, _ = asked("openai", stream(events))

    assert result.trouble is not None
    assert result.trouble.kind == "rate_limited"


def test_tool_calls_and_other_choices_of_a_stream() -> None:
    """Arguments come piece by piece; a second choice is not mixed into the first."""
    calls = [_chunk({"tool_calls": [{"index": 0, "function": {"arguments": half}}]}) for half in HALVES]
    other = {"choices": [{"index": 1, "delta": {"content": "noise"}, "finish_reason": "stop"}]}

    result, _ = asked("openai", stream([*calls, other, _chunk({}, "tool_calls")]))

    assert result.reply is not None
    assert (result.reply.text, result.reply.finish_reason) == (GOOD, "tool")


def test_a_whole_completion_sent_as_one_event_is_read() -> None:
    """Some gateways wrap what is no stream into one event."""
    body = {"choices": [{"message": {"content": GOOD}, "finish_reason": "stop"}]}

    result, requests = asked("openai", f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n")

    assert result.reply is not None
    assert (result.reply.text, requests) == (GOOD, 1)


def test_a_line_sign_inside_a_text_ends_no_line() -> None:
    """U+2028 and its kin may stand in a JSON string as they are."""
    text = GOOD.replace("ok", "o\u2028k\x85")
    events = f"data: {json.dumps(_chunk({'content': text}, 'stop'), ensure_ascii=False)}\n\n"

    result, _ = asked("openai", events)

    assert result.reply is not None
    assert result.reply.text == text


@pytest.mark.parametrize(
    "text",
    ["", "data: [DONE]\n\n", "<html>data: x</html>", "data: {\n\n", "data: 1\n\n", 'data: {"a": 1}\n\n', "{}\n{}"],
)
def test_what_is_no_stream_of_a_judge_is_none(text: str) -> None:
    """Noise makes no body."""
    assert body_of_stream(text) is None


def swapped(node: Any, noise: Any) -> Iterator[Any]:
    """The value with each of its parts, however deep, swapped for noise."""
    yield noise
    places = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for place, part in list(places):
        for other in swapped(part, noise):
            copy = node.copy()
            copy[place] = other
            yield copy


@pytest.mark.parametrize("noise", [None, 7, "x", [], {}, [[1]], {"a": [1]}, True])
@pytest.mark.parametrize("name", sorted(STREAMS))
def test_noise_in_a_stream_breaks_nothing(name: str, noise: Any) -> None:
    """Whatever a part of it is instead, there is a body or none, and never an exception."""
    for events in swapped(STREAMS[name], noise):
        if isinstance(events, list):
            text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
            assert body_of_stream(text) is None or isinstance(body_of_stream(text), dict)


@pytest.mark.parametrize(
    "event",
    [
        _chunk({"content": "ab"}),
        _chunk({"tool_calls": [{"index": 0, "function": {"arguments": "ab"}}]}),
        _block(0, {"type": "text_delta", "text": "ab"}),
        _part("ab"),
    ],
)
def test_a_stream_of_many_events_is_put_together_in_one_go(event: dict[str, Any]) -> None:
    """Piece by piece the growing text would be copied each time, for hours."""
    begin: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ]
    end = [_chunk({}, "stop")] if "choices" in event else [_part("", finishReason="STOP")]
    anthropic = event.get("type") == "content_block_delta"
    events = [*begin, *[event] * 20_000, {"type": "message_stop"}] if anthropic else [*[event] * 20_000, *end]

    body = body_of_stream(stream(events))

    assert body is not None
    assert json.dumps(body).count("ab") >= 20_000
