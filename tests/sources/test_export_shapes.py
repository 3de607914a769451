"""Exports of other tools come out as plain records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from goldassay.errors import ConfigError
from goldassay.sources import AnswersConfig, EmptyInputError, read_answers
from goldassay.sources.reader import read_items
from goldassay.sources.rows import RawRow
from goldassay.sources.shapes import SHAPES
from goldassay.sources.shapes.spans import documents_of, spans_in

DOCS = [{"page_content": "Open 9 to 17.", "metadata": {"title": "Hours"}}]
SHAPED: dict[str, Any] = {
    "langfuse": {
        "id": "r1",
        "timestamp": "2026-09-01T09:00:00Z",
        "input": {"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "When?"}]},
        "output": {"role": "assistant", "content": "9 to 17 [1]."},
        "metadata": {"contexts": ["Open 9 to 17."]},
        "release": "2.3.0",
        "version": None,
    },
    "ragas": {"id": "r1", "user_input": "When?", "response": "9 to 17 [1].", "retrieved_contexts": ["Open 9 to 17."]},
    "deepeval": {"id": "r1", "input": "When?", "actual_output": "9 to 17 [1].", "retrieval_context": ["Open 9 to 17."]},
    "trulens": {"record_id": "r1", "input": "When?", "output": "9 to 17 [1].", "contexts": ["Open 9 to 17."]},
    "mlflow": {
        "request_id": "r1",
        "request": {"messages": [{"role": "user", "content": "When?"}]},
        "response": {"choices": [{"message": {"role": "assistant", "content": "9 to 17 [1]."}}]},
        "retrieved_context": [{"doc_uri": "x", "content": "Open 9 to 17."}],
    },
    "promptflow": {"id": "r1", "query": "When?", "response": "9 to 17 [1].", "context": "Open 9 to 17."},
    "azure": {"id": "r1", "query": "When?", "response": "9 to 17 [1].", "context": "Open 9 to 17."},
    "promptfoo": {
        "id": "r1",
        "vars": {"query": "When?", "context": ["Open 9 to 17."]},
        "response": {"output": "9 to 17 [1]."},
        "provider": {"id": "openai:x"},
    },
    "langchain": {"id": "r1", "input": "When?", "answer": "9 to 17 [1].", "context": DOCS},
    "llamaindex": {
        "id": "r1",
        "query": "When?",
        "response": "9 to 17 [1].",
        "source_nodes": [{"node": {"id_": "n", "text": "Open 9 to 17."}, "score": 0.4}],
    },
    "haystack": {
        "id": "r1",
        "query": "When?",
        "answers": [{"data": "9 to 17 [1]."}],
        "documents": [{"id": "1", "content": "Open 9 to 17."}],
    },
    "braintrust": {
        "id": "r1",
        "input": {"question": "When?"},
        "output": {"answer": "9 to 17 [1].", "documents": DOCS},
        "created": "2026-09-01T09:00:00Z",
    },
    "opik": {
        "id": "r1",
        "input": {"question": "When?"},
        "output": {"output": "9 to 17 [1].", "context": ["Open 9 to 17."]},
        "start_time": "2026-09-01T09:00:00Z",
    },
    "openai": {
        "id": "r1",
        "request": {"messages": [{"role": "user", "content": [{"type": "text", "text": "When?"}]}], "model": "m"},
        "response": {
            "choices": [{"message": {"role": "assistant", "content": "9 to 17 [1]."}}],
            "created": 1_788_264_000,
        },
        "sources": ["Open 9 to 17."],
    },
    "bedrock": {
        "id": "r1",
        "conversationTurns": [
            {
                "prompt": {"content": [{"text": "When?"}]},
                "output": {
                    "text": "9 to 17 [1].",
                    "retrievedPassages": {"retrievalResults": [{"content": {"text": "Open 9 to 17."}}]},
                },
            }
        ],
    },
    "langsmith": [
        {
            "id": "r1",
            "trace_id": "r1",
            "run_type": "chain",
            "inputs": {"question": "When?"},
            "outputs": {"answer": "9 to 17 [1]."},
            "start_time": "2026-09-01T09:00:00",
        },
        {
            "id": "r2",
            "trace_id": "r1",
            "parent_run_id": "r1",
            "run_type": "retriever",
            "inputs": {"query": "When?"},
            "outputs": {"documents": DOCS},
            "start_time": "2026-09-01T09:00:01",
        },
    ],
    "opentelemetry": {
        "resourceSpans": [
            {
                "resource": {"attributes": [{"key": "service.version", "value": {"stringValue": "1.10"}}]},
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "traceId": "r1",
                                "spanId": "s1",
                                "name": "chat",
                                "startTimeUnixNano": "1788264000000000000",
                                "attributes": [
                                    {
                                        "key": "gen_ai.input.messages",
                                        "value": {"stringValue": '[{"role": "user", "content": "When?"}]'},
                                    },
                                    {
                                        "key": "gen_ai.output.messages",
                                        "value": {"stringValue": '[{"role": "assistant", "content": "9 to 17 [1]."}]'},
                                    },
                                    {"key": "gen_ai.request.model", "value": {"stringValue": "m"}},
                                ],
                            },
                            {
                                "traceId": "r1",
                                "spanId": "s2",
                                "parentSpanId": "s1",
                                "startTimeUnixNano": "1788264000000000001",
                                "attributes": [
                                    {
                                        "key": "retrieval.documents.0.document.content",
                                        "value": {"stringValue": "Open 9 to 17."},
                                    }
                                ],
                            },
                        ]
                    }
                ],
            }
        ]
    },
}
SHAPED["otlp"] = SHAPED["opentelemetry"]
PHOENIX = [
    {
        "name": "query",
        "context": {"trace_id": "r1", "span_id": "s1"},
        "parent_id": None,
        "span_kind": "CHAIN",
        "start_time": "2026-09-01T09:00:00Z",
        "attributes": {"input": {"value": "When?"}, "output": {"value": "9 to 17 [1]."}},
    },
    {
        "name": "rerank",
        "context": {"trace_id": "r1", "span_id": "s3"},
        "parent_id": "s1",
        "span_kind": "RERANKER",
        "start_time": "2026-09-01T09:00:02Z",
        "attributes": {"reranker": {"output_documents": [{"document": {"id": "x", "content": "Open 9 to 17."}}]}},
    },
    {
        "name": "retrieve",
        "context": {"trace_id": "r1", "span_id": "s2"},
        "parent_id": "s1",
        "span_kind": "RETRIEVER",
        "start_time": "2026-09-01T09:00:01Z",
        "attributes": {"retrieval": {"documents": [{"document": {"id": n, "content": "no"}} for n in "abc"]}},
    },
]
SHAPED["phoenix"] = PHOENIX
SHAPED["openinference"] = PHOENIX


def _read(tmp_path, rows, **more):
    rows = rows if isinstance(rows, list) else [rows]
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    batches = list(read_answers(AnswersConfig(path=str(tmp_path / "log.jsonl"), **more)))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected]


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_every_shape_gives_question_answer_and_what_the_model_saw(tmp_path, shape):
    """Each tool says the same thing in its own way."""
    (record,), rejected = _read(tmp_path, SHAPED[shape], mapping=shape)

    assert rejected == []
    assert (record.record_id, record.question, record.answer) == ("r1", "When?", "9 to 17 [1].")
    assert [source.text for source in record.sources] == ["Open 9 to 17."]


def test_a_shape_may_be_corrected_by_paths(tmp_path):
    """The paths of the settings go before those of the shape, and see the tool's own columns."""
    row = {"id": "r1", "user_input": "When?", "response": "9 to 17.", "meta": {"v": 1.10}, "lang": {"odd": 1}}

    (record,), _ = _read(tmp_path, row, mapping={"shape": "ragas", "app_version": "meta.v"}, defaults={"app": "x"})

    assert (record.answer, record.app_version, record.app, record.lang) == ("9 to 17.", "1.1", "x", None)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_numbers_of_an_export_stay_as_they_were_written(tmp_path, ending):
    """Also inside a cell that holds JSON: 1.10 is another version than 1.1."""
    cell = '"{""v"": 1.10}"'
    text = {
        "jsonl": '{"id": "r1", "user_input": "When?", "response": "9 to 17.", "meta": {"v": 1.10}}',
        "csv": f"id,user_input,response,meta\nr1,When?,9 to 17.,{cell}\n",
    }
    (tmp_path / f"log.{ending}").write_text(text[ending])
    config = AnswersConfig(path=[f"log.{ending}"], mapping={"shape": ["ragas"], "app_version": ["meta.v"]})

    (batch,) = read_answers(config, base_dir=tmp_path)

    assert [record.app_version for record in batch.records] == ["1.10"]


def test_an_unknown_shape_is_refused_with_the_nearest_name(tmp_path):
    """Langfuze is not langfuse."""
    with pytest.raises(ConfigError, match="did you mean 'langfuse'"):
        _read(tmp_path, SHAPED["langfuse"], mapping="langfuze")


def test_a_trace_without_an_answer_is_set_aside(tmp_path):
    """With its id."""
    with pytest.raises(EmptyInputError, match="trace 'r1' has no span with an answer"):
        _read(tmp_path, PHOENIX[1:], mapping="phoenix")


@pytest.mark.parametrize(
    "span",
    [
        {"name": "no ids"},
        {"trace_id": "t", "span_id": "s", "start_time": "yesterday"},
        {"trace_id": "t", "span_id": "s", "startTimeUnixNano": {"low": 1}},
        {"resourceSpans": 5},
    ],
)
def test_a_span_that_cannot_be_read_is_set_aside(tmp_path, span):
    """Its time never becomes 1970."""
    records, (rejected,) = _read(tmp_path, [*PHOENIX, span], mapping="phoenix")

    assert len(records) == 1
    assert rejected.line == 4
    assert rejected.reason.startswith("span: ")


def test_nested_values_of_otlp_are_unpacked():
    """Arrays and maps become numbered and dotted keys."""
    value = {
        "arrayValue": {
            "values": [
                {"kvlistValue": {"values": [{"key": "document.content", "value": {"stringValue": text}}]}}
                for text in "ABCDEFGHIJKL"
            ]
        }
    }
    row = {"traceId": "t", "spanId": "s", "attributes": [{"key": "retrieval.documents", "value": value}]}

    (span,) = spans_in(row)

    assert [document["content"] for document in documents_of(span.attributes)] == list("ABCDEFGHIJKL")


@pytest.mark.parametrize("shape", ["phoenix", "langfuse", "langsmith"])
def test_odd_numbers_and_texts_survive_the_wait(tmp_path, shape):
    """Numbers beyond 64 bits and half a surrogate pair."""
    odd = '"odd": 123456789012345678901234, "cut": "\\ud83d", '
    rows = SHAPED[shape] if isinstance(SHAPED[shape], list) else [SHAPED[shape]]
    lines = ["{" + odd + json.dumps(row | {"extra": {"n": 1.50}})[1:] for row in rows]
    (tmp_path / "log.jsonl").write_text("\n".join(lines))

    (batch,) = read_answers(AnswersConfig(path=str(tmp_path / "log.jsonl"), mapping=shape))

    assert [record.record_id for record in batch.records] == ["r1"]


def test_spans_of_a_trace_may_lie_far_apart(tmp_path):
    """In whatever order and file."""
    spans = [
        {
            "trace_id": f"t{number}",
            "span_id": "s",
            "start_time": f"2026-09-01T09:{number % 60:02d}:00Z",
            "attributes": {"input": {"value": "Q"}, "output": {"value": "A"}},
        }
        for number in range(200)
    ]
    documents = [
        {
            "trace_id": f"t{number}",
            "span_id": "d",
            "parent_id": "s",
            "attributes": {"retrieval": {"documents": [{"document": {"content": str(number)}}]}},
        }
        for number in range(200)
    ]

    records, _ = _read(tmp_path, documents[::-1] + spans, mapping="openinference")

    assert {record.record_id: record.sources[0].text for record in records} == {f"t{n}": str(n) for n in range(200)}


def test_langfuse_observations_are_joined_to_their_trace(tmp_path):
    """What the retriever found is what the model saw."""
    rows = [
        {"id": "o1", "trace_id": "r1", "type": "RETRIEVER", "name": "r", "output": [{"page_content": "Open 9 to 17."}]},
        {"id": "o2", "trace_id": "r1", "type": "GENERATION", "name": "g", "provided_model_name": "m", "output": "x"},
        {"id": "r1", "timestamp": "2026-09-01 09:00:00.000000", "input": "When?", "output": "9 to 17 [1]."},
    ]

    (record,), rejected = _read(tmp_path, rows, mapping="langfuse")

    assert rejected == []
    assert (record.record_id, record.answer, record.model) == ("r1", "9 to 17 [1].", "m")
    assert [source.text for source in record.sources] == ["Open 9 to 17."]


def test_langfuse_observations_alone_are_enough(tmp_path):
    """The one without a parent stands for the trace."""
    rows = [
        {
            "id": "o2",
            "trace_id": "r1",
            "type": "SPAN",
            "name": "retrieval",
            "parent_observation_id": "o1",
            "output": ["A"],
        },
        {"id": "o1", "trace_id": "r1", "type": "CHAIN", "input": {"query": "When?"}, "output": {"answer": "9 to 17."}},
    ]

    (record,), _ = _read(tmp_path, rows, mapping="langfuse")

    assert (record.record_id, record.question, record.answer) == ("r1", "When?", "9 to 17.")
    assert [source.text for source in record.sources] == ["A"]


def test_pages_and_reports_are_opened(tmp_path):
    """Rows may lie under a key of the document."""
    (tmp_path / "page.json").write_text(json.dumps({"data": [SHAPED["langfuse"]], "meta": {"page": 1}}, indent=1))
    (tmp_path / "report.json").write_text(json.dumps({"version": 3, "results": {"results": [SHAPED["promptfoo"]]}}))

    for name, shape in (("page.json", "langfuse"), ("report.json", "promptfoo")):
        (batch,) = read_answers(AnswersConfig(path=str(tmp_path / name), mapping=shape))
        assert [record.record_id for record in batch.records] == ["r1"]


def test_runs_nested_in_their_parent_are_found(tmp_path):
    """The older form of LangSmith runs."""
    root, retriever = SHAPED["langsmith"]
    nested = root | {"child_runs": [{key: retriever[key] for key in ("id", "run_type", "outputs", "start_time")}]}

    (record,), _ = _read(tmp_path, nested, mapping="langsmith")

    assert [source.text for source in record.sources] == ["Open 9 to 17."]


def test_an_mlflow_trace_is_read_from_its_spans(tmp_path):
    """Attributes hold JSON text."""
    trace = {
        "info": {"trace_id": "r1", "request_time": "2026-09-01T09:00:00Z"},
        "data": {
            "spans": [
                {
                    "span_id": "a",
                    "parent_id": None,
                    "start_time_unix_nano": 1788264000000000000,
                    "attributes": {
                        "mlflow.spanType": '"CHAIN"',
                        "mlflow.spanInputs": '{"question": "When?"}',
                        "mlflow.spanOutputs": '"9 to 17 [1]."',
                    },
                },
                {
                    "span_id": "b",
                    "parent_id": "a",
                    "start_time_unix_nano": 1788264000000000001,
                    "attributes": {
                        "mlflow.spanType": '"RETRIEVER"',
                        "mlflow.spanOutputs": '[{"page_content": "Open 9 to 17.", "metadata": {"doc_uri": "x"}}]',
                    },
                },
            ]
        },
    }

    (record,), rejected = _read(tmp_path, trace, mapping="mlflow")

    assert rejected == []
    assert (record.record_id, record.question, record.answer) == ("r1", "When?", "9 to 17 [1].")
    assert [source.text for source in record.sources] == ["Open 9 to 17."]


def test_an_answer_that_is_json_in_a_table_is_its_text(tmp_path):
    """Only objects of a known form are opened."""
    (tmp_path / "log.csv").write_text('id,input,output\na,"{""question"": ""Q""}","{""port"": 8080}"\n')

    (batch,) = read_answers(AnswersConfig(path=str(tmp_path / "log.csv"), mapping="langfuse"))

    assert batch.records[0].answer == '{"port": 8080}'


DEEP = '{"document": ' * 1000 + '{"text": "x"}' + "}" * 1000
HOSTILE = {
    "a child that is no run": '{"id": "x", "child_runs": ["none"]}',
    "half of a pair in an id": '{"id": "\\ud83d", "trace_id": "\\ud83d", "span_id": "s", "output": "x"}',
    "a thousand passages in each other": f'{{"id": "x", "trace_id": "x", "span_id": "s", "contexts": [{DEEP}]}}',
    "runs in each other": '{"id": "x", "child_runs": [' * 480 + '{"id": "y"}' + "]}" * 480,
    "spans that are none": '{"resourceSpans": [{"scopeSpans": [{"spans": ["none", {"traceId": "t"}]}]}]}',
    "a list of everything": '{"id": "x", "input": [[], {}, null, 1.5], "output": [{"role": []}], "metadata": [1]}',
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("shape", sorted(SHAPED))
def test_one_odd_row_is_that_rows_trouble_in_every_shape(tmp_path, shape, line):
    """Whatever an export holds: the rows behind it are read."""
    rows = SHAPED[shape] if isinstance(SHAPED[shape], list) else [SHAPED[shape]]
    text = "\n".join([line, *map(json.dumps, rows)])
    (tmp_path / "log.jsonl").write_text(text, encoding="utf-8")

    items = list(read_items(AnswersConfig(path="log.jsonl", mapping=shape), base_dir=tmp_path))

    answers = [item.data.get("answer") for item in items if isinstance(item, RawRow) and item.line > 1]
    assert "9 to 17 [1]." in answers
