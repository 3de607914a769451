"""Finding question, answer and passages inside the objects that tracing tools log.

The keys are those the tools' documentation and exports use. Only named export shapes
come here; plain rows are never searched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from goldassay.sources.nested import ExactNumber

__all__ = ["answer_in", "decode_cell", "passages_in", "question_in"]

QUESTION_KEYS = (
    "question",
    "query",
    "user_input",
    "user_query",
    "input",
    "prompt",
    "text",
    "content",
    "message",
    "value",
    "inputs",
    "kwargs",
    "args",
)
ANSWER_KEYS = (
    "answer", "response", "output", "result", "text", "content", "completion", "generation", "actual_output",
    "message", "reply", "value", "outputs",
)  # fmt: skip
MESSAGE_KEYS = ("messages", "choices", "generations", "input_messages", "output_messages", "parts")
PASSAGE_KEYS = (
    "sources", "documents", "source_documents", "contexts", "retrieved_contexts", "retrieval_context",
    "retrieved_documents", "retrieved_context", "source_nodes", "passages", "chunks", "context", "docs",
)  # fmt: skip
ASKING = frozenset({"user", "human", "question"})
ANSWERING = frozenset({"assistant", "ai", "model", "bot"})
ROLES = ASKING | ANSWERING | {"system", "tool"}
DEPTH_MAX = 6


def question_in(value: Any) -> str | None:
    """The question in an input: a text, an object or chat messages; None where there is none."""
    return _dig(value, QUESTION_KEYS, ASKING, DEPTH_MAX)


def answer_in(value: Any) -> str | None:
    """The answer in an output; None where there is none."""
    return _dig(value, ANSWER_KEYS, ANSWERING, DEPTH_MAX)


def passages_in(value: Any) -> Any:
    """The list of passages in an input, output or metadata; None where there is none."""
    if isinstance(value, Mapping):
        return next((value[key] for key in PASSAGE_KEYS if value.get(key) is not None), None)
    return value if isinstance(value, list) and value and all(_is_passage(item) for item in value) else None


def decode_cell(cell: Any) -> Any:
    """A table's cell that holds JSON as what it holds, numbers as written; any other value as it is."""
    if isinstance(cell, str) and cell[:1] in {"{", "[", '"'}:
        try:
            return json.loads(cell, parse_float=ExactNumber)
        except (ValueError, RecursionError):
            return cell
    return cell


def _is_passage(item: Any) -> bool:
    """A chat message has a content too, but what was asked or answered is no passage."""
    return (
        isinstance(item, Mapping)
        and "role" not in item
        and _role(item) is None
        and bool({"page_content", "content", "text", "document", "node"} & item.keys())
    )


def _dig(value: Any, keys: tuple[str, ...], roles: frozenset[str], depth: int) -> str | None:
    if isinstance(value, str):
        return value
    if depth == 0 or not value:
        return None
    if isinstance(value, Mapping):
        for key in MESSAGE_KEYS:
            if isinstance(value.get(key), list) and (found := _dig(value[key], keys, roles, depth - 1)) is not None:
                return found
        inner = (value[key] for key in keys if value.get(key) is not None)
        return next((found for part in inner if (found := _dig(part, keys, roles, depth - 1)) is not None), None)
    return _from_list(value, keys, roles, depth) if isinstance(value, list) else None


def _from_list(items: list[Any], keys: tuple[str, ...], roles: frozenset[str], depth: int) -> str | None:
    if all(isinstance(item, Mapping) and item.get("type") == "text" for item in items):
        return "".join(str(item.get("text", item.get("content", ""))) for item in items)
    if _is_pair(items):
        return str(items[1])
    if all(isinstance(item, str) for item in items):
        return str(items[0])  # what a traced function was called with; the question comes first
    for item in reversed(items):
        role = _role(item)
        if role is None or role in roles:
            found = _dig(item, keys, roles, depth - 1)
            if found is not None:
                return found
    return None


def _is_pair(item: list[Any]) -> bool:
    """A message as ["human", "What is the fee?"]."""
    return len(item) == 2 and all(isinstance(part, str) for part in item) and item[0].lower() in ROLES


def _role(item: Any) -> str | None:
    if isinstance(item, list) and _is_pair(item):
        return str(item[0]).lower()
    if not isinstance(item, Mapping):
        return None
    role = item.get("role", item.get("type"))
    return str(role).lower() if isinstance(role, str) and role.lower() in ROLES else None
