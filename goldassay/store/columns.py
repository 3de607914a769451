"""The columns: explicit Arrow schemas of answers, verdicts and labels.

A column's type never depends on the data: an all-pass night still has a list of
evidence, not a null column. Light columns come first and heavy texts last, so
that counting reads a fraction of a file. A new column raises `SCHEMA_VERSION` once a version
was released; files without a column are read as they are, with that column empty.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

__all__ = ["ANSWER_SCHEMA", "LABEL_SCHEMA", "SCHEMAS", "SCHEMA_VERSION", "VERDICT_SCHEMA"]

SCHEMA_VERSION = "1"
"""Version of the column set, in every file's metadata and in every manifest entry."""

_TEXT = pa.string()
_TIME = pa.timestamp("us", tz="UTC")
_TEXT_MAP = pa.map_(pa.string(), pa.string())
_EVIDENCE = pa.list_(
    pa.struct(
        [
            pa.field("kind", _TEXT),
            pa.field("text", _TEXT),
            pa.field("start", pa.int64()),
            pa.field("end", pa.int64()),
            pa.field("source_id", _TEXT),
        ]
    )
)
_REPLIES = pa.list_(
    pa.struct(
        [
            pa.field("kind", _TEXT),
            pa.field("outcome", _TEXT),
            pa.field("score", pa.float64()),
            pa.field("reason", _TEXT),
            pa.field("reply", _TEXT),
            pa.field("finish_reason", _TEXT),
            pa.field("variant", _TEXT),
        ]
    )
)
_SOURCES = pa.list_(
    pa.struct(
        [
            pa.field("id", _TEXT),
            pa.field("text", _TEXT),
            pa.field("title", _TEXT),
            pa.field("url", _TEXT),
            pa.field("score", pa.float64()),
        ]
    )
)
_TURNS = pa.list_(pa.struct([pa.field("role", _TEXT), pa.field("text", _TEXT)]))


def _schema(columns: Mapping[str, pa.DataType]) -> pa.Schema:
    return pa.schema(list(columns.items()), metadata={"goldassay.schema_version": SCHEMA_VERSION})


_RUN_COLUMNS: dict[str, pa.DataType] = {
    "run_id": _TEXT,
    "run_kind": _TEXT,
    "run_at": _TIME,
    "app": _TEXT,
    "app_version": _TEXT,
    "model": _TEXT,
    "prompt_version": _TEXT,
    "index_version": _TEXT,
    "record_id": _TEXT,
    "question_id": _TEXT,
    "stratum": _TEXT,
    "answerable": pa.bool_(),
    "asked_at": _TIME,
}

VERDICT_SCHEMA: pa.Schema = _schema(
    {
        **_RUN_COLUMNS,
        "check": _TEXT,
        "check_kind": _TEXT,
        "check_version": _TEXT,
        "outcome": _TEXT,
        "category": _TEXT,
        "severity": _TEXT,
        "score": pa.float64(),
        "scale_min": pa.float64(),
        "scale_max": pa.float64(),
        "pass_mark": pa.float64(),
        "weight": pa.float64(),
        "reused": pa.bool_(),
        "judge_provider": _TEXT,
        "judge_model": _TEXT,
        "judge_model_reported": _TEXT,
        "rubric": _TEXT,
        "rubric_version": _TEXT,
        "finish_reason": _TEXT,
        "attempts": pa.int32(),
        "repeats": pa.int32(),
        "agreeing": pa.int32(),
        "latency_ms": pa.float64(),
        "tokens_in": pa.int64(),
        "tokens_cached": pa.int64(),
        "tokens_out": pa.int64(),
        "cost_usd": pa.float64(),
        "repairs": pa.list_(_TEXT),
        "flags": pa.list_(_TEXT),
        "request_hash": _TEXT,
        "request_id": _TEXT,
        "reason": _TEXT,
        "evidence": _EVIDENCE,
        "extra": _TEXT_MAP,
        "reply": _TEXT,
        "other_replies": _REPLIES,
    }
)
"""One row per record and check; documented in docs/columns.md."""

ANSWER_SCHEMA: pa.Schema = _schema(
    {
        **_RUN_COLUMNS,
        "lang": _TEXT,
        "tags": _TEXT_MAP,
        "question": _TEXT,
        "answer": _TEXT,
        "golden_question": _TEXT,
        "golden_tags": _TEXT_MAP,
        "key_facts": pa.list_(pa.list_(_TEXT)),
        "expected_sources": pa.list_(_TEXT),
        "reference": _TEXT,
        "turns": _TURNS,
        "sources": _SOURCES,
    }
)
"""One row per record of a run, with the golden question it matched (golden_question is null where none did)."""

LABEL_SCHEMA: pa.Schema = _schema(
    {
        "label_id": _TEXT,
        "labelled_at": _TIME,
        "labeller": _TEXT,
        "run_id": _TEXT,
        "app": _TEXT,
        "app_version": _TEXT,
        "record_id": _TEXT,
        "question_id": _TEXT,
        "check": _TEXT,
        "outcome": _TEXT,
        "category": _TEXT,
        "judge_outcome": _TEXT,
        "blind": pa.bool_(),
        "comment": _TEXT,
    }
)
"""One row per label: what one person said of one check of one answer."""

SCHEMAS: dict[str, pa.Schema] = {"answers": ANSWER_SCHEMA, "verdicts": VERDICT_SCHEMA, "labels": LABEL_SCHEMA}
"""The current schema of each kind of file."""
