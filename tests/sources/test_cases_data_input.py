"""Every concrete input with a known right answer, through one adapter from its words to ours."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import SourceError
from goldassay.sources import AnswersConfig, EmptyInputError, read_answers
from goldassay.sources.reader import read_items
from goldassay.sources.shapes.traces import PlacedSpan, read_spans
from goldassay.sources.typed import TypedRow, read_columns

CASES = Path(os.environ.get("GOLDASSAY_CASES", Path(__file__).parents[1] / "cases" / "data_input.jsonl"))


def _load_cases():
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [pytest.param(row, id=row["case"]) for row in rows if row["topic"] == "data_input"]


def _write_files(inputs: dict[str, Any], folder: Path) -> list[str]:
    """Write what the case describes; the names, in order."""
    files = list(inputs.get("files", []))
    if "file_template" in inputs:
        files.append(_from_template(inputs["file_template"]))
    for file in files:
        path = folder / file["file_name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if "bytes_base64" in file:
            path.write_bytes(base64.b64decode(file["bytes_base64"]))
        else:
            path.write_bytes(file["text"].encode("utf-8", "surrogatepass"))
    return [file["file_name"] for file in files]


def _from_template(template: dict[str, Any]) -> dict[str, str]:
    if "row" in template:
        cells = [_grown(cell) for cell in template["row"]]
        quoted = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
        text = f"{template['header']}\n{quoted}\n"
    else:
        count = template.get("repeat", 1)
        lines = [_grown(template["line"].replace("{i}", str(number))) for number in range(count)]
        head = [template["header"]] if "header" in template else []
        text = "\n".join([*head, *lines, *(_grown(line) for line in template.get("then", []))]) + "\n"
    return {"file_name": template["file_name"], "text": text}


def _grown(text: str) -> str:
    return re.sub(r"\{(\w)\*(\d+)\}", lambda match: match[1] * int(match[2]), text)


OUR_NAMES = {
    "id": "record_id",
    "version": "app_version",
    "time": "asked_at",
    "timestamp": "asked_at",
    "contexts": "sources",
    "context": "sources",
}
"""The cases' word for a field -> ours."""


def _config_for(inputs: dict[str, Any], expected: dict[str, Any], names: list[str]) -> AnswersConfig:
    """Our settings for the case's words."""
    settings: dict[str, Any] = {"path": names}
    config = dict(inputs.get("config") or {}) | dict(expected.get("config_used") or {})
    columns = config.get("columns") or config.get("mapping") or config.get("paths") or {}
    mapping: dict[str, Any] = {OUR_NAMES.get(key, key): _paths(key, path) for key, path in columns.items()}
    for key, path in config.items():
        if key.endswith("_path") and path:
            field = key.removesuffix("_path")
            mapping[OUR_NAMES.get(field, field)] = _paths(field, path)
    if inputs.get("mapping"):
        mapping = {"shape": [inputs["mapping"]], **mapping} if mapping else inputs["mapping"]
    settings["mapping"] = mapping
    for key in ("encoding", "delimiter", "on_duplicate"):
        if config.get(key):
            settings[key] = config[key]
    return AnswersConfig(**settings)


def _paths(field: str, path: Any) -> list[str]:
    """A path as text, or as steps that begin at the field or at the row."""
    if isinstance(path, str):
        return [path]
    steps = "".join(f"[{step}]" if isinstance(step, int) or step == "*" else f".{step}" for step in path)
    return [f"{field}{steps}", f"{field}[*]{steps}", steps.removeprefix(".")]


class Outcome:
    """What one read gave."""

    def __init__(self, config: AnswersConfig, folder: Path) -> None:
        self.records: list[Any] = []
        self.golden: list[Any] = []
        self.rejected: list[Any] = []
        self.blank_lines = 0
        self.empty_files: list[str] = []
        self.error: SourceError | None = None
        self.folder = folder
        try:
            for batch in read_answers(config, base_dir=folder):
                self.records += batch.records
                self.golden += batch.golden
                self.rejected += batch.rejected
                self.blank_lines += batch.blank_lines
                self.empty_files += batch.empty_files
        except SourceError as error:
            self.error = error


def _as_case_record(record: Any, golden: Any) -> dict[str, Any]:
    """A record with the names that cases give its parts."""
    sources = [source.model_dump() | {"ref": source.title} for source in record.sources]
    texts = [source["text"] for source in sources]
    row = golden.model_dump() if golden is not None else {}
    row |= record.model_dump() | {"id": record.record_id, "version": record.app_version, "sources": sources}
    row |= dict.fromkeys(("time", "timestamp", "created_at", "start_time"), record.asked_at)
    row |= {"contexts": texts, "context": texts, "trace_id": record.record_id, "sources_count": len(texts)}
    row["sources_total_chars"] = sum(len(text) for text in texts)
    row["ground_truth"] = row.get("reference")
    return {"user_id": None, "session_id": None} | record.tags | row


def _assert_holds(actual: Any, expected: Any, place: str) -> None:
    """Only the keys that are listed are compared."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert key in actual, f"{place}.{key} is unknown"
            _assert_holds(actual[key], value, f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), place
        for index, (one, other) in enumerate(zip(actual, expected, strict=True)):
            _assert_holds(one, other, f"{place}[{index}]")
    elif isinstance(expected, str) and hasattr(actual, "isoformat"):
        assert actual.isoformat().replace("+00:00", "Z") == expected.replace("+00:00", "Z"), place
    else:
        assert actual == expected, place


@pytest.mark.parametrize("case", _load_cases())
def test_an_input_is_read_as_a_careful_practitioner_would(case, tmp_path):
    """The adapter compares what the case lists and nothing else."""
    inputs, expected = case["input"], case["expected"]
    names = _write_files(inputs, tmp_path)
    config = _config_for(inputs, expected, names)

    if "spans" in expected:
        _check_spans(config, expected, tmp_path)
    elif any("human_score" in record for record in expected.get("records", [])):
        _check_scores(config, expected, tmp_path)
    else:
        _check_answers(config, expected, tmp_path)


def _check_spans(config, expected, folder):
    items = list(read_spans(read_items(config, base_dir=folder)))
    spans = [item.span for item in items if isinstance(item, PlacedSpan)]

    assert len(spans) == expected["spans"]
    for span, record in zip(spans, expected.get("records", []), strict=True):
        actual = {"span_id": span.span_id, "start_ns": str(span.start_ns), "end_ns": str(span.end_ns)}
        _assert_holds(actual | {"trace_id": span.trace_id}, record, span.span_id)


def _check_scores(config, expected, folder):
    rows = list(read_columns(config, {"id": "text", "human_score": "number"}, base_dir=folder))
    found = {row.values["id"]: row for row in rows if isinstance(row, TypedRow)}

    assert len(rows) == expected["rows"]
    for record in expected["records"]:
        row = found[record["id"]]
        actual = row.values | {"problem": "wrong_type" if row.problems else None}
        _assert_holds(actual, record, record["id"])


def _check_answers(config, expected, folder):
    read = Outcome(config, folder)

    if expected.get("duplicates"):
        _check_clash(read, expected, config, folder)
        return
    if str(expected.get("run", "")).startswith("fails"):
        assert read.error is not None
        return
    if "rows" in expected:
        assert len(read.records) == expected["rows"]
    if expected.get("rows") == 0:
        assert isinstance(read.error, EmptyInputError)
        assert read.error.exit_code != 0
    else:
        assert read.error is None
    if "ids" in expected:
        assert [record.record_id for record in read.records] == expected["ids"]
    if "row_keys" in expected:
        assert [[record.app_version, record.record_id] for record in read.records] == expected["row_keys"]
    _check_records(read, expected)
    _check_rejected(read, expected, folder)
    if "flat_documents_in_order" in expected:
        _check_documents(config, expected["flat_documents_in_order"], folder)


def _check_records(read, expected):
    rows = [_as_case_record(record, golden) for record, golden in zip(read.records, read.golden, strict=True)]
    by_id = {row["id"]: row for row in rows}
    for index, record in enumerate(expected.get("records", [])):
        actual = by_id[str(record["id"])] if "id" in record else rows[index]
        _assert_holds(actual, record, f"records[{index}]")


def _check_rejected(read, expected, folder):
    if "rejected" in expected:
        wanted = expected["rejected"]
        assert len(read.rejected) == (wanted if isinstance(wanted, int) else len(wanted)), read.rejected
        for item, row in zip(read.rejected, wanted if isinstance(wanted, list) else [], strict=False):
            line = row.get("line") if isinstance(row, dict) else row
            assert line is None or item.line == line
            if isinstance(row, dict) and ("file" in row or "file_name" in row):
                assert str(Path(item.file).relative_to(folder)) == row.get("file", row.get("file_name"))
            assert item.reason
    if "blank_lines" in expected:
        assert read.blank_lines == expected["blank_lines"]
    if "empty_files" in expected:
        assert [Path(name).name for name in read.empty_files] == expected["empty_files"]


def _check_documents(config, wanted, folder):
    from goldassay.sources.shapes.spans import documents_of

    bare = config.model_copy(update={"mapping": {}})
    spans = [item.span for item in read_spans(read_items(bare, base_dir=folder)) if isinstance(item, PlacedSpan)]
    for trace, texts in wanted.items():
        found = [document["content"] for s in spans if s.trace_id == trace for document in documents_of(s.attributes)]
        assert found == texts


def _check_clash(read, expected, config, folder):
    assert read.error is not None
    for duplicate in expected["duplicates"]:
        message = str(read.error)
        assert repr(duplicate["id"]) in message
        assert all(re.search(rf":{line}\b", message) for line in duplicate["lines"])
    if "alternative" in expected:
        kept = Outcome(config.model_copy(update={"on_duplicate": "suffix"}), folder)
        assert kept.error is None
        assert len({record.record_id for record in kept.records}) == len(kept.records)
        assert not kept.rejected
