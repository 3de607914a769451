"""Puts a streamed answer together, though none was asked for: some gateways stream whatever the request says.

It was paid for like any other. Only a stream that was sent to its end makes an answer: one that broke off holds a
part of it, which is no verdict. Knows the events of the APIs in `providers`, and gives the body that each reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from goldassay.judging.providers.base import as_list, as_mapping, as_objects
from goldassay.judging.trouble_body import error_of

__all__ = ["body_of_stream"]

Event = Mapping[str, Any]
_FIELDS = ("event:", "id:", "retry:", ":")
_LINE_END = re.compile(r"\r\n|\n|\r")
"""Other signs that Python calls line ends may stand in a JSON text."""
_DONE = "[DONE]"
_END: Event = {"type": _DONE}
"""Stands for the mark by which chat completions end."""
_RESPONSE_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed"})
_TEXTS = ("content", "refusal", "reasoning_content", "reasoning", "thinking")
"""Members of a message that come piece by piece."""


def body_of_stream(text: str) -> Event | None:
    """The body that the events of a stream make; None for a text that is no stream, or not all of one.

    Args:
        text: Server-sent events, or one JSON object a line, as Ollama streams.
    """
    events = _events(text)
    if not events:
        return None
    failed = next((event for event in events if error_of(event) is not None), None)
    if failed is not None:
        return failed
    told = [event for event in events if event is not _END]
    for make in (_response, _message, _candidate, _chat):
        body = make(told) if told else None
        if body is not None:
            return body
    return _completion(told, is_done=events[-1] is _END)


def _events(text: str) -> list[Event]:
    """The objects of all events; none when there is anything else in the text."""
    found = []
    for data in _datas(text):
        if data is None:
            return []
        if data == _DONE:
            found.append(_END)
            continue
        try:
            event = orjson.loads(data)
        except orjson.JSONDecodeError:
            return []
        found.append(event)
    return found if all(isinstance(event, dict) for event in found) else []


def _datas(text: str) -> Iterator[str | None]:
    """The data of each event; None for a line that belongs to no stream."""
    held: list[str] = []
    for line in [*_LINE_END.split(text), ""]:
        if line.startswith("data:"):
            held.append(line.removeprefix("data:").strip())
        elif not line.strip():
            if held:
                yield "\n".join(held)
            held = []
        elif line.startswith("{"):
            yield line
        elif not line.startswith(_FIELDS):
            yield None


def _response(events: Sequence[Event]) -> Event | None:
    """OpenAI's Responses: the last event holds the whole response."""
    ends = [event for event in events if str(event.get("type")) in _RESPONSE_ENDS]
    return as_mapping(ends[-1].get("response")) or None if ends else None


def _message(events: Sequence[Event]) -> Event | None:
    """Anthropic's Messages: blocks that begin, grow and end."""
    started = [as_mapping(event.get("message")) for event in events if event.get("type") == "message_start"]
    if not started or events[-1].get("type") != "message_stop":
        return None
    begun: dict[str, Event] = {}
    deltas: dict[str, list[Event]] = {}
    told: dict[str, Any] = {}
    usage = dict(as_mapping(started[0].get("usage")))
    for event in events:
        if event.get("type") == "content_block_start":
            begun[str(event.get("index"))] = as_mapping(event.get("content_block"))
        elif event.get("type") == "content_block_delta":
            deltas.setdefault(str(event.get("index")), []).append(as_mapping(event.get("delta")))
        elif event.get("type") == "message_delta":
            told |= as_mapping(event.get("delta"))
            usage |= {name: count for name, count in as_mapping(event.get("usage")).items() if count is not None}
    content = [_block(block, deltas.get(index, ())) for index, block in begun.items()]
    return {**started[0], **told, "usage": usage, "content": content}


def _block(begun: Event, deltas: Sequence[Event]) -> Event:
    """A block with all that came after its beginning, whose own texts are empty."""
    texts = {name: _joined(deltas, name) for name in ("text", "thinking", "partial_json")}
    came = {name: text for name, text in texts.items() if text}
    if "partial_json" in came:
        came["input"] = came.pop("partial_json")
    return {**begun, **came}


def _completion(events: Sequence[Event], *, is_done: bool) -> Event | None:
    """Chat completions: what is new of the first choice in each chunk, the usage in the last."""
    chunks = [event for event in events if isinstance(event.get("choices"), list)]
    if not chunks:
        return None
    choices = [choice for chunk in chunks for choice in as_objects(chunk["choices"]) if not choice.get("index")]
    whole = [choice for choice in choices if isinstance(choice.get("message"), dict)]
    if whole and (is_done or whole[-1].get("finish_reason")):
        return next(chunk for chunk in chunks if whole[-1] in chunk["choices"])
    finish = next((choice["finish_reason"] for choice in reversed(choices) if choice.get("finish_reason")), None)
    if finish is None and not is_done:
        return None
    deltas = [as_mapping(choice.get("delta")) for choice in choices]
    message = {**_joined_texts(deltas), "tool_calls": _tool_calls(deltas)}
    usage = next((chunk["usage"] for chunk in reversed(chunks) if chunk.get("usage")), None)
    return {**chunks[0], "choices": [{"message": message, "finish_reason": finish}], "usage": usage}


def _tool_calls(deltas: Sequence[Event]) -> list[dict[str, Any]]:
    functions: dict[str, list[Event]] = {}
    for call in (call for delta in deltas for call in as_objects(delta.get("tool_calls"))):
        functions.setdefault(str(call.get("index")), []).append(as_mapping(call.get("function")))
    return [{"function": {"arguments": _joined(pieces, "arguments")}} for pieces in functions.values()]


def _candidate(events: Sequence[Event]) -> Event | None:
    """Gemini: each event is a response of its own, with the next parts of the first candidate."""
    firsts = [as_mapping(next(iter(as_list(event.get("candidates"))), None)) for event in events]
    blocked = [event for event in events if as_mapping(event.get("promptFeedback")).get("blockReason")]
    if blocked:
        return blocked[0]
    finish = next((first["finishReason"] for first in reversed(firsts) if first.get("finishReason")), None)
    if finish is None:
        return None
    parts = [part for first in firsts for part in as_list(as_mapping(first.get("content")).get("parts"))]
    return {**events[-1], "candidates": [{"content": {"parts": parts}, "finishReason": finish}]}


def _chat(events: Sequence[Event]) -> Event | None:
    """Ollama: the pieces of one message, and the counts with the last."""
    if events[-1].get("done") is not True:
        return None
    messages = [as_mapping(event.get("message")) for event in events]
    calls = [call for message in messages for call in as_objects(message.get("tool_calls"))]
    return {**events[-1], "message": {**_joined_texts(messages), "tool_calls": calls}}


def _joined_texts(pieces: Sequence[Event]) -> dict[str, str]:
    return {name: text for name in _TEXTS if (text := _joined(pieces, name))}


def _joined(pieces: Sequence[Event], name: str) -> str:
    return "".join(piece[name] for piece in pieces if isinstance(piece.get(name), str))
