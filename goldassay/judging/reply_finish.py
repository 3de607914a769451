"""What the finish reason and the bare shape of a reply say before its text is looked at."""

from __future__ import annotations

from goldassay.judging.finish_words import FinishReason, finish_of
from goldassay.judging.reply_contract import ErrorKind, Fault
from goldassay.judging.reply_text import INVISIBLE, without_reasoning

__all__ = ["check_finish"]

_KINDS: dict[FinishReason, ErrorKind] = {
    "length": "truncated",
    "content_filter": "blocked",
    "refusal": "refused",
    "malformed": "not_json",
    "no_answer": "no_final_answer",
    "broken": "truncated",
}
"""All other ends are normal.

A server that says it did not finish may have sent a part that looks whole: that is no verdict."""


def check_finish(text: str | None, finish_reason: str | None) -> None:
    """Raises a Fault where the reply cannot hold a final verdict, whatever its text says."""
    kind = _KINDS.get(finish_of(finish_reason))
    if kind == "truncated" and text:
        without_reasoning(text)  # thinking cut off: 'no_final_answer' says more than 'truncated'
    if kind:
        raise Fault(kind, value=finish_reason)
    if not (text or "").strip(INVISIBLE):
        raise Fault("empty")
