"""Exports of tracing and evaluation tools in the less lucky forms: failed calls, messages, inner spans."""

from __future__ import annotations

import json

import pytest

from goldassay.sources import AnswersConfig, read_answers


def _read(folder, shape, *rows):
    (folder / "log.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    batches = list(read_answers(AnswersConfig(path="log.jsonl", mapping=shape), base_dir=folder))
    assert not [r for b in batches for r in b.rejected]
    return [r for b in batches for r in b.records]


def _otlp(attributes, **more):
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    span = {"traceId": "t1", "spanId": "s1", "name": "chat", "startTimeUnixNano": "0", "attributes": pairs}
    return {"resourceSpans": [{"resource": None, "scopeSpans": [{"spans": [span | more]}]}]}


ASKED = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Fee?"}]
PARTS = [{"role": "user", "parts": [{"type": "text", "content": "Fee?"}]}]
SAID = [{"role": "assistant", "parts": [{"type": "text", "content": "10."}], "finish_reason": "stop"}]


@pytest.mark.parametrize(
    ("shape", "row"),
    [
        ("langfuse", {"id": "t1", "input": {"args": ["Fee?", "user-1"], "kwargs": {}}, "output": "10."}),
        ("langfuse", {"id": "t1", "input": {"args": [], "kwargs": {"question": "Fee?"}}, "output": {"answer": "10."}}),
        ("langfuse", {"id": "t1", "input": ASKED, "output": {"role": "assistant", "content": "10."}}),
        ("langfuse", {"id": "t1", "input": [["human", "Fee?"]], "output": [["ai", "10."]]}),
        ("otlp", _otlp({"gen_ai.input.messages": json.dumps(PARTS), "gen_ai.output.messages": json.dumps(SAID)})),
        (
            "otlp",
            _otlp(
                {
                    "gen_ai.prompt.0.role": "system",
                    "gen_ai.prompt.0.content": "Be kind.",
                    "gen_ai.prompt.1.role": "user",
                    "gen_ai.prompt.1.content": "Fee?",
                    "gen_ai.completion.0.role": "assistant",
                    "gen_ai.completion.0.content": "10.",
                }
            ),
        ),
        (
            "otlp",
            _otlp(
                {
                    "traceloop.entity.input": json.dumps({"inputs": {"question": "Fee?"}}),
                    "traceloop.entity.output": json.dumps({"outputs": {"answer": "10."}}),
                }
            ),
        ),
        ("ragas", {"user_input": [{"type": "human", "content": "Fee?"}, {"type": "ai", "content": "10."}]}),
        (
            "deepeval",
            {
                "conversationalTestCases": [
                    {"turns": [{"role": "user", "content": "Fee?"}, {"role": "assistant", "content": "10."}]}
                ]
            },
        ),
    ],
)
def test_question_and_answer_are_found_among_messages(tmp_path, shape, row):
    """Arguments of traced functions, chat messages in parts, numbered attributes, whole conversations."""
    (record,) = _read(tmp_path, shape, row)

    assert (record.question, record.answer) == ("Fee?", "10.")
    assert record.sources == ()


def test_what_was_asked_is_no_passage(tmp_path):
    """Chat messages have a content as passages do: the prompt would have been what the answer is graded against."""
    (record,) = _read(tmp_path, "langfuse", {"id": "t1", "input": ASKED, "output": "10."})

    assert record.sources == ()


@pytest.mark.parametrize(
    ("shape", "row"),
    [
        ("promptfoo", {"id": "r", "vars": {"question": "Fee?", "context": "t"}, "error": "429", "success": False}),
        ("ragas", {"user_input": "Fee?", "response": float("nan"), "retrieved_contexts": ["t"]}),
        ("openai", {"custom_id": "q-8", "response": {"status_code": 429, "body": {"error": {"message": "limit"}}}}),
        ("langfuse", {"id": "t1", "input": "Fee?", "output": None}),
    ],
)
def test_a_failed_call_is_a_failed_answer(tmp_path, shape, row):
    """Lines set aside would leave the denominator, and the rate would rise as the assistant breaks."""
    (record,) = _read(tmp_path, shape, row)

    assert record.answer == ""


def test_a_batch_is_known_by_the_ids_the_operator_gave(tmp_path):
    """The batch's own ids are new in every run: nothing could be compared by them."""
    body = {"id": "chatcmpl", "choices": [{"message": {"role": "assistant", "content": "10."}}]}

    (record,) = _read(tmp_path, "openai", {"id": "batch_req_1", "custom_id": "q-7", "response": {"body": body}})

    assert record.record_id == "q-7"


def test_steps_below_an_answer_are_no_answers(tmp_path):
    """A log of spans holds every step as a row."""
    root = {"id": "b", "span_id": "s", "root_span_id": "s", "is_root": True, "input": "Fee?", "output": "10."}
    step = {"id": "c", "span_id": "s2", "span_parents": ["s"], "is_root": False, "input": "x", "output": "y"}

    records = _read(tmp_path, "braintrust", root, step)

    assert [record.record_id for record in records] == ["b"]


def test_earlier_turns_are_kept_with_their_roles(tmp_path):
    """The last answer is graded in the light of what was said before."""
    said = [("human", "Hi"), ("ai", "Hello"), ("human", "Fee?"), ("ai", "10.")]
    turns = [{"type": role, "content": text} for role, text in said]

    (record,) = _read(tmp_path, "ragas", {"user_input": turns})

    assert [(turn.role, turn.text) for turn in record.turns] == [("human", "Hi"), ("ai", "Hello")]


def test_passages_printed_into_a_table_of_spans_are_read(tmp_path):
    """Data frames print the list of documents; the retriever's find would be lost."""
    head = "context.span_id,context.trace_id,parent_id,span_kind,attributes.input.value,attributes.output.value,"
    rows = "s1,t1,,CHAIN,Fee?,10.,\ns2,t1,s1,RETRIEVER,Fee?,,\"[{'document.content': 'It is 10.'}]\"\n"
    (tmp_path / "spans.csv").write_text(f"{head}attributes.retrieval.documents\n{rows}", encoding="utf-8")

    (batch,) = read_answers(AnswersConfig(path="spans.csv", mapping="phoenix"), base_dir=tmp_path)

    assert [source.text for source in batch.records[0].sources] == ["It is 10."]


@pytest.mark.parametrize("version", [2, "1.10"])
def test_a_version_may_be_a_number(tmp_path, version):
    """Metadata are whatever the operator wrote."""
    run = {"id": "r1", "run_type": "chain", "inputs": {"q": "Fee?"}, "outputs": {"answer": "10."}}

    (record,) = _read(tmp_path, "langsmith", run | {"extra": {"metadata": {"app_version": version}}})

    assert record.app_version == str(version)
