"""MLflow: traces with their spans in one object, or rows of an evaluation table.

Form: https://mlflow.org/docs/latest/genai/concepts/trace and
https://docs.databricks.com/en/generative-ai/agent-evaluation/evaluation-schema.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.rows import RawRow, SourceItem
from goldassay.sources.shapes.dig import decode_cell, passages_in
from goldassay.sources.shapes.flat import flat_row, flat_table, opened
from goldassay.sources.shapes.spans import Span, flatten, read_nanos
from goldassay.sources.shapes.traces import trace_row

__all__ = ["mlflow_rows"]

PATHS = flat_table("mlflow")


def mlflow_rows(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
    """One row a trace or table row."""
    for item in items:
        if not isinstance(item, RawRow):
            yield item
            continue
        for row in opened(item):
            yield _row(row)


def _row(row: RawRow) -> SourceItem:
    data = row.exact() if row.exact is not None else row.data
    inner = data.get("data") if isinstance(data.get("data"), dict) else data
    spans = decode_cell(inner.get("spans") if inner else None)
    if not isinstance(spans, list) or not spans:
        return flat_row(row, PATHS)
    info = data.get("info") if isinstance(data.get("info"), dict) else data
    trace_id = str((info or {}).get("trace_id") or (info or {}).get("request_id") or data.get("trace_id") or "")
    try:
        return trace_row(row.file, row.line, [_span(span, trace_id) for span in spans])
    except (UnreadableValueError, AttributeError, TypeError):
        return flat_row(row, PATHS)


def _span(span: Mapping[str, Any], trace_id: str) -> Span:
    raw = span.get("attributes") or {}
    attributes = {key: decode_cell(value) for key, value in raw.items()}
    kind = str(attributes.get("mlflow.spanType") or span.get("span_type") or "").upper()
    found: dict[str, Any] = {"openinference.span.kind": {"CHAT_MODEL": "LLM"}.get(kind, kind)}
    for side, name in (("input", "Inputs"), ("output", "Outputs")):
        value = attributes.get(f"mlflow.span{name}", span.get(name.lower()))
        if value is not None:
            found[f"{side}.value"] = value
            found[f"{side}.mime_type"] = "application/json"
    if kind == "RETRIEVER":
        documents = found.get("output.value")
        documents = documents if isinstance(documents, list) else passages_in(documents) or []
        found |= flatten([_document(item) for item in documents], "retrieval.documents")
    name = span.get("span_id") or span.get("context", {}).get("span_id")
    parent = span.get("parent_id") or span.get("parent_span_id")
    start = read_nanos(span, "start_time_ns", "start_time_unix_nano", "start_time")
    return Span(trace_id, str(name), str(parent) if parent else None, str(span.get("name", "")), start, None, found)


def _document(item: Any) -> Any:
    if not isinstance(item, Mapping):
        return {"content": item}
    logged = item.get("metadata")
    metadata = logged if isinstance(logged, Mapping) else {}
    text = item.get("page_content", item.get("content", item.get("text")))
    return {"content": text, "id": item.get("id") or metadata.get("doc_uri"), "metadata": metadata}
