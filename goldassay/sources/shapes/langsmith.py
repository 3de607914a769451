"""LangSmith runs, one a line: a root run with inputs and outputs, retriever runs below it.

Form: https://docs.smith.langchain.com/reference/data_formats/run_data_format
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.shapes.dig import passages_in
from goldassay.sources.shapes.spans import Span, flatten, read_nanos

__all__ = ["runs_in"]

KINDS = {"chain": "CHAIN", "retriever": "RETRIEVER", "llm": "LLM", "tool": "TOOL"}


def runs_in(row: Mapping[str, Any]) -> Iterator[Span]:
    """The run in one row, and those nested in it, as spans.

    Raises:
        UnreadableValueError: It has no id.
    """
    for child in row.get("child_runs") or ():
        yield from runs_in(
            {"trace_id": row.get("trace_id") or row.get("id"), "parent_run_id": row.get("id")} | dict(child)
        )
    if row.get("id") is None:
        raise UnreadableValueError("holds no run: 'id' is needed")
    kind = KINDS.get(str(row.get("run_type", "")), "")
    metadata = (row.get("extra") or {}).get("metadata") or {}
    attributes: dict[str, Any] = {"openinference.span.kind": kind}
    for side, key in (("input", "inputs"), ("output", "outputs")):
        if row.get(key):
            attributes |= {f"{side}.value": json.dumps(row[key]), f"{side}.mime_type": "application/json"}
    if kind == "RETRIEVER":
        documents = [_document(item) for item in passages_in(row.get("outputs") or {}) or []]
        attributes |= flatten(documents, "retrieval.documents")
    plain = {name: value for name, value in metadata.items() if isinstance(value, str | int) and value is not True}
    attributes |= {f"metadata.{name}": str(value) for name, value in plain.items() if value is not False}
    if "ls_model_name" in metadata:
        attributes["llm.model_name"] = metadata["ls_model_name"]
    yield Span(
        str(row.get("trace_id") or row["id"]),
        str(row["id"]),
        str(row["parent_run_id"]) if row.get("parent_run_id") else None,
        str(row.get("name", "")),
        read_nanos(row, "start_time"),
        read_nanos(row, "end_time"),
        attributes,
    )


def _document(item: Any) -> Any:
    if not isinstance(item, Mapping):
        return {"content": item}
    text = item.get("page_content", item.get("content", item.get("text")))
    return {"content": text, "id": item.get("id"), "metadata": json.dumps(item.get("metadata") or {})}
