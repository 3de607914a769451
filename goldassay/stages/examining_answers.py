"""Examining the log: is it read as its owner meant? Called by `examining`, for ``goldassay doctor``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from goldassay.records import AnswerRecord
from goldassay.sources import AnswersConfig, Rejected, read_answers
from goldassay.sources.reader import read_items
from goldassay.sources.rows import RawRow
from goldassay.sources.suggest import suggest
from goldassay.stages.examining_servers import Finding

__all__ = ["first_answers", "look_at_answers"]

_MOST_LOOKED_AT = 2_000
"""Records of the log that are looked at, about."""
_MARK = re.compile(r"\[([^\W\d_]{1,10}[-_ ]?\d{1,8})\]")
"""What cites by a name with a number, like [HR-01]."""
_MARKED_SHARE = 0.2
"""Of the answers with sources; fewer are slips of the assistant, more are ids that were not mapped."""


def look_at_answers(settings: Any, folder: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    """What the log holds, and what it should be mapped to hold besides."""
    records, rejected, notes = first_answers(settings, folder, environ)
    yield Finding("ok" if records else "problem", "answers", _answers_text(records))
    for note in notes:
        yield Finding("warning", "answers", note)
    missing = [name for name in _MISSING if records and not any(getattr(record, name) for record in records)]
    for name in missing:
        yield Finding("warning", "answers", f"{_MISSING[name]}. Name their column: answers.mapping.{name}")
    yield from _suggested(settings.answers, folder, missing)
    yield from _unknown_marks(records)
    if rejected:
        line = rejected[0]
        text = f"{len(rejected)} set aside, the first at {line.file}, line {line.line}: {line.reason}"
        yield Finding("warning", "answers", text)


_MISSING = {
    "question": "no questions are logged: relevance cannot be graded, and no golden question is found by its text",
    "sources": "no sources are logged: faithfulness cannot be graded",
    "asked_at": "no times are logged: nights cannot be told apart, and every run reads the whole log",
}


def first_answers(
    settings: Any, folder: Path, environ: Mapping[str, str]
) -> tuple[list[AnswerRecord], list[Rejected], list[str]]:
    """The beginning of the log, what was set aside of it, and notes.

    Enough to see what it holds, little enough not to wait for.
    """
    records: list[AnswerRecord] = []
    rejected: list[Rejected] = []
    notes: list[str] = []
    for batch in read_answers(settings.answers, base_dir=folder, environ=environ, batch_size=500):
        records += batch.records
        rejected += batch.rejected
        notes += batch.notes
        if len(records) >= _MOST_LOOKED_AT:
            break
    return records, rejected, notes


def _answers_text(records: Sequence[AnswerRecord]) -> str:
    versions = sorted({record.app_version for record in records if record.app_version})
    models = sorted({record.model for record in records if record.model})
    has = ", ".join(
        f"{sum(bool(getattr(record, name)) for record in records)} with {words}"
        for name, words in (("question", "a question"), ("sources", "sources"), ("asked_at", "a time"))
    )
    logged = f"versions: {', '.join(versions) or 'not logged'}; models: {', '.join(models) or 'not logged'}"
    return f"first {len(records)} records read, {has}; {logged}"


def _suggested(answers: AnswersConfig, folder: Path, missing: Sequence[str]) -> Iterator[Finding]:
    """A mapping that would fill such fields, as far as the names in the first row tell."""
    if not missing or isinstance(answers.mapping, str) or "shape" in answers.mapping or answers.reads_sql:
        return
    items = read_items(answers.model_copy(update={"mapping": {}}), base_dir=folder)
    row = next((item for item in items if isinstance(item, RawRow)), None)
    words = suggest(row) if row is not None else ""
    if 'answers.mapping = "' in words or any(f"{name} = " in words for name in missing):
        yield Finding("warning", "answers", words)


def _unknown_marks(records: Sequence[AnswerRecord]) -> Iterator[Finding]:
    """Answers that cite by ids which no source has anywhere: the ids stand in the log, but nobody named them."""
    sent = [record for record in records if record.sources]
    marked = [(record, marks) for record in sent if (marks := _MARK.findall(record.answer))]
    if not sent or len(marked) < _MARKED_SHARE * len(sent):
        return
    ids = {source.id for record in sent for source in record.sources}
    if any(mark in ids for _, marks in marked for mark in marks):
        return
    first, marks = marked[0]
    sent_ids = ", ".join(repr(source.id) for source in first.sources[:3])
    text = (
        f"{len(marked)} of {len(sent)} answers hold marks like '[{marks[0]}]', and no source has such an id (the ids: "
        f"{sent_ids}). They will count as citing nothing. Name the ids: answers.mapping.source_ids"
    )
    yield Finding("warning", "answers", text)
