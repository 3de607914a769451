"""The reading of replies, form by form: every kind of error and every repair, and what must never be repaired."""

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
LONG = "9" * 5_000


def score_only(spec=WHOLE, rule="score >= 4"):
    """A contract with nothing but a score."""
    return Contract(format="json_object", fields={"score": spec}, required=("score",), pass_rule=rule)


@pytest.mark.parametrize(
    ("reply", "repairs"),
    [
        (GOOD, ()),
        (f"\ufeff \n{GOOD}\u200b\n", ()),
        (f"```json\n{GOOD}\n```", ("fence_removed",)),
        (f"```\n{GOOD}\n```", ("fence_removed",)),
        (f"~~~json\n{GOOD}\n~~~", ("fence_removed",)),
        (f"```json\n{GOOD}", ("fence_removed",)),
        (f"```json {GOOD} ```", ("fence_removed",)),
        (f"Here it is:\n```json\n{GOOD}\n```\nBye.", ("fence_removed", "surrounding_text_ignored")),
        (f"My grade: {GOOD}", ("surrounding_text_ignored",)),
        (f"'{GOOD}'", ("surrounding_text_ignored",)),
        (f"{{{GOOD}}}", ("surrounding_text_ignored",)),
        (f"({GOOD}), that is: {GOOD}.", ("surrounding_text_ignored",)),
        (f"{GOOD} That is all.", ("surrounding_text_ignored",)),
        (f"{GOOD}\n{GOOD}", ("surrounding_text_ignored",)),
        (f"The set {{a, b}} and [1] are fine. {GOOD}", ("surrounding_text_ignored",)),
        (f'<think>{{"score": 5, "pass": true}}</think>{GOOD}', ("reasoning_removed",)),
        (f"<thinking>x</thinking>\n\n{GOOD}", ("reasoning_removed",)),
        (f"[THINK]x[/THINK]{GOOD}", ("reasoning_removed",)),
        (f"<|begin_of_thought|>x<|end_of_thought|>{GOOD}", ("reasoning_removed",)),
        (f"\u25c1think\u25b7x\u25c1/think\u25b7{GOOD}", ("reasoning_removed",)),
        (f"x</think>y</think>{GOOD}", ("reasoning_removed",)),
        (f"<think>x</think>```json\n{GOOD}\n```", ("reasoning_removed", "fence_removed")),
        (
            f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}<|return|>",
            ("reasoning_removed",),
        ),
        ('{"score": 2, "pass": false, "reason": "r",}', ("trailing_comma",)),
        ('{"score": 2, "pass": false, "reason": "r", "x": [1, 2,],}', ("trailing_comma",)),
        ('{"score": 2, // two\n "pass": false, "reason": "r"}', ("comments_removed",)),
        ('{"score": 2, /* two */ "pass": false, # no\n "reason": "r"}', ("comments_removed",)),
        ("{'score': 2, 'pass': False, 'reason': 'r'}", ("python_literals",)),
        ('{"score": 2, "pass": False, "reason": "r"}', ("python_literals",)),
        ("{'score': 2, 'pass': False, 'reason': 'r',}", ("python_literals", "trailing_comma")),
        ('{"SCORE": 2, "Pass": false, "reason": "r"}', ("key_case",)),
        ('{"score": "2", "pass": false, "reason": "r"}', ("string_to_number",)),
        ('{"score": "\u0662", "pass": false, "reason": "r"}', ("string_to_number",)),
        ('{"score": " 2.0 ", "pass": false, "reason": "r"}', ("string_to_number",)),
        ('{"score": "2/5", "pass": false, "reason": "r"}', ("fraction_to_number",)),
        ('{"score": "2 / 5", "pass": false, "reason": "r"}', ("fraction_to_number",)),
        ('{"score": 2, "pass": "False", "reason": "r"}', ("bool_from_string",)),
        (f'{{"verdict": {GOOD}}}', ("unwrapped:verdict",)),
        (f'{{"name": "grade", "arguments": {GOOD}}}', ("unwrapped:arguments",)),
        ('{"arguments": "{\\"score\\": 2, \\"pass\\": false, \\"reason\\": \\"r\\"}"}', ("unwrapped:arguments",)),
        (f"[{GOOD}]", ("unwrapped:0",)),
        ('{"score": 2, "pass": false, "reason": "r", "x": {"y": 1}}}', ("extra_bracket",)),
    ],
)
def test_a_slip_that_leaves_no_doubt_is_mended_and_written_down(reply, repairs):
    """The verdict is the same each time; the repairs tell what it took."""
    reading = read_reply(reply, GRADE)

    assert reading.error_kind is None
    assert (reading.score, reading.passed, reading.values["reason"]) == (2, False, "r")
    assert set(reading.repairs) == set(repairs)


@pytest.mark.parametrize(
    ("reply", "reason", "repair"),
    [
        ('{"score": 2, "pass": false, "reason": "a\nb\tc"}', "a\nb\tc", "raw_control_chars"),
        ('{"score": 2, "pass": false, "reason": "C:\\Users \\d+"}', "C:\\Users \\d+", "bad_escape"),
        ('{"score": 2, "pass": false, "reason": "the user\\\'s"}', "the user's", "bad_escape"),
        ("{'score': 2, 'pass': False, 'reason': 'it\\'s \\x41'}", "it's A", "python_literals"),
        ("{'score': 2, 'pass': False, 'reason': \"it's\"}", "it's", "python_literals"),
        ("{'score': 2, 'pass': False, 'reason': '{\"score\": 5}'}", '{"score": 5}', "python_literals"),
        ('{"score": 2, "pass": false, "reason": "\\ud83d\\ude00 \\ud800",}', "\U0001f600 \ud800", "trailing_comma"),
    ],
)
def test_a_repair_leaves_the_reason_as_it_was_meant(reply, reason, repair):
    """Nothing is replaced blindly: quotes, escapes and commas inside strings stay."""
    reading = read_reply(reply, GRADE)

    assert reading.values["reason"] == reason
    assert repair in reading.repairs


@pytest.mark.parametrize(
    "reason", ["a, } b", "x ,] y", "// no comment", "True, None", "</think>", "```json", "{'a': 1}", "NaN", "# x"]
)
def test_valid_json_is_never_touched(reason):
    """Whatever stands in a string of valid JSON is the judge's wording."""
    reading = read_reply(f'{{"score": 2, "pass": false, "reason": "{reason}"}}', GRADE)

    assert reading.values["reason"] == reason
    assert reading.repairs == ()


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("I cannot grade this.", "not_json"),
        ("score: 5, pass: true", "not_json"),
        ("{score: 5, pass: true}", "not_json"),
        ('{"score": 5, "pass": true', "not_json"),
        ('{"score": 5 "pass": true}', "not_json"),
        ('{"score": 5, "pass": true, "reason": "r}', "not_json"),
        ('{"score": 5,, "pass": true}', "not_json"),
        ('{"score": 05, "pass": true}', "not_json"),
        ('{"score": +5, "pass": true}', "not_json"),
        ('{"issues": ["a", "score": 5, "pass": true}', "not_json"),
        ('{"outer": {"score": 5, "pass": true}, "cut": ', "not_json"),
        ('{"a": {"score": 5, "pass": true}, "b" 1}', "not_json"),
        ('{"score": 1 "pass": false} {"score": 5, "pass": true}', "not_json"),
        ("\u201cscore\u201d: 5", "not_json"),
        ("{" * 50_000, "not_json"),
        ('{"a":' * 50_000, "not_json"),
        ("[" * 50_000 + "]" * 50_000, "not_json"),
        ("{'a': " * 300 + "1" + "}" * 300, "not_json"),
        ("", "empty"),
        (" \u200b\ufeff\u2060\n", "empty"),
        ('<think>the score is {"score": 5, "pass": true}', "no_final_answer"),
        ("<think>x</think>  \n", "no_final_answer"),
        ('x</think><think>{"score": 5, "pass": true}', "no_final_answer"),
        ('<|channel|>analysis<|message|>{"score": 5, "pass": true}', "no_final_answer"),
        ("{}", "missing_field"),
        ('{"score": 5}', "missing_field"),
        ('{"arguments": "{broken"}', "missing_field"),
        ('{"score_value": 5, "passed": true}', "missing_field"),
        ('{"a": {"score": 5, "pass": true}, "b": {"score": 5, "pass": true}}', "missing_field"),
        ('{"a": {"b": {"score": 5, "pass": true}}}', "missing_field"),
        ('{"score": true, "pass": true}', "wrong_type"),
        ('{"score": [5], "pass": true}', "wrong_type"),
        ('{"score": "five", "pass": true}', "wrong_type"),
        ('{"score": "5 points", "pass": true}', "wrong_type"),
        ('{"score": "4,5", "pass": true}', "wrong_type"),
        ('{"score": "5%", "pass": true}', "wrong_type"),
        ('{"score": "\u0661\uff12", "pass": true}', "wrong_type"),
        ('{"score": "", "pass": true}', "wrong_type"),
        ('{"score": 5, "pass": 1}', "wrong_type"),
        ('{"score": 5, "pass": "yes"}', "wrong_type"),
        ('{"score": 5, "pass": true, "reason": ["a"]}', "wrong_type"),
        ("5", "not_json"),
        ("true", "not_json"),
        ('"a string"', "not_json"),
        ('{"score": 5, "pass": true, "reason": "it prints "}" twice, which is wrong"}', "not_json"),
        ('{"score": 5, "pass": true, "x": {"y": 1}}}, ...', "not_json"),
        ('{"score": NaN, "pass": true}', "not_finite"),
        ('{"score": Infinity, "pass": true}', "not_finite"),
        ('{"score": -Infinity, "pass": true}', "not_finite"),
        ('{"score": 1e999, "pass": true}', "not_finite"),
        ('{"score": "NaN", "pass": true}', "not_finite"),
        ('{"score": "inf", "pass": true}', "not_finite"),
        ('{"score": "1e999", "pass": true}', "not_finite"),
        ("{'score': nan, 'pass': True}", "not_finite"),
        ('{"score": 0, "pass": true}', "out_of_scale"),
        ('{"score": 5.01, "pass": true}', "out_of_scale"),
        ('{"score": -5, "pass": true}', "out_of_scale"),
        ('{"score": 1e300, "pass": true}', "out_of_scale"),
        (f'{{"score": {LONG}, "pass": true}}', "out_of_scale"),
        ('{"score": "4/10", "pass": true}', "out_of_scale"),
        ('{"score": "9/5", "pass": true}', "out_of_scale"),
        ('{"score": null, "pass": null}', "abstained"),
        ('{"score": "N/A", "pass": true}', "abstained"),
        ('{"score": 5, "pass": true, "score": 1}', "ambiguous"),
        ('{"score": 5, "pass": true, "Score": 1}', "ambiguous"),
        ("{'score': 5, 'pass': True, 'score': 1}", "ambiguous"),
        ('{"score": 5, "pass": true}\n{"score": 1, "pass": false}', "ambiguous"),
        ('[{"score": 5, "pass": true}, {"score": 1, "pass": false}]', "ambiguous"),
        ('Either {"score": 5, "pass": true} or ```{"score": 1, "pass": true}```', "ambiguous"),
    ],
)
def test_what_is_no_clear_verdict_is_an_error_of_its_kind(reply, kind):
    """No score, no pass, no default; whatever the digits in it would say."""
    reading = read_reply(reply, GRADE)

    assert reading.error_kind == kind
    assert reading.score is None
    assert reading.passed is None
    assert reading.values == {}


@pytest.mark.parametrize(
    ("finish", "kind", "retry"),
    [
        ("length", "truncated", True),
        ("MAX_TOKENS", "truncated", True),
        ("max_output_tokens", "truncated", True),
        ("content_filter", "blocked", False),
        ("RECITATION", "blocked", False),
        ("refusal", "refused", False),
        ("MALFORMED_FUNCTION_CALL", "not_json", True),
        ("no_answer", "no_final_answer", True),
    ],
)
def test_the_finish_reason_counts_before_the_text(finish, kind, retry):
    """A complete verdict in a reply that was cut off or blocked is not taken."""
    reading = read_reply('{"score": 5, "pass": true}', GRADE, finish_reason=finish)

    assert (reading.error_kind, reading.retry_may_help) == (kind, retry)


@pytest.mark.parametrize("finish", [None, "stop", "end_turn", "STOP", "tool_calls", "tool_use", "tool", "eos", "other"])
def test_a_normal_end_is_a_normal_end(finish):
    """In any provider's words."""
    assert read_reply(GOOD, GRADE, finish_reason=finish).score == 2


def test_a_whole_float_is_a_whole_number():
    """3.0 is 3 in a field of whole numbers, 3.5 is not."""
    assert read_reply('{"score": 3.0}', score_only()).score == 3
    assert read_reply('{"score": "4.0"}', score_only()).passed is True
    assert read_reply('{"score": 3.5}', score_only()).error_kind == "wrong_type"


@pytest.mark.parametrize(
    ("rule", "fields", "passed"),
    [
        ("score >= 4", '"score": 4', True),
        ("score > 4", '"score": 4', False),
        ("score <= 0 or score == 5", '"score": 5', True),
        ("score >= 2 and grounded == true", '"score": 3, "grounded": false', False),
        ("score >= 2 and tone == 'kind' or score == 1", '"score": 2, "tone": "kind"', True),
        ("score != 3", '"score": 3', False),
        ("grounded", '"score": 3, "grounded": true', True),
        ("score>=3 and not grounded", '"score": 3, "grounded": true', False),
        ("not grounded or score == 3", '"score": 3, "grounded": true', True),
        ("label == 'kind'", '"score": 3, "tone": "kind"', True),
    ],
)
def test_a_pass_rule_is_reckoned(rule, fields, passed):
    """Comparisons joined by and / or."""
    specs = {"score": WHOLE, "grounded": YES_NO, "tone": FieldSpec("enum", values=("kind", "rude"))}
    contract = Contract(format="json_object", fields=specs, required=("score",), pass_rule=rule)

    assert read_reply(f"{{{fields}}}", contract).passed is passed


def test_a_rule_that_is_no_rule_is_the_programs_mistake():
    """Contracts are written by people who can be told."""
    with pytest.raises(ValueError, match="not of the form"):
        read_reply('{"score": 4}', score_only(rule="score is good"))


def test_a_rule_over_what_was_not_given_is_no_verdict():
    """A field that the rule needs is missing, or cannot be compared."""
    specs = {"score": WHOLE, "tone": TEXT}

    def kind(rule, reply):
        contract = Contract(format="json_object", fields=specs, required=("score",), pass_rule=rule)
        return read_reply(reply, contract).error_kind

    assert kind("other >= 4", '{"score": 4}') == "missing_field"
    assert kind("other", '{"score": 4}') == "missing_field"
    assert kind("score", '{"score": 4}') == "wrong_type"
    assert kind("tone >= 4", '{"score": 4, "tone": "kind"}') == "wrong_type"


def test_words_that_disagree_are_contradictory():
    """The field says one thing and the rule another: neither is taken."""
    contract = Contract(
        format="json_object", fields={"score": SCORE, "pass": YES_NO}, required=("score",), pass_rule="score >= 3"
    )

    assert read_reply('{"score": 4, "pass": false}', contract).error_kind == "contradictory"
    assert read_reply('{"score": 4, "pass": true}', contract).passed is True
    assert read_reply('{"score": 4}', contract).passed is True


def test_a_label_field_knows_its_labels():
    """Letter case is forgiven and written down; other words are not labels."""
    contract = Contract(
        format="json_object",
        fields={"winner": FieldSpec("enum", values=("A", "B", "tie"))},
        required=("winner",),
        pass_value=("A", "tie"),
    )

    assert read_reply('{"winner": "A"}', contract).passed is True
    assert read_reply('{"winner": "b."}', contract).repairs == ("label_case",)
    assert read_reply('{"winner": "Both"}', contract).error_kind == "unknown_label"
    assert read_reply('{"winner": 1}', contract).error_kind == "unknown_label"
    assert read_reply('{"winner": ["A"]}', contract).error_kind == "wrong_type"
    assert read_reply('{"winner": true}', contract).error_kind == "wrong_type"
    assert read_reply('{"winner": null}', contract).error_kind == "abstained"


def test_a_label_may_be_a_number():
    """0, 1 and 2 as labels: the number itself, or a string that is exactly it."""
    spec = FieldSpec("enum", values=(0, 1, 2))
    contract = Contract(format="json_object", fields={"level": spec}, required=("level",))

    assert read_reply('{"level": 1}', contract).values == {"level": 1}
    assert read_reply('{"level": "2"}', contract).repairs == ("string_to_number",)
    assert read_reply('{"level": 3}', contract).error_kind == "unknown_label"
    assert read_reply('{"level": "3"}', contract).error_kind == "unknown_label"
    assert read_reply('{"level": true}', contract).error_kind == "wrong_type"
