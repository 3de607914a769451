"""Replies that are whole, but not of the form asked for: a bracket too many, one object a criterion, HTML thinking."""

from __future__ import annotations

import json

import pytest

from goldassay.judging import load_rubric, parse_reply
from goldassay.judging.parsing import read_reply
from goldassay.judging.reply_contract import Contract, FieldSpec

RAG = load_rubric("rag")
TOGETHER = RAG.model_copy(update={"calls": "together"})
BOTH = ("faithful", "relevant")
GOOD = '{"reason": "ok", "score": 4, "category": "none"}'
GRADE = {"reason": "ok", "score": 4, "category": "none"}


@pytest.mark.parametrize(
    "reply",
    [
        GOOD + "}",
        GOOD + "}}\n",
        GOOD + "\n]\n}",
        f"```json\n{GOOD}}}\n```",
        f"```json\n{GOOD}}}\n```\nThat is all.",
        f"My verdict: {GOOD}}}",
        f"<think>{{</think>{GOOD}}}",
        GOOD.replace('"', "'") + "}",
    ],
)
def test_brackets_that_close_nothing_and_end_the_reply_are_left_out(reply):
    """The object is whole, and nothing that could change it follows."""
    parsed = parse_reply(reply, RAG, criteria=("faithful",))

    assert dict(parsed.scores) == {"faithful": 4.0}
    assert "extra_bracket" in parsed.repairs


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param('{"score": 5, "reason": "it prints "}"}', id="a-string-closed-too-early"),
        pytest.param('{"score": 5, "reason": "it prints "}} twice"}', id="a-string-with-two-of-them"),
        pytest.param(GOOD + "} and more", id="text-goes-on"),
        pytest.param(f'"faithful": {GOOD}}}', id="a-member-without-its-head"),
        pytest.param(f"[1, {GOOD}}}", id="in-an-open-list"),
        pytest.param(f"{{'draft': 1, 'other': {GOOD}", id="never-closed"),
    ],
)
def test_a_bracket_that_may_belong_to_something_lost_makes_no_verdict(reply):
    """Part of it is missing, and what it said nobody knows."""
    assert parse_reply(reply, RAG, criteria=("faithful",)).error_kind == "not_json"


def lines(*objects: object) -> str:
    """JSON Lines."""
    return "\n".join(map(json.dumps, objects))


def about(name: str, score: int, key: str = "criterion") -> dict[str, object]:
    """A grade that names its criterion."""
    return {key: name, "reason": "ok", "score": score}


@pytest.mark.parametrize(
    "reply",
    [
        lines({"faithful": GRADE}, {"relevant": {**GRADE, "score": 2}}),
        lines({"Relevant": {**GRADE, "score": 2}}, {"faithful": GRADE}),
        "```jsonl\n" + lines({"faithful": GRADE}, {"relevant": {**GRADE, "score": 2}}) + "\n```",
        "<think>hm</think>\n" + lines(about("faithful", 4), about("relevant", 2)),
        lines(about("faithful", 4, "name"), about("RELEVANT", 2, "name")),
        json.dumps([about("faithful", 4), about("relevant", 2)]),
        json.dumps([{"faithful": GRADE}, {"relevant": {**GRADE, "score": 2}}]),
        lines({"faithful": 4}, {"relevant": 2}),
        lines(about("faithful", 4), about("relevant", 2), about("relevant", 2)),
    ],
)
def test_a_reply_in_one_object_for_each_criterion_is_put_together(reply):
    """Each piece says which criterion it is about, and nothing else is said."""
    parsed = parse_reply(reply, TOGETHER, criteria=BOTH)

    assert dict(parsed.scores) == {"faithful": 4.0, "relevant": 2.0}
    assert "joined_lines" in parsed.repairs


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        pytest.param(lines(about("faithful", 4), about("faithful", 5), about("relevant", 2)), "ambiguous", id="twice"),
        pytest.param(lines(about("faithful", 4), about("faithful", 4)), "missing_field", id="one-is-missing"),
        pytest.param(lines(about("faithful", 4), about("style", 2)), "missing_field", id="another-criterion"),
        pytest.param("It says " + lines(about("faithful", 4), about("relevant", 2)), "missing_field", id="in-prose"),
        pytest.param(lines(about("faithful", 4), about("relevant", 9)), "out_of_scale", id="off-the-scale"),
        pytest.param(lines({"score": 4}, {"score": 2}), "missing_field", id="no-names"),
        pytest.param(lines({"faithful": GRADE}, {"relevant": GRADE, "x": 1}), "missing_field", id="something-else"),
    ],
)
def test_pieces_that_do_not_make_a_whole_are_no_verdict(reply, kind):
    """What is missing is not made up, what differs is not chosen from, what is quoted does not count."""
    assert parse_reply(reply, TOGETHER, criteria=BOTH).error_kind == kind


def test_a_list_of_items_may_come_as_json_lines():
    """One object a line where a list was asked for; a missing item stays missing."""
    fields = {"id": FieldSpec("string"), "passed": FieldSpec("boolean")}
    contract = Contract(format="json_array", item_fields=fields, required_items=("a1", "a2"))

    whole = read_reply(lines({"id": "a1", "passed": True}, {"id": "a2", "passed": False}), contract)
    part = read_reply(lines({"id": "a1", "passed": True}, {"id": "a3", "passed": False}), contract)

    assert {key: item["passed"] for key, item in whole.items.items()} == {"a1": True, "a2": False}
    assert whole.repairs == ("joined_lines",)
    assert (part.error_kind, part.detail) == ("missing_field", {"missing": ["a2"]})


@pytest.mark.parametrize(
    "reply",
    [
        f'<details type="reasoning" done="true" duration="5">\n<summary>Thought</summary>\n> no\n</details>\n{GOOD}',
        f"<details open type='reasoning'>{{\"score\": 1}}</details>{GOOD}",
        f"<details type=reasoning>hm</details>```json\n{GOOD}\n```",
    ],
)
def test_thinking_in_a_details_block_is_set_aside(reply):
    """As a chat front end passes it on; a draft in it is no verdict."""
    parsed = parse_reply(reply, RAG, criteria=("faithful",))

    assert dict(parsed.scores) == {"faithful": 4.0}
    assert parsed.repairs[0] == "reasoning_removed"


@pytest.mark.parametrize("reply", [f'<details type="reasoning">\n{GOOD}', '<details type="reasoning">hm</details>\n'])
def test_a_details_block_without_an_answer_behind_it_is_no_final_answer(reply):
    """Cut while thinking, or silent afterwards."""
    assert parse_reply(reply, RAG, criteria=("faithful",)).error_kind == "no_final_answer"


def test_any_other_details_block_is_text():
    """It may hold the verdict, and its end ends no thinking."""
    parsed = parse_reply(f"<details><summary>Grade</summary>\n{GOOD}\n</details>", RAG, criteria=("faithful",))

    assert (dict(parsed.scores), parsed.repairs) == ({"faithful": 4.0}, ("surrounding_text_ignored",))
