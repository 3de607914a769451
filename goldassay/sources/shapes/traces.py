"""From the spans of a trace to one row: question and answer of its root, passages of its last retrieval stage.

Spans of one trace may lie anywhere in the export; they wait in a `Spool`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from goldassay.sources.batch import RAW_CHARS, Rejected
from goldassay.sources.rows import RawRow, SourceItem
from goldassay.sources.shapes.dig import answer_in, decode_cell, passages_in, question_in
from goldassay.sources.shapes.spans import Span, documents_of, spans_in
from goldassay.sources.shapes.spool import Spool

__all__ = ["PlacedSpan", "read_spans", "trace_row", "trace_shape"]

Reader = Callable[[Mapping[str, Any]], Iterator[Span]]

DOCUMENT_PLACES = ("reranker.output_documents", "retrieval.documents", "gen_ai.retrieval.documents")
"""What a reranker passed on is what the model saw; without one, what was retrieved."""
GEN_AI_DOCUMENTS = "gen_ai.retrieval.documents"
"""OpenTelemetry's own convention: a list or its JSON, with ids and scores; texts only where a team adds them.

https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/retrieval.md
"""
HELPERS = frozenset({"RETRIEVER", "RERANKER", "EMBEDDING", "TOOL", "GUARDRAIL", "EVALUATOR"})
"""Kinds of spans that never hold an answer of their own."""
MODEL_KEYS = ("llm.model_name", "gen_ai.request.model", "gen_ai.response.model")
VERSION_KEYS = ("resource.service.version", "service.version", "metadata.app_version", "metadata.version")
INPUT_KEYS = ("input.value", "gen_ai.input.messages", "gen_ai.prompt", "traceloop.entity.input")
OUTPUT_KEYS = ("output.value", "gen_ai.output.messages", "gen_ai.completion", "traceloop.entity.output")
JSON_KEYS = ("gen_ai.", "traceloop.")
NUMBERED: Mapping[tuple[str, ...], tuple[str, ...]] = {
    INPUT_KEYS: ("gen_ai.prompt", "llm.input_messages"),
    OUTPUT_KEYS: ("gen_ai.completion", "llm.output_messages"),
}
"""Prefixes under which instrumentation writes chat messages with numbers: 'gen_ai.prompt.0.content'."""


class PlacedSpan(NamedTuple):
    """A span and the row it came from."""

    row: RawRow
    span: Span


def read_spans(items: Iterator[SourceItem], reader: Reader = spans_in) -> Iterator[PlacedSpan | SourceItem]:
    """Each span beside the row it came from; rows that hold none are set aside."""
    for item in items:
        if not isinstance(item, RawRow):
            yield item
            continue
        try:
            for span in reader(item.exact() if item.exact is not None else item.data):
                yield PlacedSpan(item, span)
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as fault:
            yield Rejected(item.file, item.line, f"span: {fault}", item.raw() if item.raw else "")


def trace_shape(reader: Reader) -> Callable[[Iterator[SourceItem]], Iterator[SourceItem]]:
    """The reader of a span export: rows in, one row a trace out, in the order the traces began."""

    def rows(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
        with Spool() as waiting:
            for item in read_spans(items, reader):
                if isinstance(item, PlacedSpan):
                    waiting.add(item.span.trace_id, item.row.file, item.row.line, asdict(item.span))
                else:
                    yield item
            for parts in waiting.groups():
                yield trace_row(parts[0].file, parts[0].line, [Span(**part.data) for part in parts])

    return rows


def trace_row(file: str, line: int, spans: list[Span]) -> SourceItem:
    """The row of one trace; `file` and `line` tell where it began."""
    spans = sorted(spans, key=lambda span: span.start_ns or 0)
    root = _root(spans)
    answer = _side(root, OUTPUT_KEYS, answer_in)
    if answer is None:
        answer = next((text for span in reversed(spans) if (text := _llm_output(span)) is not None), None)
    if answer is None and root.kind not in HELPERS and _side(root, INPUT_KEYS, question_in) is not None:
        answer = ""  # the run broke before it answered: a failed answer, not a bad line
    if answer is None:
        reason = f"trace {root.trace_id!r} has no span with an answer"
        return Rejected(file, line, reason, json.dumps(root.attributes, default=str)[:RAW_CHARS])
    data = {
        "record_id": root.trace_id,
        "question": _side(root, INPUT_KEYS, question_in) or _any_input(spans) or "",
        "answer": answer,
        "sources": _sources(spans, root),
        "asked_at": root.start_ns,
        "attributes": root.attributes,
        "app_version": _first_value(spans, VERSION_KEYS),
        "model": _first_value(spans, MODEL_KEYS),
        "tags": {"session_id": root.attributes.get("session.id"), "user_id": root.attributes.get("user.id")},
    }
    return RawRow(file, line, {key: value for key, value in data.items() if value is not None})


def _root(spans: list[Span]) -> Span:
    known = {span.span_id for span in spans}
    return next((span for span in spans if span.parent_id is None or span.parent_id not in known), spans[0])


def _side(span: Span, keys: tuple[str, ...], dig: Callable[[Any], str | None]) -> str | None:
    for key in keys:
        value = span.attributes.get(key)
        if value is None:
            continue
        mime = span.attributes.get(f"{key.rpartition('.')[0]}.mime_type")
        is_json = mime == "application/json" or key.startswith(JSON_KEYS)
        found = dig(decode_cell(value) if is_json else value)
        if found is not None:
            return found
    found_messages = (_messages(span, prefix) for prefix in NUMBERED[keys])
    return next((dig(messages) for messages in found_messages if messages), None)


def _messages(span: Span, prefix: str) -> list[dict[str, Any]]:
    """Chat messages under one prefix, in the order of their numbers."""
    return [
        {key.removeprefix("message."): value for key, value in message.items()}
        for message in documents_of(span.attributes, prefix)
    ]


def _llm_output(span: Span) -> str | None:
    if span.kind not in {"LLM", ""}:
        return None
    messages = documents_of(span.attributes, "llm.output_messages")
    content = next((m["message.content"] for m in messages if isinstance(m.get("message.content"), str)), None)
    return content if content is not None else _side(span, OUTPUT_KEYS, answer_in)


def _any_input(spans: list[Span]) -> str | None:
    return next((text for span in spans if (text := _side(span, INPUT_KEYS, question_in)) is not None), None)


def _sources(spans: list[Span], root: Span) -> list[dict[str, Any]]:
    for prefix in DOCUMENT_PLACES:
        found = [document for span in spans for document in _documents(span, prefix)]
        if found:
            return [_passage(number, document) for number, document in enumerate(found, 1)]
    logged = passages_in(decode_cell(root.attributes.get("output.value")))
    return logged if isinstance(logged, list) else []


def _documents(span: Span, prefix: str) -> list[dict[str, Any]]:
    found = documents_of(span.attributes, prefix)
    if prefix != GEN_AI_DOCUMENTS:
        return found
    written = decode_cell(span.attributes.get(prefix))
    found = found or [item for item in written if isinstance(item, dict)] if isinstance(written, list) else found
    return [document for document in found if "content" in document or "text" in document]


def _passage(number: int, document: Mapping[str, Any]) -> dict[str, Any]:
    """Answers cite what they were sent by its place; the store's own id becomes the title people look for."""
    metadata = decode_cell(document.get("metadata"))
    title = metadata.get("title") if isinstance(metadata, Mapping) else document.get("metadata.title")
    url = metadata.get("url") if isinstance(metadata, Mapping) else document.get("metadata.url")
    name = document.get("id")
    passage = {"id": str(number), "text": document.get("content", document.get("text")), "score": document.get("score")}
    passage["title"] = str(title if title is not None else name) if title is not None or name is not None else None
    passage["url"] = url
    return passage


def _first_value(spans: list[Span], keys: tuple[str, ...]) -> Any:
    return next((span.attributes[key] for key in keys for span in spans if key in span.attributes), None)
