"""Export shapes of other tools, by the name `answers.mapping` gives: rows in, rows with the plain field names out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from goldassay.sources.rows import SourceItem
from goldassay.sources.shapes.flat import flat_shape
from goldassay.sources.shapes.flat_paths import FLAT
from goldassay.sources.shapes.langfuse import langfuse_rows
from goldassay.sources.shapes.langsmith import runs_in
from goldassay.sources.shapes.mlflow import mlflow_rows
from goldassay.sources.shapes.spans import spans_in
from goldassay.sources.shapes.traces import trace_shape

__all__ = ["SHAPES"]

SHAPES: Final[dict[str, Callable[[Iterator[SourceItem]], Iterator[SourceItem]]]] = {
    **{name: flat_shape(name) for name in FLAT},
    "langfuse": langfuse_rows,
    "mlflow": mlflow_rows,
    "azure": flat_shape("promptflow"),
    "langsmith": trace_shape(runs_in),
    "openinference": trace_shape(spans_in),
    "opentelemetry": trace_shape(spans_in),
    "otlp": trace_shape(spans_in),
    "phoenix": trace_shape(spans_in),
}
"""Every known shape; a flat one is an entry in `FLAT`, another one a function and a line here."""
