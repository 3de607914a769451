"""The reading of replies in other forms than one object: choices, labelled lines, tags, patterns and arrays."""

from __future__ import annotations

import pytest

from goldassay.judging.parsing import read_reply
from goldassay.judging.reply_contract import Contract, FieldSpec

SCORE = FieldSpec("number", 1, 5)
WHOLE = FieldSpec("integer", 1, 5)
YES_NO = FieldSpec("boolean")
TEXT = FieldSpec("string")
GRADE = Contract(
    format="json_object", fields={"score": SCORE, "pass": YES_NO, "reason": TEXT}, required=("score", "pass")
)
GOOD = '{"score": 2, "pass": false, "reason": "r"}'


LETTERS = Contract(
    format="choice", values=("A", "B", "U"), scores={"A": 1.0, "B": 0.0, "U": None}, pass_rule="score >= 0.5"
)
WORDS = Contract(format="choice", values=("relevant", "irrelevant"), pass_value=("relevant",))


@pytest.mark.parametrize(
    ("contract", "reply", "label", "repairs"),
    [
        (LETTERS, "A", "A", ()),
        (LETTERS, " A.\n", "A", ()),
        (LETTERS, "(B)", "B", ()),
        (LETTERS, "**A**", "A", ()),
        (LETTERS, "[[B]]", "B", ()),
        (LETTERS, '"A"', "A", ()),
        (LETTERS, "a", "A", ("label_case",)),
        (LETTERS, "Final answer: B", "B", ("surrounding_text_ignored",)),
        (LETTERS, "It restates D1.\n\n**Verdict:** A", "A", ("surrounding_text_ignored",)),
        (LETTERS, "A\n\nBecause a source says so.", "A", ("surrounding_text_ignored",)),
        (LETTERS, "<think>B or A? B!</think>A", "A", ("reasoning_removed",)),
        (WORDS, "Irrelevant", "irrelevant", ("label_case",)),
        (WORDS, "relevant", "relevant", ()),
    ],
)
def test_a_choice_is_the_reply_or_a_line_of_its_own(contract, reply, label, repairs):
    """A label as a whole, and the only one."""
    reading = read_reply(reply, contract)

    assert reading.label == label
    assert reading.passed is (label in {"A", "relevant"})
    assert set(reading.repairs) == set(repairs)


@pytest.mark.parametrize(
    ("contract", "reply", "kind"),
    [
        (LETTERS, "AB", "unknown_label"),
        (LETTERS, "C", "unknown_label"),
        (LETTERS, "A good answer, all in all", "unknown_label"),
        (LETTERS, "A or B", "ambiguous"),
        (LETTERS, "A\nB", "ambiguous"),
        (LETTERS, "Verdict: A\nVerdict: B", "ambiguous"),
        (LETTERS, "U", "abstained"),
        (LETTERS, "", "empty"),
        (LETTERS, "<think>A", "no_final_answer"),
        (WORDS, "The answer is relevant to the question.", "unknown_label"),
        (WORDS, "not relevant", "unknown_label"),
    ],
)
def test_a_label_in_prose_is_no_choice(contract, reply, kind):
    """The prose may be quoting, weighing or negating it."""
    reading = read_reply(reply, contract)

    assert (reading.error_kind, reading.label, reading.passed) == (kind, None, None)


def test_a_choice_may_be_agreed_to_stand_at_the_start():
    """'Yes, because ...' where that is the form asked for; a second label of several words makes it ambiguous."""
    short = Contract(format="choice", values=("Yes", "No"), position="start", pass_value=("Yes",))
    long = Contract(format="choice", values=("Answer present", "I don't know"), position="start")

    assert read_reply("Yes, the candidate is right. No doubt.", short).passed is True
    assert read_reply("no - it is not", short).repairs == ("label_case", "surrounding_text_ignored")
    assert read_reply("Yesterday it was.", short).error_kind == "unknown_label"
    assert read_reply("The question?\n\nAnswer present in [1].", long).label == "Answer present"
    assert read_reply("Answer present\nI don't know\n\nPick one.", long).error_kind == "ambiguous"
    assert read_reply("Yes\nNo", Contract(format="choice", values=("Yes", "No"))).error_kind == "ambiguous"


LINE = Contract(
    format="labelled_line",
    label="GRADE",
    values=("C", "P", "I"),
    synonyms={"correct": "C", "incorrect": "I"},
    pass_value=("C",),
)


@pytest.mark.parametrize(
    ("reply", "label", "repairs"),
    [
        ("GRADE: C", "C", ()),
        ("It fits.\n\nGRADE: I", "I", ()),
        ("**GRADE: C**", "C", ()),
        ("**GRADE:** C.", "C", ()),
        ("Grade = P", "P", ()),
        ("- grade: `C`", "C", ()),
        ("GRADE:\nI", "I", ()),
        ("GRADE\uff1aC", "C", ()),
        ("GRADE: c", "C", ("label_case",)),
        ("GRADE: Correct", "C", ("label_case",)),
        ("GRADE: C (all there)", "C", ("surrounding_text_ignored",)),
        ("GRADE: C\nGRADE: C", "C", ()),
        ("<think>GRADE: I</think>GRADE: C", "C", ("reasoning_removed",)),
    ],
)
def test_a_labelled_line_is_found(reply, label, repairs):
    """Wherever in the reply, with markdown or without."""
    reading = read_reply(reply, LINE)

    assert (reading.label, reading.passed) == (label, label == "C")
    assert set(reading.repairs) == set(repairs)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("GRADE: CI", "unknown_label"),
        ("GRADE: excellent", "unknown_label"),
        ("GRADE:", "unknown_label"),
        ("GRADE: C or I", "ambiguous"),
        ("GRADE: C\nGRADE: I", "ambiguous"),
        ("The grade is C", "missing_field"),
        ("DEGRADE: C", "missing_field"),
        ("", "empty"),
    ],
)
def test_a_line_without_a_clear_label_is_an_error(reply, kind):
    """Only a full label of the list counts."""
    reading = read_reply(reply, LINE)

    assert (reading.error_kind, reading.label, reading.passed) == (kind, None, None)


@pytest.mark.parametrize(
    ("reply", "score", "kind"),
    [
        ("Score: 4", 4, None),
        ("Because.\nScore: 4/5", 4, None),
        ("**Score:** 2.", 2, None),
        ("Score: 9", None, "out_of_scale"),
        ("Score: 4/10", None, "out_of_scale"),
        ("Score: four", None, "wrong_type"),
        ("Score: 4\nScore: 5", None, "ambiguous"),
        ("I'd say 4", None, "missing_field"),
    ],
)
def test_a_labelled_line_may_hold_a_number(reply, score, kind):
    """Checked against the scale like any other."""
    contract = Contract(
        format="labelled_line", label="Score", fields={"score": WHOLE}, required=("score",), pass_rule="score >= 4"
    )

    reading = read_reply(reply, contract)

    assert (reading.score, reading.error_kind) == (score, kind)
    assert reading.passed is (None if kind else score >= 4)


def test_a_tag_holds_a_label():
    """XML-like tags, as some judges are asked for; two tags that differ are ambiguous."""
    contract = Contract(format="tag", label="answer", values=("supported", "not_supported"), pass_value=("supported",))

    assert read_reply("<e>why</e><answer> supported </answer>", contract).passed is True
    assert read_reply("<answer>unsupported</answer>", contract).error_kind == "unknown_label"
    assert read_reply("supported", contract).error_kind == "missing_field"
    both = "<answer>supported</answer><answer>not_supported</answer>"
    assert read_reply(both, contract).error_kind == "ambiguous"


def test_a_pattern_must_match_one_thing():
    """A pattern of the team's own: several matches that differ are ambiguous, unless the last was agreed on."""
    contract = Contract(format="regex", pattern=r"\[\[(\d+)\]\]", fields={"score": WHOLE}, required=("score",))
    last = Contract(
        format="regex", pattern=r"\[\[(\d+)\]\]", fields={"score": WHOLE}, required=("score",), position="last"
    )

    assert read_reply("Rating: [[4]]", contract).score == 4
    assert read_reply("[[4]] ... [[4]]", contract).score == 4
    assert read_reply("[[4]] or [[2]]", contract).error_kind == "ambiguous"
    assert read_reply("[[4]] no, [[2]]", last).score == 2
    assert read_reply("[[9]]", contract).error_kind == "out_of_scale"
    assert read_reply("4", contract).error_kind == "missing_field"


ARRAY = Contract(format="json_array", item_fields={"id": TEXT, "passed": YES_NO}, required_items=("a1", "a2"))
ITEMS = '[{"id": "a1", "passed": true}, {"id": "a2", "passed": false}]'


@pytest.mark.parametrize(
    ("reply", "repairs"),
    [
        (ITEMS, ()),
        (f"```json\n{ITEMS}\n```", ("fence_removed",)),
        (f"Here: {ITEMS}", ("surrounding_text_ignored",)),
        (f'{{"results": {ITEMS}}}', ("unwrapped:results",)),
        (ITEMS.replace("}]", "},]"), ("trailing_comma",)),
        (ITEMS.replace("true", '"true"'), ("bool_from_string",)),
    ],
)
def test_an_array_is_read_item_by_item(reply, repairs):
    """Each item by its id."""
    reading = read_reply(reply, ARRAY)

    assert {key: item["passed"] for key, item in reading.items.items()} == {"a1": True, "a2": False}
    assert set(reading.repairs) == set(repairs)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ('[{"id": "a1", "passed": true}]', "missing_field"),
        ("[]", "missing_field"),
        ('[{"id": "a1"}, {"id": "a2", "passed": true}]', "missing_field"),
        (ITEMS.replace("true", "1"), "wrong_type"),
        (ITEMS[:-1] + ', {"id": "a1", "passed": false}]', "ambiguous"),
        (f"{ITEMS} {ITEMS.replace('true', 'false')}", "ambiguous"),
        ('["a1", "a2"]', "wrong_type"),
        (ITEMS[:-5], "not_json"),
        ("All hold.", "not_json"),
    ],
)
def test_an_array_without_all_items_is_an_error(reply, kind):
    """A dead grade becomes neither failures nor passes."""
    reading = read_reply(reply, ARRAY)

    assert (reading.error_kind, reading.items) == (kind, {})


def test_a_template_that_is_echoed_is_no_verdict():
    """The form, repeated with placeholders, does not spoil the verdict that follows."""
    form = '{"score": <1-5>, "pass": <true or false>}'

    assert read_reply(f"{form}\n{GOOD}", GRADE).score == 2
    assert read_reply(form, GRADE).error_kind == "not_json"


def test_same_verdict_in_other_words_is_one_verdict():
    """Two objects that agree in all but the reason say one thing."""
    twice = f"{GOOD} {GOOD.replace(chr(34) + 'r' + chr(34), chr(34) + 'again' + chr(34))}"

    reading = read_reply(twice, GRADE)

    assert (reading.score, reading.values["reason"]) == (2, "again")


@pytest.mark.parametrize(
    ("reply", "kind"), [("\u00b2", "unknown_label"), ("Score: \u2461", "wrong_type"), ("Score: 2", None)]
)
def test_an_ornate_digit_is_neither_label_nor_number(reply, kind):
    """A superscript belongs to a footnote."""
    labels = Contract(format="choice", values=("1", "2"))
    numbers = Contract(format="labelled_line", label="Score", fields={"score": FieldSpec("integer", 1, 5)})

    reading = read_reply(reply, numbers if reply.startswith("Score") else labels)

    assert reading.error_kind == kind
