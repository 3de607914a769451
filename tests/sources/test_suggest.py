"""A log that cannot be read as it is: the message names the setting that would read it."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.errors import SourceError
from goldassay.sources import AnswersConfig, read_answers
from goldassay.sources.rows import RawRow
from goldassay.sources.suggest import suggest

CHAT = {
    "trace": {"uuid": "u1", "ts_ms": 1795852800000},
    "chat": {
        "messages": [
            {"role": "system", "content": "You are a help desk."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "How long?"},
            {"role": "assistant", "content": "30 days [HR-01]."},
        ]
    },
    "ctx": [{"docno": "HR-01", "headline": "Leave", "txt": "Leave is 30 days a year.", "score": 0.9}],
    "deploy": {"build": "v41", "llm": "big-7"},
}


def _suggested(data: dict[str, Any]) -> str:
    return suggest(RawRow("log.jsonl", 1, data))


def _failed(path: Any, **settings: Any) -> str:
    with pytest.raises(SourceError) as caught:
        list(read_answers(AnswersConfig(path=[str(path)], **settings)))
    return str(caught.value)


def test_a_nested_chat_gets_a_whole_mapping_that_reads_it(tmp_path):
    """Question, answer, earlier turns, and the passages with their ids and titles."""
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(CHAT))
    words = _failed(log)
    inner = words.partition("mapping = { ")[2].removesuffix(" }")
    mapping = dict(pair.replace('"', "").split(" = ") for pair in inner.split(", "))

    (batch,) = read_answers(AnswersConfig(path=[str(log)], mapping=mapping))

    (record,) = batch.records
    assert "A guess to correct" in words
    assert (record.record_id, record.question, record.answer) == ("u1", "How long?", "30 days [HR-01].")
    assert [(source.id, source.title, source.text) for source in record.sources] == [
        ("HR-01", "Leave", "Leave is 30 days a year.")
    ]
    assert [turn.text for turn in record.turns] == ["Hello", "Hello!"]
    assert (record.app_version, record.model, record.asked_at is not None) == ("v41", "big-7", True)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            {"Frage": "Wie lange?", "Antwort": "30 Tage", "Kontext": "30 Tage Urlaub", "Zeitpunkt": "28.11.2026"},
            'question = "Frage", answer = "Antwort", asked_at = "Zeitpunkt", sources = "Kontext"',
        ),
        (
            {"query": "q", "completion": "a", "retrieved_ids": ["k1"], "retrieved_chunks": ["text"]},
            'question = "query", answer = "completion", sources = "retrieved_chunks", source_ids = "retrieved_ids"',
        ),
        (
            {"user_text": "q", "bot_text": "a", "when": "2026-11-28T08:00:00"},
            'question = "user_text", answer = "bot_text", asked_at = "when"',
        ),
        (
            {"rag.query": "q", "rag": {"reply": "a"}, "createdAt": "2026-11-28"},
            'question = \'"rag.query"\', answer = "rag.reply", asked_at = "createdAt"',
        ),
        ({"answer": "a", "query": "q"}, '{ question = "query" }'),
        (
            {"reply": "a", "docs": [{"txt": "text", "a.no": "1", "rank": 1}]},
            '{ answer = "reply", sources = "docs[*].txt" }',
        ),
        ({"reply": "a", "docs": [{"rank": 1}]}, '{ answer = "reply" }'),
        ({"reply": "a", "a": {"b": {"c": {"d": {"e": {"f": {"query": "too deep"}}}}}}}, '{ answer = "reply" }'),
        ({"x": {"one": "text", "two": 3}}, "Its texts stand at 'x.one'"),
        ({"input": "q", "answer": "a", "context": [{"page_content": "p", "metadata": {}}]}, '"langchain"'),
        (
            {
                "id": "t",
                "input": {"query": "q"},
                "output": "a",
                "observations": [{"type": "RETRIEVER", "output": ["p"]}],
            },
            '"langfuse"',
        ),
    ],
    ids=[
        "german",
        "parallel lists",
        "chat bot",
        "dots in names",
        "one missing",
        "no ids",
        "no texts",
        "too deep",
        "nothing known",
        "langchain",
        "langfuse",
    ],
)
def test_names_in_use_are_known(row, words):
    """Those of people, and those of tools."""
    assert words in _suggested(row)


@given(st.recursive(st.none() | st.text(max_size=9) | st.integers(), lambda inner: st.dictionaries(
    st.sampled_from(["answer", "messages", "context", "resourceSpans", "x.y", "spans"]) | st.text(max_size=5), inner
) | st.lists(inner, max_size=3), max_leaves=8))  # fmt: skip
def test_no_row_breaks_the_suggestion(value):
    """It looks at rows that could not be read."""
    assert isinstance(_suggested({"row": value, "answer_text": value}), str)


def test_a_key_that_a_terminal_would_obey_or_nobody_can_type_is_not_shown():
    """The suggestion is printed, and pasted into the settings."""
    for key in ("answer\x1b[31m", "answer " + "x" * 500, "answer'", 'answer"', "answer\\"):
        assert _suggested({key: "a", "context": [{key: "text"}]}) == ""


def test_a_kind_that_does_not_fit_the_file_is_told_instead_of_its_bytes(tmp_path):
    """A table read as lines of JSON says 'expecting value', which helps nobody."""
    (tmp_path / "log.csv").write_text("question,answer\nq,a\n")
    pq.write_table(pa.table({"answer": ["a"]}), tmp_path / "log.parquet")

    assert "looks like csv, and answers.source is 'jsonl': set" in _failed(tmp_path / "log.csv", source="jsonl")
    assert "looks like parquet, and answers.source is 'csv': set" in _failed(tmp_path / "log.parquet", source="csv")


def test_a_pattern_that_misses_the_log_says_what_lies_there(tmp_path):
    """The usual slip is another ending."""
    (tmp_path / "logs").mkdir()
    empty = _failed(tmp_path / "logs" / "*.jsonl*")
    for name in ("a.csv", "b.csv", "c.csv", "d.csv"):
        (tmp_path / "logs" / name).write_text("x")

    assert "(logs/ holds nothing)" in empty
    assert "(logs/ holds 'a.csv', 'b.csv', 'c.csv', ...)" in _failed(tmp_path / "logs" / "*.jsonl*")
    assert "holds" not in _failed(tmp_path / "nowhere" / "*.jsonl")
    assert "holds" not in _failed(tmp_path / "*" / "none.jsonl")


def test_lines_that_were_set_aside_are_told_without_doubting_path_and_window(tmp_path):
    """The reason is known; the path was right."""
    (tmp_path / "log.jsonl").write_text('{"answer": 1, "sources": [{"docno": 1}]}\n')

    assert "check answers.path" not in _failed(tmp_path / "log.jsonl")
