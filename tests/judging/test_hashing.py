"""The request hash: changes with all that shapes a verdict, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging import JudgeItem, build_calls, load_rubric
from goldassay.judging.hashing import request_hash
from goldassay.records import AnswerRecord, GoldenQuestion, Source

RUBRIC = load_rubric("rag")
RECORD = AnswerRecord(record_id="r1", question="Fee?", answer="12 euros.", sources=(Source(id="D1", text="12 euros"),))
GOLDEN = GoldenQuestion(question_id="q1", question="Fee?", reference="12 euros a month")
CALL = build_calls(JudgeItem(RECORD, GOLDEN), RUBRIC)[0]
PARAMS = {"temperature": 0.0, "max_tokens": 400, "seed": None}


def hash_of(call=CALL, rubric=RUBRIC, provider="openai", model="judge-x", params=None):
    """The hash of the usual call, one thing changed."""
    return request_hash(call, rubric, provider, model, PARAMS if params is None else params)


def test_the_hash_is_stable():
    """The same record gives the same hash, in any process: verdicts of earlier runs are found by it."""
    again = build_calls(JudgeItem(RECORD, GOLDEN), load_rubric("rag"))[0]

    assert hash_of() == hash_of(again)
    assert len(hash_of()) == 64


@pytest.mark.parametrize(
    "changed",
    [
        {"call": replace(CALL, system=CALL.system + " ")},
        {"call": replace(CALL, user_prefix=CALL.user_prefix + " ")},
        {"call": replace(CALL, user_suffix=CALL.user_suffix + " ")},
        {"call": replace(CALL, response_schema={**CALL.response_schema, "title": "x"})},
        {"call": build_calls(JudgeItem(RECORD, GOLDEN), RUBRIC)[1]},
        {"rubric": RUBRIC.model_copy(update={"name": "other"})},
        {"rubric": RUBRIC.model_copy(update={"version": "2"})},
        {"rubric": RUBRIC.model_copy(update={"calls": "together"})},
        {"rubric": RUBRIC.model_copy(update={"reply": "claims"})},
        {"rubric": RUBRIC.with_pass_marks(5)},
        {"provider": "anthropic"},
        {"model": "judge-y"},
        {"params": {**PARAMS, "temperature": 0.1}},
        {"params": {**PARAMS, "max_tokens": 401}},
        {"params": {**PARAMS, "seed": 1}},
        {"params": {}},
    ],
    ids="-".join,
)
def test_any_change_of_what_shapes_the_verdict_changes_it(changed):
    """Prompt, schema, rubric, marks, provider, model, parameters."""
    assert hash_of(**changed) != hash_of()


@given(
    st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=5), max_size=6)
)
def test_the_order_of_keys_does_not_matter(params):
    """Settings come from files and environment in any order."""
    backwards = dict(reversed(params.items()))

    assert hash_of(params=params) == hash_of(params=backwards)


@given(text=st.text(max_size=40), place=st.sampled_from(["question", "answer", "source", "title", "id"]))
def test_any_other_record_has_another_hash(text, place):
    """Every sign of the record counts, wherever it stands."""
    source = {"id": "D1", "text": "12 euros", "title": None}
    fields = {"record_id": "r1", "question": "Fee?", "answer": "12 euros."}
    if place in fields:
        same = fields[place] == text
        fields[place] = text
    else:
        key = "text" if place == "source" else place
        same = source[key] == text or (key == "title" and not text)
        source[key] = text
    calls = build_calls(JudgeItem(AnswerRecord(**fields, sources=(Source(**source),)), GOLDEN), RUBRIC)

    assert not calls or calls[0].criteria != ("faithful",) or same or hash_of(calls[0]) != hash_of()


def test_what_does_not_shape_the_verdict_is_left_out():
    """Another id, version or time of the same record is judged the same: a stored verdict is reused."""
    later = RECORD.model_copy(update={"record_id": "r2", "app_version": "2", "tags": {"x": "y"}})

    call = build_calls(JudgeItem(later, GOLDEN, weight=3.0, flags=("canary",)), RUBRIC)[0]

    assert hash_of(call) == hash_of()
