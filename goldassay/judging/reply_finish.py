"""What the finish reason and the bare shape of a reply say before its text is looked at."""

from __future__ import annotations

from goldassay.judging.reply_contract import ErrorKind, Fault
from goldassay.judging.reply_text import INVISIBLE, without_reasoning

__all__ = ["check_finish"]

_KINDS: dict[str, ErrorKind] = {
    "length": "truncated",
    "max_tokens": "truncated",
    "max_output_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "incomplete": "truncated",
    "content_filter": "blocked",
    "safety": "blocked",
    "recitation": "blocked",
    "prohibited_content": "blocked",
    "blocklist": "blocked",
    "spii": "blocked",
    "image_safety": "blocked",
    "language": "blocked",
    "blocked": "blocked",
    "refusal": "refused",
    "refused": "refused",
    "malformed_function_call": "not_json",
    "unexpected_tool_call": "not_json",
    "malformed": "not_json",
    "no_answer": "no_final_answer",
    **dict.fromkeys(("model_length", "max_length", "token_limit", "length_limit"), "truncated"),
    **dict.fromkeys(("broken", "error", "failed", "cancelled", "canceled", "abort", "aborted"), "truncated"),
    **dict.fromkeys(("in_progress", "queued", "insufficient_system_resource", "network_error"), "truncated"),
}
"""By finish reason in any provider's words; all others (stop, end_turn, tool_use, ...) are a normal end.

A server that says it did not finish may have sent a part that looks whole: that is no verdict."""


def check_finish(text: str | None, finish_reason: str | None) -> None:
    """Raises a Fault where the reply cannot hold a final verdict, whatever its text says."""
    kind = _KINDS.get((finish_reason or "").casefold())
    if kind == "truncated" and text:
        without_reasoning(text)  # thinking cut off: 'no_final_answer' says more than 'truncated'
    if kind:
        raise Fault(kind, value=finish_reason)
    if not (text or "").strip(INVISIBLE):
        raise Fault("empty")
