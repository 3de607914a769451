"""How a reply ended: servers speak each other's words, and a reply that was cut or blocked is never a verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging.finish_words import finish_of
from goldassay.judging.parsing import parse_reply
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.rubric import load_rubric

RAG = load_rubric("rag")
TOP = '{"reason": "All of it is there.", "score": 5, "category": "none"}'


def _openai(content: Any, finish: str | None, **message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"content": content, **message}, "finish_reason": finish}]}


def _anthropic(stop: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": TOP}], "stop_reason": stop}


def _gemini(finish: str, *, text: str | None = TOP) -> dict[str, Any]:
    parts = [{"text": text}] if text else []
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish}]}


def _ollama(reason: str) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": TOP}, "done": True, "done_reason": reason}


def _kind(provider: str, body: dict[str, Any]) -> str | None:
    reply = PROVIDERS[provider].read(body, {})
    return parse_reply(reply.text, RAG, finish_reason=reply.finish_reason, criteria=("faithful",)).error_kind


@pytest.mark.parametrize(
    ("provider", "body", "kind"),
    [
        pytest.param("openai", _openai(TOP, "MAX_TOKENS"), "truncated", id="gemini-word"),
        pytest.param("openai", _openai(TOP, "LENGTH"), "truncated", id="upper"),
        pytest.param("openai", _openai(TOP, "max_output_tokens"), "truncated", id="responses-word"),
        pytest.param("openai", _openai(TOP, "model_context_window_exceeded"), "truncated", id="anthropic-word"),
        pytest.param("openai", _openai(TOP, "repetition"), "truncated", id="in-circles"),
        pytest.param("openai", _openai(TOP, "cancelled"), "truncated", id="cancelled"),
        pytest.param("openai", _openai(TOP, "CONTENT_FILTER"), "blocked", id="filter-upper"),
        pytest.param("openai", _openai(TOP, "content_filter: RECITATION"), "blocked", id="filter-with-detail"),
        pytest.param("openai", _openai("", "content_filter: PROHIBITED_CONTENT"), "blocked", id="filter-empty"),
        pytest.param("openai", _openai("", "SAFETY"), "blocked", id="safety"),
        pytest.param("openai", _openai("", "sensitive"), "blocked", id="zhipu"),
        pytest.param("openai", _openai("", "stop", reasoning_details=[{"text": TOP}]), "no_final_answer", id="details"),
        pytest.param(
            "openai", _openai(None, "stop", thinking_blocks=[{"thinking": TOP}]), "no_final_answer", id="blocks"
        ),
        pytest.param("anthropic", _anthropic("pause_turn"), "truncated", id="paused"),
        pytest.param("anthropic", _anthropic("model_context_window_exceeded"), "truncated", id="window"),
        pytest.param("anthropic", _anthropic("refusal"), "refused", id="refusal"),
        pytest.param("gemini", _gemini("MODEL_ARMOR"), "blocked", id="armor"),
        pytest.param("gemini", _gemini("IMAGE_PROHIBITED_CONTENT", text=None), "blocked", id="image"),
        pytest.param("gemini", _gemini("MALFORMED_RESPONSE"), "not_json", id="malformed"),
        pytest.param("gemini", _gemini("MISSING_THOUGHT_SIGNATURE"), "not_json", id="signature"),
        pytest.param("gemini", _gemini("OTHER"), "truncated", id="unexplained"),
        pytest.param("ollama", _ollama("unload"), "truncated", id="unloaded"),
        pytest.param("ollama", _ollama("length"), "truncated", id="ollama-length"),
    ],
)
def test_a_reply_that_did_not_end_well_is_no_verdict(provider: str, body: dict[str, Any], kind: str) -> None:
    """Whichever provider's word says so, and although the text looks whole."""
    assert _kind(provider, body) == kind


@pytest.mark.parametrize(
    ("provider", "body"),
    [
        ("openai", _openai(TOP, None)),
        ("openai", _openai(TOP, "")),
        ("openai", _openai(TOP, "end_turn")),
        ("openai", _openai(TOP, "eos_token")),
        ("openai", _openai(TOP, "a word of tomorrow")),
        ("openai", _openai({"reason": "r", "score": 5}, "stop")),
        ("openai", _openai({"type": "text", "text": TOP}, "stop")),
        ("gemini", _gemini("FINISH_REASON_UNSPECIFIED")),
        ("ollama", _ollama("stop")),
        (
            "ollama",
            {"message": {"content": "", "tool_calls": [{"function": {"arguments": {"score": 5}}}]}, "done": True},
        ),
    ],
)
def test_a_normal_end_and_a_plain_form_are_taken(provider: str, body: dict[str, Any]) -> None:
    """No word, an unknown word, and content that is an object or one part alone."""
    assert _kind(provider, body) is None


def test_of_several_messages_the_final_answer_counts() -> None:
    """A model that comments before it answers says which message is which."""
    texts = {"commentary": TOP, "final_answer": TOP.replace("5", "1")}
    output = [
        {"type": "message", "phase": phase, "content": [{"type": "output_text", "text": text}]}
        for phase, text in texts.items()
    ]

    reply = PROVIDERS["openai_responses"].read({"status": "completed", "output": output}, {})

    assert reply.text == texts["final_answer"]


@given(st.text() | st.none() | st.integers() | st.lists(st.text(max_size=3), max_size=2))
def test_no_word_breaks_the_table(word: object) -> None:
    """Whatever a server sends, it is one of our words, in any letter case."""
    assert finish_of(word)
    if isinstance(word, str):
        assert finish_of(word) == finish_of(word.upper().lower())
