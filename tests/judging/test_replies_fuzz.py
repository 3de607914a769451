"""Whatever a judge writes, the reader comes to an end without an exception, and noise is never a pass."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging import load_rubric, parse_reply
from goldassay.judging.parsing import read_reply
from goldassay.judging.reply_contract import Contract, FieldSpec
from goldassay.verdicts import Outcome

RAG = load_rubric("rag")
CONTRACTS = (
    Contract(
        format="json_object",
        fields={"score": FieldSpec("number", 1, 5), "pass": FieldSpec("boolean"), "reason": FieldSpec("string")},
        required=("score", "pass"),
        pass_rule="score >= 4",
    ),
    Contract(format="json_array", item_fields={"id": FieldSpec("string"), "passed": FieldSpec("boolean")}),
    Contract(format="tool_call", fields={"score": FieldSpec("integer", 0, 10)}, required=("score",)),
    Contract(format="choice", values=("Yes", "No"), pass_value=("Yes",)),
    Contract(format="choice", values=("Yes", "No"), pass_value=("Yes",), position="start"),
    Contract(format="labelled_line", label="GRADE", values=("C", "I"), pass_value=("C",)),
    Contract(format="labelled_line", label="Score", fields={"score": FieldSpec("integer", 1, 5)}, required=("score",)),
    Contract(format="tag", label="answer", values=("supported",), pass_value=("supported",)),
    Contract(format="regex", pattern=r"\[\[(\d+)\]\]", fields={"score": FieldSpec("integer", 1, 5)}),
)
PIECES = st.sampled_from(
    [
        *('{"score": 5, "pass": true}', '{"score": 1', '"pass": true', '"score"', '"SCORE": 5', "Score: 4", "GRADE: C"),
        *(
            '{"',
            "{'",
            "}",
            "]",
            "[{",
            ",",
            ":",
            '"',
            "'",
            "\\",
            "\\u",
            "\ud800",
            "\x00",
            "\u200b",
            "\n",
            " ",
            "5",
            "4/5",
        ),
        *("```json", "```", "<think>", "</think>", "<|channel|>final<|message|>", "<answer>", "</answer>", "supported"),
        *("//", "/*", "*/", "#", "NaN", "1e999", "True", "null", "Yes", "No", "[[5]]", "\uff14"),
    ]
)
NOISE = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))
SCORES = st.integers(1, 5)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.format)
@given(text=NOISE)
def test_no_reply_raises(contract, text):
    """Accepted with what was asked for, or an error without a score; never both, never neither."""
    reading = read_reply(text, contract, evaluated=(text[:50],))

    if reading.accepted:
        assert all(name in reading.values for name in contract.required)
        assert reading.score is None or -100 <= reading.score <= 100
    else:
        assert reading.passed is None
        assert reading.score is None
        assert not reading.values


@given(
    text=st.text(alphabet=st.characters(exclude_characters="{"), max_size=300), finish=st.none() | st.text(max_size=10)
)
def test_text_without_an_object_is_never_a_verdict(text, finish):
    """Digits, 'pass' and 'true' in prose do not make a grade."""
    parsed = parse_reply(text, RAG, finish_reason=finish)

    assert parsed.outcome is Outcome.ERROR
    assert parsed.scores == {}


@given(score=SCORES, reason=st.text(max_size=60), cut=st.integers(0, 200))
def test_a_cut_verdict_is_never_read(score, reason, cut):
    """At whatever sign it breaks off, a part of a verdict is no verdict."""
    whole = json.dumps({"reason": reason, "score": score, "category": "none"})
    part = whole[: cut % len(whole)]

    assert parse_reply(part, RAG).outcome is Outcome.ERROR
    assert parse_reply(whole, RAG).scores == {"faithful": score}


@given(first=SCORES, second=SCORES, between=st.text(alphabet=string.ascii_letters + " \n.,", max_size=30))
def test_two_verdicts_that_differ_are_never_one(first, second, between):
    """Neither the first nor the last wins."""
    parsed = parse_reply(f'{{"score": {first}}}{between}{{"score": {second}}}', RAG)

    if first == second:
        assert parsed.scores == {"faithful": first}
    else:
        assert parsed.error_kind == "ambiguous"


@given(
    values=st.dictionaries(
        st.sampled_from(["score", "reason", "category", "Score", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=6,
        ),
    )
)
def test_a_score_is_taken_as_it_stands_or_not_at_all(values):
    """No clamping, no rescaling, no truth of things that are not true."""
    parsed = parse_reply(json.dumps(values), RAG)

    if parsed.outcome is not Outcome.ERROR:
        given_score = values.get("score", values.get("Score"))
        assert not isinstance(given_score, bool)
        assert parsed.score == (float(given_score) if not isinstance(given_score, str) else parsed.score)
        assert parsed.score in {1, 2, 3, 4, 5}


@given(reason=st.text(max_size=80), score=SCORES)
def test_the_reason_of_valid_json_is_kept_to_the_letter(reason, score):
    """Whatever it looks like: fences, braces, thinking tags."""
    parsed = parse_reply(json.dumps({"reason": reason, "score": score}, ensure_ascii=False), RAG)

    assert parsed.reasons == {"faithful": reason}
    assert parsed.repairs == ()


LONG_PIECES = [
    *('{"', "{'", '{"a', "{'a': ", '{"a":', "{'a':'", '"', "'", "\\", "[{", "{}", "{#", "{/*", "/*", "//", "[[5", "1"),
    *("<think>", "</think>", "```", "```json\n{", "<|channel|>x<|message|>", "<answer>", "Yes ", "GRADE: ", "\n"),
    *("<details ", '\n<details type="reasoning">', "</details>", "} ", "{}]", '{"a": 1}\n', "data: {}\n\n"),
    *('{"score": 5} ', '{"score": 5}} ', '{"score": 5}}```'),
]


@pytest.mark.parametrize("piece", LONG_PIECES)
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.format)
def test_a_long_reply_takes_time_in_proportion_only(contract, piece):
    """Read again and again from each sign on, a reply of this length would not end."""
    reading = read_reply(piece * (100_000 // len(piece)), contract)

    assert reading.passed is not True or "5" in piece or piece in {"Yes ", "GRADE: "}
