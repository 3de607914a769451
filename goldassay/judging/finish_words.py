"""The words by which servers say how a reply ended: one table for all of them.

Servers speak each other's words: a proxy before Gemini says 'MAX_TOKENS' in OpenAI's shape, and
Gemini's own compatible door says 'content_filter: RECITATION'. A word that only one provider's
table knew would be taken for a normal end, and a verdict that was cut off for a whole one. Data
only; read by the providers and by the reader of replies.
"""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["FinishReason", "finish_of"]

FinishReason = Literal[
    "stop", "length", "refusal", "content_filter", "tool", "no_answer", "malformed", "broken", "other"
]
"""`no_answer`: the model thought and then said nothing; `malformed`: it called its tool in a broken form;
`broken`: the server says that it did not finish; `other`: a word nobody knows, taken for a normal end."""

_WORDS: dict[FinishReason, tuple[str, ...]] = {
    "stop": ("eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed", "finish_reason_unspecified"),
    "tool": ("tool_calls", "tool_call", "tool_use", "function_call"),
    "length": (
        "max_tokens",
        "max_output_tokens",
        "max_completion_tokens",
        "max_new_tokens",
        "max_length",
        "model_length",
        "model_context_window_exceeded",
        "length_limit",
        "token_limit",
        "incomplete",
        "repetition",  # vLLM stops a reply that goes round in circles
    ),
    "content_filter": (
        "content_filtered",
        "safety",
        "recitation",
        "language",
        "blocklist",
        "blocked",
        "prohibited_content",
        "spii",
        "model_armor",
        "image_safety",
        "image_prohibited_content",
        "image_recitation",
        "guardrail_intervened",
        "sensitive",
        "error_toxic",
    ),
    "refusal": ("refused",),
    "malformed": (
        "malformed_function_call",
        "malformed_response",
        "unexpected_tool_call",
        "too_many_tool_calls",
        "missing_thought_signature",
    ),
    "broken": (
        "error",
        "failed",
        "abort",
        "aborted",
        "cancelled",
        "canceled",
        "in_progress",
        "queued",
        "pause_turn",
        "load",  # Ollama: the model was only loaded
        "unload",
        "timeout",
        "network_error",
        "insufficient_system_resource",
    ),
}
_MEANING: dict[str, FinishReason] = {word: reason for reason, words in _WORDS.items() for word in words}
_MEANING |= {reason: reason for reason in get_args(FinishReason)}


def finish_of(word: object) -> FinishReason:
    """How a reply ended, in our word; no word at all is a normal end, and so is one that nobody knows.

    Args:
        word: As the server sent it, in any letter case, perhaps with a detail behind a colon.
    """
    if not isinstance(word, str):
        return "stop" if word is None else "other"
    first, colon, _ = word.partition(":")
    said = (first if colon else word).strip().casefold()
    return _MEANING.get(said, "other") if said else "stop"
