"""Shapes that providers give replies in, beyond the plain one: tool calls, several of them, thinking that was cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from goldassay.judging.parsing import parse_reply
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.rubric import load_rubric

RAG = load_rubric("rag")
GOOD = {"reason": "r", "score": 5}
WORSE = {"reason": "r", "score": 1}


def openai(*arguments: Any, content: str | None = None, finish: str = "tool_calls", **message: Any) -> dict[str, Any]:
    """A chat completion with tool calls."""
    calls = [{"type": "function", "function": {"name": "verdict", "arguments": a}} for a in arguments]
    whole = {"role": "assistant", "content": content, "tool_calls": calls or None, **message}
    return {"choices": [{"message": whole, "finish_reason": finish}], "usage": {}}


def anthropic(*inputs: Any, stop: str = "tool_use") -> dict[str, Any]:
    """A message with tool calls."""
    return {
        "content": [{"type": "tool_use", "name": "v", "input": i} for i in inputs],
        "stop_reason": stop,
        "usage": {},
    }


def gemini(*inputs: Any, text: str | None = None) -> dict[str, Any]:
    """A candidate with function calls."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    parts += [{"functionCall": {"name": "v", "args": i}} for i in inputs]
    return {"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}


def responses(*arguments: str) -> dict[str, Any]:
    """A response with function calls."""
    return {"status": "completed", "output": [{"type": "function_call", "arguments": a} for a in arguments]}


def read(provider: str, payload: dict[str, Any]) -> tuple[str, str | None]:
    """Outcome and kind of error of a reply to one criterion."""
    made = PROVIDERS[provider]
    reply = (made() if isinstance(made, type) else made).read(payload, {})
    parsed = parse_reply(reply.text, RAG, finish_reason=reply.finish_reason, criteria=("faithful",))
    return parsed.outcome.value, parsed.error_kind


@pytest.mark.parametrize(
    ("provider", "payload"),
    [
        ("openai", openai(json.dumps(GOOD))),
        ("openai", openai(GOOD)),
        ("openai", openai(json.dumps(GOOD), content="Grading now.")),
        ("openai", openai(json.dumps(GOOD), json.dumps(GOOD))),
        ("anthropic", anthropic(GOOD)),
        ("anthropic", anthropic(GOOD, GOOD)),
        ("gemini", gemini(GOOD)),
        ("gemini", gemini(GOOD, text="Grading now.")),
        ("openai_responses", responses(json.dumps(GOOD))),
    ],
)
def test_a_tool_call_is_the_answer_whatever_stands_beside_it(provider, payload):
    """Text or object, alone, twice the same, or with talk before it."""
    assert read(provider, payload) == ("pass", None)


@pytest.mark.parametrize(
    ("provider", "payload"),
    [
        ("openai", openai(json.dumps(GOOD), json.dumps(WORSE))),
        ("anthropic", anthropic(GOOD, WORSE)),
        ("gemini", gemini(GOOD, WORSE)),
        ("openai_responses", responses(json.dumps(GOOD), json.dumps(WORSE))),
    ],
)
def test_two_calls_that_differ_are_ambiguous(provider, payload):
    """The first is not better than the second: nobody guesses."""
    assert read(provider, payload) == ("error", "ambiguous")


@pytest.mark.parametrize(
    ("provider", "payload"),
    [
        ("openai", openai(finish="length", reasoning_content="Let me think ...")),
        ("openai", openai(finish="stop", reasoning_content="Let me think ...")),
        ("anthropic", {"content": [{"type": "thinking", "thinking": "..."}], "stop_reason": "max_tokens"}),
        (
            "gemini",
            {"candidates": [{"content": {"parts": [{"text": "...", "thought": True}]}, "finishReason": "MAX_TOKENS"}]},
        ),
        ("ollama", {"message": {"content": "", "thinking": "..."}, "done": True, "done_reason": "length"}),
    ],
)
def test_thinking_without_an_answer_is_told_apart_from_a_cut_answer(provider, payload):
    """More tokens would help here, a shorter reason would not."""
    assert read(provider, payload) == ("error", "no_final_answer")
