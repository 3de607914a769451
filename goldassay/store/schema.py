"""Rows of answers and verdicts to Arrow batches and back; the schemas are in `goldassay.store.columns`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

import pyarrow as pa

from goldassay.records import AnswerRecord, GoldenQuestion, Source, Turn
from goldassay.store.columns import ANSWER_SCHEMA, LABEL_SCHEMA, SCHEMA_VERSION, SCHEMAS, VERDICT_SCHEMA
from goldassay.verdicts import Category, Evidence, OtherReply, Outcome, RunStamp, Verdict

__all__ = [
    "ANSWER_SCHEMA",
    "LABEL_SCHEMA",
    "SCHEMAS",
    "SCHEMA_VERSION",
    "VERDICT_SCHEMA",
    "StoredAnswer",
    "answers_to_batch",
    "batch_to_stored_answers",
    "batch_to_verdicts",
    "columns_to_batch",
    "verdicts_to_batch",
]

_CATEGORIES = {category.value: category for category in Category}
"""A category that newer code has added reads as `other`."""
_NUMBERS = ("score", "scale_min", "scale_max", "pass_mark", "latency_ms", "cost_usd")


class StoredAnswer(NamedTuple):
    """One row of `answers`, back as models."""

    record: AnswerRecord
    golden: GoldenQuestion | None
    stamp: RunStamp | None
    """None in a part that was staged without a stamp."""


def verdicts_to_batch(verdicts: Sequence[Verdict]) -> pa.RecordBatch:
    """Turn verdicts into one Arrow batch with `VERDICT_SCHEMA`.

    A score that is no number (NaN, infinity) becomes null, and its verdict an error:
    DuckDB orders NaN above every number, so it would count as a pass.
    """
    columns = {name: [*map(attrgetter(name), verdicts)] for name in VERDICT_SCHEMA.names}
    _mend_scores(columns)
    return columns_to_batch(columns, VERDICT_SCHEMA)


def answers_to_batch(
    records: Sequence[AnswerRecord],
    golden: Sequence[GoldenQuestion | None] | None = None,
    *,
    stamp: RunStamp | None = None,
) -> pa.RecordBatch:
    """Turn records and the golden questions they matched into one Arrow batch with `ANSWER_SCHEMA`."""
    matched = golden if golden is not None else [None] * len(records)
    run = stamp or (None, None, None)
    columns: dict[str, list[Any]] = {name: [] for name in ANSWER_SCHEMA.names}
    for record, question in zip(records, matched, strict=True):
        row = {"run_id": run[0], "run_kind": run[1], "run_at": run[2], **_record_row(record), **_golden_row(question)}
        if row["question_id"] is None:
            row["question_id"] = record.question_id
        for name, column in columns.items():
            column.append(row[name])
    return columns_to_batch(columns, ANSWER_SCHEMA)


def batch_to_verdicts(batch: pa.RecordBatch | pa.Table) -> list[Verdict]:
    """Turn an Arrow batch back into verdicts; columns the batch lacks take the field's default."""
    known = [field.name for field in fields(Verdict) if field.name in batch.schema.names]
    columns = [_verdict_column(name, batch.column(name).to_pylist()) for name in known]
    return [Verdict(**dict(zip(known, row, strict=True))) for row in zip(*columns, strict=True)]


def batch_to_stored_answers(batch: pa.RecordBatch | pa.Table) -> list[StoredAnswer]:
    """Turn an Arrow batch of `answers` back into records, golden questions and run stamps."""
    return list(_stored_answers(batch.to_pylist()))


def _stored_answers(rows: Iterable[dict[str, Any]]) -> Iterator[StoredAnswer]:
    for row in rows:
        run_id = row.get("run_id")
        stamp = None if run_id is None else RunStamp(run_id, row["run_kind"], row["run_at"])
        yield StoredAnswer(_record_of(row), _golden_of(row), stamp)


def _record_row(record: AnswerRecord) -> dict[str, Any]:
    return {
        "app": record.app,
        "app_version": record.app_version,
        "model": record.model,
        "prompt_version": record.prompt_version,
        "index_version": record.index_version,
        "record_id": record.record_id,
        "asked_at": record.asked_at,
        "lang": record.lang,
        "tags": list(record.tags.items()),
        "question": record.question,
        "answer": record.answer,
        "turns": [(turn.role, turn.text) for turn in record.turns],
        "sources": [(source.id, source.text, source.title, source.url, source.score) for source in record.sources],
    }


def _golden_row(golden: GoldenQuestion | None) -> dict[str, Any]:
    return {
        "question_id": golden.question_id if golden else None,
        "stratum": golden.stratum if golden else None,
        "answerable": golden.answerable if golden else None,
        "golden_question": golden.question if golden else None,
        "golden_tags": list(golden.tags.items()) if golden else None,
        "key_facts": [list(fact) for fact in golden.key_facts] if golden else None,
        "expected_sources": list(golden.expected_sources) if golden else None,
        "reference": golden.reference if golden else None,
    }


def _record_of(row: dict[str, Any]) -> AnswerRecord:
    # Written by us from validated models: building them without validation is several times as fast.
    return AnswerRecord.model_construct(
        record_id=row["record_id"],
        question_id=row.get("question_id"),
        question=row["question"],
        answer=row["answer"],
        sources=tuple(Source.model_construct(**source) for source in row.get("sources") or ()),
        asked_at=row.get("asked_at"),
        app=row.get("app") or "",
        app_version=row.get("app_version") or "",
        model=row.get("model"),
        prompt_version=row.get("prompt_version"),
        index_version=row.get("index_version"),
        lang=row.get("lang"),
        tags=dict(row.get("tags") or ()),
        turns=tuple(Turn.model_construct(**turn) for turn in row.get("turns") or ()),
    )


def _golden_of(row: dict[str, Any]) -> GoldenQuestion | None:
    if row.get("golden_question") is None:
        return None
    return GoldenQuestion.model_construct(
        question_id=row["question_id"],
        question=row["golden_question"],
        answerable=row["answerable"],
        key_facts=tuple(tuple(fact) for fact in row.get("key_facts") or ()),
        reference=row.get("reference"),
        expected_sources=tuple(row.get("expected_sources") or ()),
        stratum=row.get("stratum"),
        tags=dict(row.get("golden_tags") or ()),
    )


def _verdict_column(name: str, values: list[Any]) -> list[Any]:
    read = _READ.get(name)
    return values if read is None else [read(value) for value in values]


def _evidence(item: dict[str, Any]) -> Evidence:
    # Newer code may have put more into a span than this code knows.
    return Evidence(*(item.get(name) for name in Evidence._fields))  # type: ignore[arg-type]  # typed by the schema


def _other_reply(item: dict[str, Any]) -> OtherReply:
    return OtherReply(*(item.get(name) for name in OtherReply._fields))  # type: ignore[arg-type]  # typed by the schema


_READ: dict[str, Callable[[Any], Any]] = {
    "evidence": lambda value: tuple(map(_evidence, value or ())),
    "other_replies": lambda value: tuple(map(_other_reply, value or ())),
    "repairs": lambda value: tuple(value or ()),
    "flags": lambda value: tuple(value or ()),
    "extra": lambda value: dict(value or ()),
    "outcome": Outcome,
    "category": lambda value: None if value is None else _CATEGORIES.get(value, Category.OTHER),
}
"""How the values of a column become those of a verdict; all other columns stay as they are."""


def columns_to_batch(columns: dict[str, list[Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Turn columns of Python values into one Arrow batch; halves of surrogate pairs become U+FFFD."""
    arrays = [_to_array(columns[field.name], field.type) for field in schema]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _to_array(values: list[Any], kind: Any) -> Any:
    if values and values.count(None) == len(values):
        return pa.nulls(len(values), kind)  # most columns of a rule's verdicts are empty
    if pa.types.is_map(kind):
        values = [list(value.items()) if isinstance(value, dict) else value for value in values]
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        # A log may hold half of a surrogate pair, which no UTF-8 file can: it becomes U+FFFD.
        return pa.array([_encodable(value) for value in values], kind)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list | tuple):
        return tuple(_encodable(item) for item in value) if isinstance(value, tuple) else [*map(_encodable, value)]
    return value


def _mend_scores(columns: dict[str, list[Any]]) -> None:
    scores, outcomes = columns["score"], columns["outcome"]
    for row, score in enumerate(scores):
        if score is not None and not math.isfinite(score) and outcomes[row] in {Outcome.PASS, Outcome.FAIL}:
            outcomes[row], columns["category"][row] = Outcome.ERROR, Category.OUT_OF_SCALE
            columns["reason"][row] = f"score is {score!r}, which is no number. {columns['reason'][row]}".rstrip()
    for name in _NUMBERS:
        columns[name] = [None if value is not None and not math.isfinite(value) else value for value in columns[name]]
