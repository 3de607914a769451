"""Reads the error in a body: where it stands, its words without what it echoes, and the status it names.

Knows the envelopes that servers put an error in, not what follows from it (`goldassay.judging.trouble`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from goldassay.judging.trouble_words import TYPE_STATUS

__all__ = ["effective_status", "error_of", "message_of", "words_of"]

_REPLIES = frozenset({"output", "content", "response"})
"""Fields of a reply: a body with one of them is no error for having a 'detail' beside it."""
_ECHOES = frozenset(
    {
        "failed_generation",
        "flagged_input",
        "input",
        "inputs",
        "prompt",
        "messages",
        "content",
        "body",
        "ctx",
        "request",
    }
)
"""Fields that hold what was sent or generated, not what is wrong: a question about billing is no unpaid bill."""
_SAYS_NOTHING = "provider returned error"
"""OpenRouter's message for everything; what the provider said stands in `metadata.raw`."""
_MOST_DEPTH = 6
_MOST_MEMBERS = 20
_LONGEST_TEXT = 2000


def error_of(payload: Mapping[str, Any]) -> object | None:
    """The error inside a body, in any of the usual envelopes; None when there is none."""
    error: object = payload.get("error")
    if error:
        return error
    if payload.get("type") == "error" or payload.get("object") == "error":
        return payload
    if payload.get("choices") or payload.get("candidates"):
        return _choice_error(payload)
    bare = _base_response(payload) or _bare(payload)
    if bare is not None:
        return bare
    no_reply = not payload.keys() & _REPLIES and "message" not in payload
    found = (payload.get("detail") if no_reply else None) or payload.get("errors")
    return found or None


def _choice_error(payload: Mapping[str, Any]) -> object | None:
    choices = payload.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return (first.get("error") or None) if isinstance(first, Mapping) else None


def _base_response(payload: Mapping[str, Any]) -> object | None:
    """MiniMax's envelope, which is there in good replies too, with 0."""
    found = payload.get("base_resp")
    return found if isinstance(found, Mapping) and found.get("status_code") else None


def _bare(payload: Mapping[str, Any]) -> object | None:
    """An error without an envelope: {"code": 429, "message": "..."}; a reply's message is an object."""
    is_error = isinstance(payload.get("message"), str) and bool(payload.get("code"))
    return payload if is_error and not payload.keys() & _REPLIES else None


def words_of(node: object, depth: int = 0) -> Iterator[str]:
    """Types, codes and texts of an error body, without what it echoes."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(node, str):
        yield node[:_LONGEST_TEXT]
    elif isinstance(node, bool) or node is None:
        return
    elif isinstance(node, int | float):
        yield str(node)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if key not in _ECHOES:
                yield from words_of(value, depth + 1)
    elif isinstance(node, list):
        for value in node[:_MOST_MEMBERS]:
            yield from words_of(value, depth + 1)


def effective_status(status: int, words: Iterable[str]) -> int:
    """The status that the error's type or code stands for; the HTTP status where they are silent or agree."""
    if status not in {200, 207, 400, 500}:
        return status
    for word in words:
        named = _named_status(word, in_a_200=status == 200)
        if named is not None:
            return max(named, status)
    return status


def _named_status(word: str, *, in_a_200: bool) -> int | None:
    """The status that one word stands for: a type ('com.amazon...#ThrottlingException' too), or a number."""
    said = word.strip().lower()
    named = TYPE_STATUS.get(said) or TYPE_STATUS.get(said.rpartition("#")[2])
    if named is not None or not in_a_200:
        return named
    if said.isascii() and said.isdigit() and len(said) == 3 and 400 <= int(said) <= 599:
        return int(said)
    return 429 if "rate limit" in said else None


def message_of(payload: object) -> str:
    """What the server says is wrong; '' when it says nothing that can be shown."""
    error = error_of(payload) if isinstance(payload, Mapping) else payload
    if isinstance(error, list) and error:
        error = error[0]
    if isinstance(error, Mapping):
        inner = error.get("error")
        error = inner if isinstance(inner, Mapping) else error
        error = _raw(error) or error.get("message") or error.get("msg") or error.get("status_msg") or ""
    return error if isinstance(error, str) else ""


def _raw(error: Mapping[str, Any]) -> object:
    metadata = error.get("metadata")
    if str(error.get("message")).lower() != _SAYS_NOTHING or not isinstance(metadata, Mapping):
        return None
    return metadata.get("raw")
