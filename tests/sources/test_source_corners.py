"""Corners that logs rarely reach, and must not fall over in."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from decimal import Decimal
from types import SimpleNamespace

import pytest
from sqlalchemy import DateTime, String
from sqlalchemy.dialects import postgresql

import goldassay.sources
import goldassay.sources.assistant
from goldassay.errors import ConfigError, SourceError
from goldassay.sources import AnswersConfig, Window, read_answers, sql
from goldassay.sources.typed import TypedRow, read_columns
from goldassay.sources.values import as_bool, as_facts, as_label, as_sources, as_tags, as_text, as_turns

NOON = dt.datetime(2026, 9, 1, 12, tzinfo=dt.UTC)


def _read(path, **more):
    batches = list(read_answers(AnswersConfig(path=str(path), **more)))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected]


@pytest.mark.parametrize("module", [goldassay.sources, goldassay.sources.assistant])
def test_every_public_name_loads_and_no_other(module):
    """The list of names is complete and sorted."""
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing


def test_importing_the_reader_loads_no_heavy_package():
    """Checking a JSON Lines file pays for JSON Lines only."""
    import subprocess
    import sys

    code = (
        "import sys, goldassay.sources.reader, goldassay.sources.golden; "
        "print([m for m in ('pyarrow', 'sqlalchemy', 'httpx', 'rapidfuzz', 'prefect', 'duckdb') if m in sys.modules])"
    )

    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert out.strip() == "[]"


@pytest.mark.parametrize(
    ("read", "value", "result"),
    [
        (as_tags, {"beta": True, "n": 1, "x": None, "deep": {}, "nan": float("nan")}, {"beta": "true", "n": "1"}),
        (as_tags, ["prod", {"odd": 1}, "eu"], {"prod": "true", "eu": "true"}),
        (as_tags, '{"a": "b"}', {"a": "b"}),
        (as_tags, "prod", {"prod": "true"}),
        (as_facts, "20 MB", [["20 MB"]]),
        (as_facts, [20, ["3 days", "three days"]], [["20"], ["3 days", "three days"]]),
        (as_facts, '["20", ["a", "b"]]', [["20"], ["a", "b"]]),
        (as_turns, [{"role": "user", "content": "Q"}, {"speaker": "bot", "text": None}], [("user", "Q"), ("bot", "")]),
        (as_bool, "No", False),
        (as_bool, 1, True),
        (as_text, ["a", {"type": "image_url"}, {"text": "b"}], "ab"),
        (as_sources, {}, []),
        (as_label, b"x", "x"),
    ],
)
def test_values_are_read_as_what_they_are(read, value, result):
    """Each field knows its forms."""
    found = read(value)

    assert ([(turn["role"], turn["text"]) for turn in found] if read is as_turns else found) == result


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (as_turns, "text"),
        (as_turns, ["text"]),
        (as_bool, "maybe"),
        (as_bool, 2),
        (as_bool, None),
        (as_text, []),
        (as_text, [7]),
        (as_text, True),
        (as_label, float("inf")),
        (as_label, Decimal("sNaN")),
        (as_label, b"\xff"),
        (as_sources, 5),
        (as_sources, [5]),
    ],
)
def test_values_that_would_be_a_guess_are_refused(read, value):
    """With a reason that shows the value."""
    with pytest.raises(ValueError, match=r"is|holds"):
        read(value)


def test_a_window_is_cut_by_a_database_that_has_times(monkeypatch):
    """Bound as values; rows without a time come along to be set aside."""
    columns = [{"name": "asked_at", "type": DateTime(timezone=True)}, {"name": "ts", "type": DateTime()}]
    monkeypatch.setattr(sql, "inspect", lambda _engine: SimpleNamespace(get_columns=lambda *_args, **_more: columns))
    engine = SimpleNamespace(dialect=postgresql.dialect())

    parts, values = sql._in_window(engine, AnswersConfig(), Window(NOON, None))  # type: ignore[arg-type]  # a stand-in
    named, naive = sql._in_window(engine, AnswersConfig(mapping={"asked_at": ["ts"]}), Window(None, NOON))  # type: ignore[arg-type]  # same

    assert parts == ["(asked_at >= :since OR asked_at IS NULL)"]
    assert values == {"since": NOON}
    assert named == ["(ts < :until OR ts IS NULL)"]
    assert naive == {"until": NOON.replace(tzinfo=None)}


def test_a_text_column_is_cut_on_the_way_in(monkeypatch):
    """Comparing texts of times would lose rows."""
    columns = [{"name": "asked_at", "type": String()}]
    monkeypatch.setattr(sql, "inspect", lambda _engine: SimpleNamespace(get_columns=lambda *_args, **_more: columns))
    engine = SimpleNamespace(dialect=postgresql.dialect())

    assert sql._in_window(engine, AnswersConfig(), Window(NOON, None)) == ([], {})  # type: ignore[arg-type]  # a stand-in


def test_a_query_that_breaks_names_the_row(tmp_path):
    """SQL errors are one message."""
    import sqlite3

    sqlite3.connect(tmp_path / "log.db").close()
    url = f"sqlite:///{tmp_path / 'log.db'}"

    with pytest.raises(SourceError, match="broke off at row 1"):
        list(read_answers(AnswersConfig.model_validate({"url": url, "query": "SELECT FROM"})))


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_an_empty_table_or_document_is_listed(tmp_path, text):
    """Beside a file that holds something."""
    for name in ("a.csv", "b.json", "c.jsonl"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "d.jsonl").write_text('{"answer": "A"}')

    (batch,) = read_answers(tmp_path)

    assert [name[-6:] for name in batch.empty_files] == ["/a.csv", "b.json", ".jsonl"]


def test_a_cut_table_keeps_its_whole_rows(tmp_path):
    """The last, cut row is set aside, and so is what is missing."""
    rows = "".join(f"r{number},Q,{'answer ' * 20}{hash(str(number))}\n" for number in range(20_000))
    data = gzip.compress(b"id,question,answer\n" + rows.encode())
    (tmp_path / "log.csv.gz").write_bytes(data[: len(data) * 3 // 4])

    records, rejected = _read(tmp_path / "log.csv.gz")

    assert len(records) > 5000
    assert "breaks off" in rejected[-1].reason


def test_a_table_with_a_giant_line_is_read_around_it(tmp_path):
    """One line of three megabytes where one is allowed."""
    (tmp_path / "log.csv").write_text("id,answer\na,A\nb," + "x" * (3 << 20) + '\nc,"' + "y" * (3 << 20) + '"\nd,A\n')

    records, rejected = _read(tmp_path / "log.csv", max_record_mib=1)

    assert [record.record_id for record in records] == ["a", "d"]
    assert [item.line for item in rejected] == [3, 4]
    assert all("longer than 1 MiB" in item.reason for item in rejected)


def test_many_sloppy_quotes_cost_their_own_rows_only(tmp_path):
    """Each is found at once; the file is not given up."""
    rows = "".join(f'r{number},"say "hi" there"\ns{number},fine\n' for number in range(200))
    (tmp_path / "log.csv").write_text("id,answer\n" + rows)

    records, rejected = _read(tmp_path / "log.csv")

    assert (len(records), len(rejected)) == (200, 200)


def test_a_quote_that_is_never_closed_costs_its_own_line_only(tmp_path):
    """Also where the file behind it is longer than any record."""
    rows = "".join(f"r{number},{'x' * 1000}\n" for number in range(3000))
    (tmp_path / "log.csv").write_text('id,answer\na,"never closed\n' + rows)

    records, (rejected,) = _read(tmp_path / "log.csv", max_record_mib=1)

    assert len(records) == 3000
    assert (rejected.line, rejected.raw) == (2, 'a,"never closed')


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8"])
def test_a_stream_of_another_encoding_that_breaks_keeps_its_beginning(tmp_path, encoding):
    """Half a character at the end of a UTF-16 file."""
    text = '{"id": "a", "answer": "A"}\n{"id": "b", "answer": "Ä"}\n'
    data = text.encode(encoding)
    (tmp_path / "log.jsonl").write_bytes(data if encoding == "utf-8" else data + b"\x41")

    records, _ = _read(tmp_path / "log.jsonl")

    assert [record.record_id for record in records] == ["a", "b"]


def test_a_json_document_with_other_values_tells_them(tmp_path):
    """Numbers are no records, and a value without an end is one entry."""
    (tmp_path / "a.json").write_text('[1, {"id": "a", "answer": "A"}, "x", {"id": ')
    (tmp_path / "b.json").write_text('{"answer": "' + "x" * (2 << 20))
    (tmp_path / "c.json").write_bytes(gzip.compress(b'[{"answer": "B"}, ' + bytes(range(48, 58)) * 1000)[:-8])

    records, rejected = _read(tmp_path, max_record_mib=1)

    assert records[0].answer == "A"
    assert [item.file[-6:] for item in rejected[:4]] == ["a.json", "a.json", "a.json", "b.json"]
    assert "breaks off" in rejected[-1].reason


def test_a_run_that_broke_before_it_answered_is_a_failed_answer(tmp_path):
    """Not a bad line: the user got nothing."""
    span = {
        "trace_id": "t",
        "span_id": "s",
        "span_kind": "CHAIN",
        "attributes": {"input": {"value": "When?"}},
        "status_code": "ERROR",
    }
    for shape, row in (
        ("phoenix", span),
        ("langfuse", {"id": "t", "input": "When?", "output": None}),
        ("langsmith", {"id": "t", "run_type": "chain", "inputs": {"question": "When?"}, "outputs": None, "error": "x"}),
        ("deepeval", {"id": "t", "input": "When?", "actual_output": None}),
    ):
        (tmp_path / "log.jsonl").write_text(json.dumps(row))
        (record,), rejected = _read(tmp_path / "log.jsonl", mapping=shape)
        assert (record.question, record.answer, rejected) == ("When?", "", []), shape


def test_declared_columns_are_never_cast(tmp_path):
    """A wrong type is a problem of its place."""
    lines = [
        '{"id": 1.10, "ok": true, "score": 3}',
        '{"id": null, "ok": "yes", "score": "3"}',
        '{"id": "c", "ok": 7, "score": NaN}',
        "broken",
        "",
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    (tmp_path / "log.csv").write_text("id,ok,score\nd,no,2.5\ne,,\nf,maybe,x\n")
    kinds = {"id": "text", "ok": "bool", "score": "number"}

    rows = list(read_columns(AnswersConfig(path=str(tmp_path)), kinds))

    typed = {row.values["id"]: row for row in rows if isinstance(row, TypedRow)}
    assert typed["1.10"].values == {"id": "1.10", "ok": True, "score": 3.0}
    assert typed[None].values["ok"] is True
    assert typed[None].problems.keys() == {"score"}
    assert typed["c"].problems.keys() == {"ok", "score"}
    assert typed["d"].values == {"id": "d", "ok": False, "score": 2.5}
    assert typed["e"].problems == {}
    assert typed["f"].problems.keys() == {"ok", "score"}
    assert len(rows) == 7


def test_a_path_that_is_not_set_is_a_setting_error():
    """With an example."""
    with pytest.raises(ConfigError, match=r"answers\.path"):
        list(read_answers(AnswersConfig()))


def test_reading_may_stop_early(tmp_path):
    """Files and temporary bases are closed."""
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps({"id": number, "answer": "A"}) for number in range(50)))

    first = next(read_answers(tmp_path / "log.jsonl", batch_size=5))

    assert len(first) == 5


def _log(tmp_path, rows=3):
    lines = (json.dumps({"user_query": f"Q{i}?", "reply": "A.", "model_name": "m"}) for i in range(rows))
    (tmp_path / "log.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return str(tmp_path / "log.jsonl")


def test_a_mapped_column_that_no_row_has_is_said_with_the_nearest(tmp_path):
    """A slip of the pen loses the model of every answer; once, at the end, it is told."""
    mapping = {"question": ["user_query"], "answer": ["reply"], "model": ["modelname"]}

    batches = list(read_answers(AnswersConfig(path=_log(tmp_path), mapping=mapping), batch_size=2))

    assert [note for batch in batches for note in batch.notes] == [
        "answers.mapping.model names 'modelname', which none of the 3 rows has; did you mean 'model_name'?"
    ]


def test_a_question_that_no_row_has_stops_the_read(tmp_path):
    """Answers to no question would be graded, and most of them better than they are."""
    mapping = {"question": ["userquery"], "answer": ["reply"]}

    with pytest.raises(ConfigError, match=r"none of the 3 rows has; did you mean 'user_query'\?"):
        list(read_answers(AnswersConfig(path=_log(tmp_path), mapping=mapping)))
