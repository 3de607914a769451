"""Langfuse exports: traces, and observations that hold what their retriever found.

Files of both kinds may be read together, in any order; they are joined on the trace id.
Form: https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.batch import Rejected
from goldassay.sources.rows import RawRow, SourceItem
from goldassay.sources.shapes.dig import decode_cell, passages_in
from goldassay.sources.shapes.flat import flat_row, flat_table, opened
from goldassay.sources.shapes.spool import Part, Spool

__all__ = ["langfuse_rows"]

OBSERVATION_KEYS = frozenset({"type", "observation_type", "parent_observation_id", "parentObservationId"})
PATHS = flat_table("langfuse")


def langfuse_rows(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
    """One row a trace, with the passages of its retriever where the trace itself holds none."""
    with Spool() as waiting:
        for item in items:
            if not isinstance(item, RawRow):
                yield item
                continue
            for row in opened(item):
                data = _exact(row)
                try:
                    waiting.add(str(_trace_id(data)), row.file, row.line, data)
                except RecursionError:
                    yield Rejected(row.file, row.line, "nested too deeply", item.raw() if item.raw else "")
        for parts in waiting.groups():
            yield _joined(parts)


def _exact(row: RawRow) -> dict[str, Any]:
    data = row.exact() if row.exact is not None else row.data
    if not row.is_table:
        return data
    cells = {key: decode_cell(cell) for key, cell in data.items() if cell != "" or key == "output"}
    return cells | {"output_cell": data.get("output")}


def _trace_id(data: Mapping[str, Any]) -> Any:
    return data.get("trace_id") or data.get("traceId") or data.get("id")


def _is_observation(data: Mapping[str, Any]) -> bool:
    return bool(data.get("trace_id") or data.get("traceId")) and bool(OBSERVATION_KEYS & data.keys())


def _joined(parts: list[Part]) -> SourceItem:
    inner = [part.data for part in parts if _is_observation(part.data)]
    trace = next((part for part in parts if not _is_observation(part.data)), None) or _root(parts)
    nested = trace.data.get("observations")
    inner += [item for item in nested if isinstance(item, dict)] if isinstance(nested, list) else []
    data = trace.data | {"id": _trace_id(trace.data)}
    plain = flat_row(RawRow(trace.file, trace.line, data), PATHS)
    return plain._replace(data=_completed(plain.data, data, inner))


def _root(parts: list[Part]) -> Part:
    """Enriched exports have observations only; the one without a parent stands for the trace."""
    return next(
        (p for p in parts if not (p.data.get("parent_observation_id") or p.data.get("parentObservationId"))), parts[0]
    )


def _completed(plain: dict[str, Any], data: Mapping[str, Any], inner: list[Mapping[str, Any]]) -> dict[str, Any]:
    found = dict(plain)
    if not found.get("answer") and isinstance(data.get("output_cell"), str):
        found["answer"] = data["output_cell"]  # an answer that is JSON of no known form is its text
    if not found.get("sources"):
        found["sources"] = [passage for observation in inner for passage in _passages(observation)]
    models = (item.get("model") or item.get("provided_model_name") or item.get("providedModelName") for item in inner)
    found.setdefault("model", next((name for name in models if name), None))
    return found


def _passages(observation: Mapping[str, Any]) -> list[Any]:
    kind = str(observation.get("type") or observation.get("observation_type") or "").upper()
    is_retriever = kind == "RETRIEVER" or "retriev" in str(observation.get("name", "")).lower()
    output = decode_cell(observation.get("output")) if is_retriever else None
    passages = output if isinstance(output, list) else passages_in(output)
    return passages if isinstance(passages, list) else []
