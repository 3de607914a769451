"""The golden set: questions whose right answer is known, found again by id or by their words.

Reads YAML, CSV and JSON Lines. Every fault is collected and reported with its place in
one `ConfigError`, so that a set is mended in one go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.files import BROKEN_STREAM, data_ending
from goldassay.sources.golden_rows import GoldenRow, rows_of_csv, rows_of_json, rows_of_jsonl, rows_of_yaml
from goldassay.sources.hints import nearest
from goldassay.sources.values import as_bool, as_facts, as_tags, as_text, as_texts
from goldassay.text import question_key

__all__ = ["GoldenSet", "read_golden"]

SHOWN_FAULTS = 10

FIELDS = {
    "question_id": as_text,
    "id": as_text,
    "question": as_text,
    "answerable": as_bool,
    "key_facts": as_facts,
    "reference": as_text,
    "expected_sources": as_texts,
    "stratum": as_text,
    "lang": as_text,
    "tags": as_tags,
}
"""Keys of a question and how each is read; `id` is short for `question_id`, `lang` for the tag of that name."""

_REFERENCES = ("answer", "expected", "expected_answer", "expected_output", "ground_truth")
_QUESTIONS = ("user_input", "input", "query")
OTHER_TOOLS = dict.fromkeys(_REFERENCES, "reference") | dict.fromkeys(_QUESTIONS, "question")
"""What other tools call a field; not taken over unasked, for some mean a fact and some a whole answer."""

READERS = {
    ".yaml": rows_of_yaml,
    ".yml": rows_of_yaml,
    ".csv": rows_of_csv,
    ".tsv": rows_of_csv,
    ".json": rows_of_json,
    ".jsonl": rows_of_jsonl,
    ".ndjson": rows_of_jsonl,
}


class GoldenSet:
    """Golden questions in the order of their file, with ways to find one."""

    def __init__(self, questions: Iterable[GoldenQuestion]) -> None:
        self.questions = tuple(questions)
        self._by_id = {question.question_id: question for question in self.questions}
        self._by_key = {question_key(question.question): question for question in self.questions}
        self._by_key.pop("", None)  # '???' has no words to be found by

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[GoldenQuestion]:
        return iter(self.questions)

    def find(self, record: AnswerRecord) -> GoldenQuestion | None:
        """The golden question a record answers: by its question id, else by its normalised text."""
        if record.question_id is not None and record.question_id in self._by_id:
            return self._by_id[record.question_id]
        return self._by_key.get(question_key(record.question))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all that shapes a verdict; the order of the questions does not count."""
        rows = sorted(
            (question.model_dump(mode="json") for question in self.questions), key=lambda row: row["question_id"]
        )
        return hashlib.sha256(orjson.dumps(rows, option=orjson.OPT_SORT_KEYS)).hexdigest()


class _Placed(NamedTuple):
    question: GoldenQuestion
    line: int


def read_golden(path: str | Path) -> GoldenSet:
    """Read a golden set and check it as a whole.

    Raises:
        ConfigError: The file is missing, cannot be read, or holds faults, duplicates or contradictions; each is
            named with its line.
    """
    path = Path(path)
    reader = READERS.get(path.suffix.lower()) or READERS.get(data_ending(path))
    if reader is None:
        raise ConfigError(f"golden set {str(path)!r} has an unknown ending; use .yaml, .csv, .json or .jsonl")
    try:
        rows = list(reader(path))
    except BROKEN_STREAM as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise ConfigError(f"golden set {str(path)!r} cannot be read ({reason}); check golden.path") from fault
    faults: list[str] = []
    placed = [item for row in rows if (item := _question(row, faults)) is not None]
    faults += _clashes(placed)
    if faults:
        raise ConfigError(_message(path, faults))
    if not placed:
        raise ConfigError(f"golden set {str(path)!r} holds no question; add one, or remove [golden]")
    return GoldenSet(item.question for item in placed)


def _message(path: Path, faults: list[str]) -> str:
    more = f"\n  and {len(faults) - SHOWN_FAULTS} more" if len(faults) > SHOWN_FAULTS else ""
    return f"golden set {str(path)!r} cannot be used as it is:\n  " + "\n  ".join(faults[:SHOWN_FAULTS]) + more


def _question(row: GoldenRow, faults: list[str]) -> _Placed | None:
    before = len(faults)
    fields: dict[str, Any] = {}
    for key, value in row.data.items():
        line = row.lines.get(key, row.line)
        if key not in FIELDS:
            known = OTHER_TOOLS.get(key)
            hint = f"; its name here is {known!r}" if known else nearest(key, FIELDS)
            faults.append(f"line {line}: unknown key {key!r}{hint}")
        elif value is not None:
            try:
                fields[key] = FIELDS[key](value)
            except UnreadableValueError as fault:
                faults.append(f"line {line}: {key} {fault}")
    if len(faults) == before:
        faults += [f"line {row.line}: {fault}" for fault in _contradictions(fields)]
    return _Placed(_built(fields), row.line) if len(faults) == before else None


def _contradictions(fields: dict[str, Any]) -> Iterator[str]:
    if not fields.get("question", "").strip():
        yield "a golden question needs a 'question'"
    if {"id", "question_id"} <= fields.keys() and fields["id"] != fields["question_id"]:
        yield f"id {fields['id']!r} and question_id {fields['question_id']!r} differ; keep one"
    if any(not fact or not all(text.strip() for text in fact) for fact in fields.get("key_facts", ())):
        yield "a key fact is empty"
    if not all(name.strip() for name in fields.get("expected_sources", ())):
        yield "an expected source is empty"
    if not fields.get("answerable", True):
        for key in ("key_facts", "expected_sources"):
            if fields.get(key):
                yield f"answerable is false, yet there are {key}; remove one of the two"


def _built(fields: dict[str, Any]) -> GoldenQuestion:
    name = fields.get("question_id") or fields.get("id") or _made_id(fields["question"])
    tags = dict(fields.get("tags", {}))
    if "lang" in fields:
        tags.setdefault("lang", fields["lang"])
    known = {key: value for key, value in fields.items() if key in GoldenQuestion.model_fields}
    try:
        return GoldenQuestion(**(known | {"question_id": name, "tags": tags}))
    except ValidationError as fault:
        raise ConfigError(f"golden question {name!r} cannot be used: {fault.errors()[0]['msg']}") from fault


def _made_id(question: str) -> str:
    key = question_key(question) or question
    return "q-" + hashlib.blake2b(key.encode(errors="replace"), digest_size=6).hexdigest()


def _clashes(placed: list[_Placed]) -> Iterator[str]:
    ids: dict[str, _Placed] = {}
    keys: dict[str, _Placed] = {}
    for item in placed:
        first = ids.setdefault(item.question.question_id, item)
        if first is not item:
            yield f"line {item.line}: id {item.question.question_id!r} stands already on line {first.line}"
            continue
        key = question_key(item.question.question)
        first = keys.setdefault(key, item) if key else item
        if first is not item:
            what = "says the same as" if _same_answer(first, item) else "contradicts"
            yield (
                f"line {item.line}: question {item.question.question_id!r} asks what {first.question.question_id!r} on "
                f"line {first.line} asks, and {what} it; keep one"
            )


def _same_answer(one: _Placed, other: _Placed) -> bool:
    return one.question.model_copy(update={"question_id": "", "question": ""}) == other.question.model_copy(
        update={"question_id": "", "question": ""}
    )
