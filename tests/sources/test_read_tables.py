"""CSV, Parquet and SQL: what flat and nested tables hold, and what they break."""

from __future__ import annotations

import csv
import datetime as dt
import json
import sqlite3
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from goldassay.errors import ConfigError, SourceError
from goldassay.sources import AnswersConfig, EmptyInputError, Window, read_answers

HEAD = "id,question,answer,sources\n"
MOMENT = dt.datetime(2026, 9, 1, 9, 0, tzinfo=dt.UTC)


def _read(path=None, *, window=None, environ=None, **more):
    config = AnswersConfig(path=[str(path)] if path else [], **more)
    batches = list(read_answers(config, window=window, environ=environ or {}))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected]


def _csv(tmp_path, text, name="log.csv", **more):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return _read(tmp_path / name, **more)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_is_found_in_the_header(tmp_path, sign):
    """Also where the answers are full of another one."""
    text = sign.join(["id", "question", "answer"]) + "\n" + sign.join(["a", "Q", '"x, y; z | w"']) + "\n"

    (record,), rejected = _csv(tmp_path, text)

    assert (record.answer, rejected) == ("x, y; z | w", [])


def test_excels_own_first_line_is_obeyed(tmp_path):
    """sep=; stands before the header."""
    (record,), rejected = _csv(tmp_path, "sep=;\r\nid;answer\r\na;yes, it is\r\n")

    assert (record.answer, rejected) == ("yes, it is", [])


def test_quoted_line_breaks_and_quotes_are_part_of_the_text(tmp_path):
    """And the next row knows its own line."""
    records, (rejected,) = _csv(tmp_path, HEAD + 'a,Q,"one\ntwo ""2""\n",\nb,Q\nc,Q,A,\n')

    assert [record.answer for record in records] == ['one\ntwo "2"\n', "A"]
    assert (rejected.line, rejected.raw) == (5, "b,Q")


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ('b,Q,"never closed,', "never closed"),
        ('b,Q,"say "hi" there",', "broken quotes"),
        ("b,Q,A", "3 cells under 4 columns"),
        ("b,Q,A,,,", "6 cells under 4 columns"),
        ('b,Q,A,"[{""id"": ""1"", ""te"', "looks like JSON"),
        ("b,Q,A,\"['one' 'two']\"", "printed without commas"),
    ],
)
def test_a_bad_row_is_set_aside_and_reading_goes_on(tmp_path, bad, words):
    """Even behind a quote that is never closed."""
    records, rejected = _csv(tmp_path, f"{HEAD}a,Q,A,\n{bad}\nc,Q,A,\nd,Q,A,\n")

    assert [record.record_id for record in records] == ["a", "c", "d"]
    assert [item.line for item in rejected] == [3]
    assert words in rejected[0].reason


def test_a_row_that_is_not_utf8_is_set_aside_alone(tmp_path):
    """With the setting that helps."""
    records, (rejected,) = _csv(tmp_path, HEAD.encode() + b"a,Q,Gr\xf6\xdfe,\nb,Q,A,\n")

    assert [record.record_id for record in records] == ["b"]
    assert "answers.encoding" in rejected.reason


def test_a_utf16_table_from_a_spreadsheet_is_read(tmp_path):
    """Tabs and UTF-16 is what 'Unicode text' means there."""
    (record,), _ = _csv(tmp_path, "id\tanswer\r\na\tCafé\r\n".encode("utf-16"))

    assert record.answer == "Café"


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ('["A", "B"]', ["A", "B"]),
        ("['A', 'B']", ["A", "B"]),
        ('[{"id": "x", "text": "A"}]', ["A"]),
        ("[1] Parking is free", ["[1] Parking is free"]),
        ("A, B", ["A, B"]),
        ("", []),
    ],
)
def test_sources_in_a_cell_are_read_as_what_they_are(tmp_path, cell, texts):
    """JSON, a Python list, or one passage."""
    quoted = cell.replace('"', '""')

    (record,), rejected = _csv(tmp_path, f'{HEAD}a,Q,A,"{quoted}"\n')

    assert rejected == []
    assert [source.text for source in record.sources] == texts


def test_a_column_that_stands_twice_is_no_table_to_trust(tmp_path):
    """Which of the two answers was given?"""
    with pytest.raises(EmptyInputError, match="'answer' twice"):
        _csv(tmp_path, "id,answer,answer\na,b,c\n")


def test_an_empty_table_is_listed(tmp_path):
    """A header alone is no row."""
    (tmp_path / "a.csv").write_text(HEAD)
    (tmp_path / "b.csv").write_text(HEAD + "a,Q,A,\n\n,,,\n")

    (batch,) = read_answers(tmp_path)

    assert batch.empty_files == [str(tmp_path / "a.csv")]
    assert batch.blank_lines == 2


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=30)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_what_the_csv_module_writes_is_read_back(tmp_path_factory, rows):
    """Any text, in any cell."""
    path = tmp_path_factory.mktemp("csv") / "log.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", "answer"])
        writer.writerows([str(n), question, answer] for n, (question, answer) in enumerate(rows))

    records, rejected = _read(path)

    assert rejected == []
    assert [(record.question, record.answer) for record in records] == rows


def test_nested_parquet_is_read_with_its_types(tmp_path):
    """Lists of structs, maps, decimals, bytes, nanoseconds with a zone."""
    source = pa.struct([("id", pa.int64()), ("text", pa.string()), ("score", pa.float32())])
    fields: list[Any] = [
        ("id", pa.uint64()),
        ("question", pa.large_string()),
        ("answer", pa.binary()),
        ("sources", pa.list_(source)),
        ("asked_at", pa.timestamp("ns", "Europe/Berlin")),
        ("app_version", pa.decimal128(5, 2)),
        ("tags", pa.map_(pa.string(), pa.string())),
        ("key_facts", pa.list_(pa.list_(pa.string()))),
    ]
    schema = pa.schema(fields)
    row = {
        "id": 2**64 - 1,
        "question": "Q",
        "answer": "Größe".encode(),
        "sources": [{"id": 7, "text": "S", "score": 0.5}],
        "asked_at": MOMENT,
        "app_version": Decimal("1.10"),
        "tags": [("team", "blue")],
        "key_facts": [["20", "twenty"], ["3 days"]],
    }
    pq.write_table(pa.Table.from_pylist([row], schema=schema), tmp_path / "log.parquet")

    (batch,) = read_answers(tmp_path / "log.parquet")

    (record,) = batch.records
    (golden,) = batch.golden
    assert batch.rejected == []
    assert (record.record_id, record.answer, record.app_version) == (str(2**64 - 1), "Größe", "1.10")
    assert (record.sources[0].id, record.sources[0].score) == ("7", 0.5)
    assert (record.asked_at, record.tags) == (MOMENT, {"team": "blue"})
    assert golden is not None
    assert golden.key_facts == (("20", "twenty"), ("3 days",))


def test_whole_ids_that_became_floats_are_whole_again(tmp_path):
    """Unless their digits are lost."""
    rows: list[dict[str, Any]] = [
        {"id": 12.0, "answer": "A"},
        {"id": None, "answer": "B"},
        {"id": 2.0**60, "answer": "C"},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet")

    records, (rejected,) = _read(tmp_path / "log.parquet")

    assert records[0].record_id == "12"
    assert len(records) == 2
    assert "last digits are lost" in rejected.reason


def test_a_header_is_read_as_people_write_it(tmp_path):
    """Capitals and spaces do not count."""
    (record,), _ = _csv(tmp_path, "ID,Question,Answer,App Version\na,Q,A,1.10\n")

    assert (record.record_id, record.question, record.answer, record.app_version) == ("a", "Q", "A", "1.10")


def test_a_broken_parquet_file_is_one_entry_and_the_next_one_is_read(tmp_path):
    """A download that broke off."""
    table = pa.Table.from_pylist([{"id": str(n), "answer": "A" * 50} for n in range(100)])
    pq.write_table(table, tmp_path / "b.parquet")
    (tmp_path / "a.parquet").write_bytes((tmp_path / "b.parquet").read_bytes()[:-300])

    records, (rejected,) = _read(tmp_path)

    assert len(records) == 100
    assert (rejected.file, rejected.line) == (str(tmp_path / "a.parquet"), 0)


def _base(tmp_path, rows, columns="question TEXT, answer TEXT, sources TEXT, asked_at TEXT", table="rag_log"):
    path = tmp_path / "log.db"
    with sqlite3.connect(path) as base:
        base.execute(f'CREATE TABLE "{table}" ({columns})')
        base.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(rows[0]))})', rows)
    base.close()
    return f"sqlite:///{path}"


ROWS = [
    ("Q1", "A1", '[{"id": "1", "text": "S"}]', "2026-09-01T08:59:59Z"),
    ("Q2", "A2", '["S"]', "2026-09-01 09:00:00"),
    ("Q3", None, None, "2026-09-01T11:00:00+02:00"),
    ("Q4", "A4", "", "2026-09-02T09:00:00Z"),
    ("Q5", "A5", "{broken", "2026-09-01T10:00:00Z"),
    ("Q6", "A6", '{"te', "2026-09-01T10:00:00Z"),
]


def test_the_rag_log_table_is_read_by_default(tmp_path):
    """Sources as JSON, times as text, a null answer as an empty one."""
    records, (rejected,) = _read(environ={"LOG_URL": _base(tmp_path, ROWS)}, url_env="LOG_URL")

    assert [record.answer for record in records] == ["A1", "A2", "", "A4", "A5"]
    assert [len(record.sources) for record in records] == [1, 1, 0, 0, 1]
    assert (rejected.file, rejected.line) == ("sql:rag_log", 6)


def test_the_window_holds_for_tables(tmp_path):
    """Half-open, in UTC, whatever the text of the time."""
    window = Window(MOMENT, MOMENT + dt.timedelta(days=1))

    records, _ = _read(environ={"LOG_URL": _base(tmp_path, ROWS[:4])}, url_env="LOG_URL", window=window)

    assert [record.question for record in records] == ["Q2", "Q3"]


def test_a_query_with_bounds_gets_the_window(tmp_path):
    """Bound as values, never put into the text."""
    url = _base(tmp_path, [(1, "Q", "A"), (2, "Q", "B")], 'id INTEGER, "the question" TEXT, reply TEXT')
    query = 'SELECT id, "the question" AS question, reply, :since AS asked_at FROM rag_log WHERE :until IS NULL'
    window = Window(MOMENT, None)

    records, _ = _read(url=SecretStr(url), query=query, mapping={"answer": "reply"}, window=window)

    assert [(record.record_id, record.answer) for record in records] == [("1", "A"), ("2", "B")]
    assert records[0].asked_at == MOMENT


def test_a_table_name_is_quoted(tmp_path):
    """A name is no place for SQL."""
    url = _base(tmp_path, [("Q", "A")], "question TEXT, answer TEXT", table="odd name; --")

    records, _ = _read(url=SecretStr(url), table="odd name; --")

    assert len(records) == 1


@pytest.mark.parametrize(
    ("settings_", "error", "words"),
    [
        ({"url_env": "LOG_URL"}, ConfigError, "'LOG_URL'"),
        ({"source": "sql"}, ConfigError, "answers.url_env"),
        ({"url": "nonsense"}, ConfigError, "cannot be read"),
        ({"url": "sqlite:///nowhere/none.db"}, SourceError, "no SQLite file"),
        ({"url": "oddbase://host/x"}, SourceError, "no driver"),
    ],
)
def test_a_database_that_cannot_be_read_is_named(settings_, error, words):
    """And no empty base is made where none was."""
    with pytest.raises(error, match=words):
        _read(**settings_)


def test_a_missing_table_is_named(tmp_path):
    """With what to set."""
    url = _base(tmp_path, [("Q", "A")], "question TEXT, answer TEXT", table="other")

    with pytest.raises(SourceError, match=r"'rag_log'.*answers\.table"):
        _read(url=SecretStr(url))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://reader:pw-TESTTEST@127.0.0.1:9/base?connect_timeout=1",
        "postgresql+psycopg://127.0.0.1:9/base?connect_timeout=1&user=reader&password=pw-TESTTEST",
        "postgresql+psycopg://127.0.0.1:9/base?connect_timeout=1&sslpassword=pw-TESTTEST&sslpassword=TESTTEST",
    ],
)
def test_a_password_is_never_shown(url):
    """Not in messages, not in the settings' text."""
    config = AnswersConfig(url=SecretStr(url))

    with pytest.raises(SourceError) as caught:
        list(read_answers(config))

    assert "TESTTEST" not in str(caught.value)
    assert "TESTTEST" not in repr(config)
    assert "127.0.0.1" in str(caught.value)


def test_both_ways_to_give_a_url_are_one_too_many():
    """Which of the two would hold?"""
    with pytest.raises(ValueError, match="url_env"):
        AnswersConfig(url=SecretStr("sqlite://"), url_env="X")


def test_a_large_table_is_read_in_batches(tmp_path):
    """No more than a batch at a time."""
    rows = [(str(n), "Q", "A", json.dumps(["S"])) for n in range(2500)]
    url = _base(tmp_path, rows, "id TEXT, question TEXT, answer TEXT, sources TEXT")

    batches = list(read_answers(AnswersConfig(url=SecretStr(url)), batch_size=1000))

    assert [len(batch) for batch in batches] == [1000, 1000, 500]
