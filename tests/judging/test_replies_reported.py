"""Replies as small and reasoning judges write them, from public reports: thinking, odd blanks, double encoding."""

from __future__ import annotations

import pytest

from goldassay.judging.parsing import read_reply
from goldassay.judging.reply_contract import Contract, FieldSpec

GRADE = Contract(
    format="json_object",
    fields={"reason": FieldSpec("remark"), "score": FieldSpec("integer", 1, 5)},
    required=("score",),
    pass_rule="score >= 4",
)
UNDERSCORES = Contract(
    format="json_object",
    fields={"overall_score": FieldSpec("integer", 1, 5), "label": FieldSpec("enum", values=("fits", "not_supported"))},
    required=("overall_score", "label"),
)
LINE = Contract(
    format="labelled_line", label="Score", fields={"score": FieldSpec("integer", 1, 5)}, required=("score",)
)
DRAFT = 'maybe {"reason": "looks fine", "score": 5}'
GOOD = '{"reason": "one slip", "score": 2}'


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<think>", "</think>"),
        ("<THINK>", "</THINK>"),
        ('<think time="3s">', "</think>"),
        ("<think>", "</thinking>"),
        ("<seed:think>", "</seed:think>"),
        ("<longcat_think>", "</longcat_think>"),
        ("<think_fast>", "</think_fast>"),
        ("<thoughts>", "</thoughts>"),
        ("<reflection>", "</reflection>"),
        ("<analysis>", "</analysis>"),
        ("<scratchpad>", "</scratchpad >"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|inner_prefix|>", "<|inner_suffix|>"),
        ("<|channel>thought\n", "<channel|>"),
        (
            "<|channel|>analysis<|message|>",
            "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
        ),
    ],
)
def test_a_draft_in_thinking_is_no_verdict(opening: str, closing: str) -> None:
    """The answer behind it counts; where the thinking never ends there is none."""
    reading = read_reply(f"{opening}{DRAFT}{closing}{GOOD}", GRADE)
    cut = read_reply(f"{opening}{DRAFT}", GRADE)

    assert (reading.score, reading.passed, reading.repairs) == (2, False, ("reasoning_removed",))
    assert (cut.error_kind, cut.score) == ("no_final_answer", None)


@pytest.mark.parametrize(
    ("reply", "repairs"),
    [
        ('{"reason":\u00a0"one slip",\u3000"score":\u202f2}', ("odd_blanks",)),
        ('{"reason": "one slip",\u200b"score": 2\ufeff}', ("odd_blanks",)),
        ('"{\\"reason\\": \\"one slip\\", \\"score\\": 2}"', ("unwrapped:string",)),
        ('{"score": "2.0/5.0"}', ("fraction_to_number",)),
        (f"[TOOL_CALLS]grade[ARGS]{GOOD}", ("surrounding_text_ignored",)),
        (f"<function=grade>{GOOD}</function>", ("surrounding_text_ignored",)),
        (f"grade({GOOD})", ("surrounding_text_ignored",)),
        (f"{GOOD}<|im_end|>", ("surrounding_text_ignored",)),
        (
            f'<|python_tag|>{{"name": "grade", "parameters": {GOOD}}}',
            ("surrounding_text_ignored", "unwrapped:parameters"),
        ),
        (f'{{"type": "object", "properties": {GOOD}}}', ("unwrapped:properties",)),
        ('{"properties": {"score": {"type": "integer"}}}\n' + GOOD, ("surrounding_text_ignored",)),
        ('Form: {"reason": "...", "score": <int>}\n\n' + GOOD, ("surrounding_text_ignored",)),
    ],
)
def test_a_form_that_leaves_no_doubt_is_read(reply: str, repairs: tuple[str, ...]) -> None:
    """The same verdict each time."""
    reading = read_reply(reply, GRADE)

    assert (reading.error_kind, reading.score) == (None, 2)
    assert set(reading.repairs) == set(repairs)


def test_an_underscore_that_markdown_escapes_is_an_underscore() -> None:
    """In the name of a field, in a label and in text; no JSON knows that escape."""
    reading = read_reply('{"overall\\_score": 4, "label": "not\\_supported"}', UNDERSCORES)

    assert reading.values == {"overall_score": 4, "label": "not_supported"}
    assert reading.repairs == ("bad_escape",)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ('"{\\"score\\": 2"', "not_json"),
        ('"{\\"score\\": 2} {\\"score\\": 5}"', "not_json"),
        ('"\\"{\\\\\\"score\\\\\\": 2}\\""', "not_json"),
        ("{\u201cscore\u201d: 2}", "not_json"),
        ('{"score"\uff1a2}', "not_json"),
        ('{\\"score\\": 2}', "not_json"),
        ('{"score": 4/5}', "not_json"),
        ('{"score": "4.0/10.0"}', "out_of_scale"),
        ('{"score": "\u2605\u2605\u2605\u2605"}', "wrong_type"),
        ("<tool_call>\n<function=grade>\n<parameter=score>\n4\n</parameter>\n</function>\n</tool_call>", "not_json"),
        (f"{GOOD}\nWait:\n{DRAFT}", "ambiguous"),
    ],
)
def test_what_would_be_guessing_stays_an_error(reply: str, kind: str) -> None:
    """No quotes, colons or brackets are made up, and no scale is changed."""
    assert read_reply(reply, GRADE).error_kind == kind


@pytest.mark.parametrize(
    ("reply", "score", "kind"),
    [
        ("Score: -4", None, "out_of_scale"),
        ("- Score: 4", 4, None),
        ("**Score**: **4**", 4, None),
        ("Score:\n-4", None, "out_of_scale"),
        ("Score: 4 out of 5", 4, None),
        ("Score: 1-5", None, "wrong_type"),
    ],
)
def test_a_minus_is_no_bullet(reply: str, score: int | None, kind: str | None) -> None:
    """A judge that writes -4 did not write 4."""
    reading = read_reply(reply, LINE)

    assert (reading.score, reading.error_kind) == (score, kind)
