"""Spans of OpenTelemetry and OpenInference, in the forms that exports give them.

An OTLP document, one span a line, flat columns ('attributes.input.value') or nested
objects all become a `Span` with flat, dotted attributes.
Conventions: https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md and
https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.nested import parse_nested
from goldassay.sources.times import read_time
from goldassay.sources.values import is_nothing

__all__ = ["Span", "documents_of", "flatten", "read_nanos", "spans_in"]

OTLP_VALUES = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")
DEPTH_MAX = 40


@dataclass(frozen=True, slots=True)
class Span:
    """One step of a trace."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ns: int | None
    """Nanoseconds since 1970; None when it was not logged."""
    end_ns: int | None
    attributes: dict[str, Any] = field(default_factory=dict)
    """Flat: lists are numbered parts of the key ('retrieval.documents.0.document.content')."""

    @property
    def kind(self) -> str:
        """'CHAIN', 'RETRIEVER', 'LLM', ...; '' when not said."""
        return str(self.attributes.get("openinference.span.kind", "")).upper()


def spans_in(row: Mapping[str, Any]) -> Iterator[Span]:
    """Spans in one row or document.

    Raises:
        UnreadableValueError: It holds no span, or one without ids or with unreadable times.
    """
    groups = row.get("resourceSpans", row.get("resource_spans"))
    if groups is None:
        yield _span(row, {})
        return
    for group in groups:
        shared = _attributes((group.get("resource") or {}).get("attributes"))
        names = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        for scope in next((group[name] for name in names if group.get(name)), ()):
            for span in scope.get("spans") or ():
                yield _span(span, shared)


def documents_of(attributes: Mapping[str, Any], prefix: str = "retrieval.documents") -> list[dict[str, Any]]:
    """The documents under a prefix, in the order of their numbers: 0, 2, 10, not 0, 10, 2."""
    pattern = re.compile(re.escape(prefix) + r"\.(\d{1,9})\.(?:document\.)?(.+)")
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        match = pattern.fullmatch(key)
        if match is not None:
            found.setdefault(int(match[1]), {})[match[2]] = value
    return [found[number] for number in sorted(found)]


def _span(row: Mapping[str, Any], shared: Mapping[str, Any]) -> Span:
    context = row.get("context") if isinstance(row.get("context"), Mapping) else {}
    trace_id = _first(row, context, "trace_id", "traceId", "context.trace_id")
    span_id = _first(row, context, "span_id", "spanId", "context.span_id", "id")
    if trace_id is None or span_id is None:
        raise UnreadableValueError("holds no span: 'trace_id' and 'span_id' are needed")
    attributes = {f"resource.{key}": value for key, value in shared.items()} | _attributes(row.get("attributes"))
    for key, value in row.items():
        if key.startswith("attributes.") and not is_nothing(value) and value != "":
            value = parse_nested(value) if key.endswith("documents") and isinstance(value, str) else value  # noqa: PLW2901
            attributes.update(flatten(value, key.removeprefix("attributes.")))
    kind = row.get("span_kind")
    if kind and "openinference.span.kind" not in attributes:
        attributes["openinference.span.kind"] = kind
    parent = _first(row, {}, "parent_id", "parentSpanId", "parent_span_id")
    start, end = (
        read_nanos(row, f"{side}TimeUnixNano", f"{side}_time", f"{side}_time_unix_nano") for side in ("start", "end")
    )
    return Span(
        str(trace_id), str(span_id), str(parent) if parent else None, str(row.get("name", "")), start, end, attributes
    )


def _first(row: Mapping[str, Any], context: Any, *names: str) -> Any:
    found = (place.get(name) for name in names for place in (row, context))
    return next((value for value in found if value is not None and value != ""), None)


def _attributes(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        pairs = (item for item in value if isinstance(item, Mapping) and "key" in item)
        return {
            key: part
            for item in pairs
            for key, part in flatten(_otlp_value(item.get("value"), DEPTH_MAX), item["key"]).items()
        }
    return flatten(value, "") if isinstance(value, Mapping) else {}


def _otlp_value(value: Any, depth: int) -> Any:
    if not isinstance(value, Mapping) or depth == 0:
        return value
    if "arrayValue" in value:
        return [_otlp_value(item, depth - 1) for item in value["arrayValue"].get("values", [])]
    if "kvlistValue" in value:
        return {
            item["key"]: _otlp_value(item.get("value"), depth - 1) for item in value["kvlistValue"].get("values", [])
        }
    return next((value[name] for name in OTLP_VALUES if name in value), value)


def flatten(value: Any, key: str) -> dict[str, Any]:
    """Every leaf of a value under its dotted key; nulls are left out."""
    found: dict[str, Any] = {}
    waiting = [(key, value)]
    while waiting:
        place, part = waiting.pop()
        if isinstance(part, Mapping):
            waiting += [(f"{place}.{name}" if place else str(name), inner) for name, inner in part.items()]
        elif isinstance(part, list):
            waiting += [(f"{place}.{number}", inner) for number, inner in enumerate(part)]
        elif part is not None:
            found[place] = part
    return found


def read_nanos(row: Mapping[str, Any], *names: str) -> int | None:
    """The first of these times as nanoseconds since 1970; None when none was logged.

    Raises:
        UnreadableValueError: It is no time; never a silent 1970.
    """
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if value is None or str(value) in {"", "0"}:
        return None  # the format's own way to leave a time out
    if isinstance(value, Mapping):
        return _from_halves(value)
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 10**17:
        return value
    since = read_time(value) - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1_000


def _from_halves(value: Mapping[str, Any]) -> int:
    """JavaScript writers log 64-bit times as two signed halves: {low, high}."""
    low, high = value.get("low"), value.get("high")
    if not isinstance(low, int) or not isinstance(high, int):
        raise UnreadableValueError("a time is an object without whole 'low' and 'high'")
    return ((high & 0xFFFF_FFFF) << 32) + (low & 0xFFFF_FFFF)
