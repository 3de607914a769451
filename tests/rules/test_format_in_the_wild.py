"""Shapes that models give an answer, and what only looks like one of them."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Outcome

_JSON = '{"a": 1}'


def _outcome(answer: str, **settings: object) -> Outcome:
    config = RulesConfig.model_validate({"format": settings, "enabled": ["format"]})
    record = AnswerRecord(record_id="r", question="What is it?", answer=answer)
    return dict(load_rules(config).check(record))["format"].outcome


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{_JSON}\n```",
        f"```JSON\n{_JSON}\n```\n",
        '````json\n{"a": "use ``` here"}\n````',
        f"~~~json\n{_JSON}\n~~~",
        f"```json\r\n{_JSON}\r\n```",
        f"```json {_JSON} ```",
        f"```{_JSON}```",
        f"```json\n{_JSON}```",
        f"\ufeff{_JSON}",
        f"  \n{_JSON}\n\n",
        '{"a": "```x```"}',
        '{"a": 1, "a": 1}',
    ],
)
def test_json_in_any_fence_is_json(answer: str):
    """Longer fences, tildes, one line and a byte order mark change nothing of the value."""
    assert _outcome(answer, is_json=True) is Outcome.PASS


@pytest.mark.parametrize(
    "answer",
    [
        f"Here is the JSON:\n```json\n{_JSON}\n```",
        f"{_JSON}\nHope this helps!",
        f"{_JSON}{_JSON}",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        '{"b": {"a": 1, "a": 2}}',
    ],
)
def test_what_readers_of_json_would_not_agree_on_is_none(answer: str):
    """Prose around it, two values, Python, and a key with two values."""
    assert _outcome(answer, is_json=True) is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        ("– a\n– b", "bullet_list"),
        ("· a\n· b", "bullet_list"),
        ("‣ a\n‣ b", "bullet_list"),
        ("● a\n● b", "bullet_list"),
        ("◦ a\n▪ b", "bullet_list"),
        ("<ul><li>a</li></ul>", "bullet_list"),
        ("> - a\n> - b", "bullet_list"),
        ("(1) a\n(2) b", "numbered_list"),
        ("1\\. a\n2\\. b", "numbered_list"),
        ("<ol><li>a</li></ol>", "numbered_list"),
        ("<!-- a remark -->", "html"),
        ("This is __bold__.", "bold"),
        ("````\ncode\n````", "code_block"),
    ],
)
def test_a_part_in_another_dress_is_seen(answer: str, part: str):
    """Signs of lists, tags and remarks."""
    assert _outcome(answer, without=[part]) is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        ("Text\n\n* * *\n\nText", "bullet_list"),
        ("Text\n\n- - -\n\nText", "bullet_list"),
        ("**Bold** begins the line", "bullet_list"),
        ("2024. That was a good year.", "numbered_list"),
        ("10.5 percent\n3.1 percent", "numbered_list"),
        ("def __init__(self)", "bold"),
        ("2 ** 3 = 8", "bold"),
        ("Write to <bob@acme.de> or <https://acme.de>.", "html"),
        ("````\n# a ```b``` c\n# d\n````", "heading"),
    ],
)
def test_what_only_looks_like_a_part_is_none(answer: str, part: str):
    """Lines between sections, years, decimals, code and addresses."""
    assert _outcome(answer, without=[part]) is Outcome.PASS


@pytest.mark.parametrize("answer", ["<p>One.</p><p>Two.</p>", "One.<br><br>Two.", "One.\u2029Two.", "One.\n \t\nTwo."])
def test_paragraphs_of_any_kind_are_counted(answer: str):
    """HTML and the paragraph separator part paragraphs as an empty line does."""
    assert _outcome(answer, max_paragraphs=1) is Outcome.FAIL
    assert _outcome(answer, max_paragraphs=2) is Outcome.PASS


def test_a_line_break_at_the_end_is_no_part_of_what_a_pattern_must_match():
    """RE2's dollar is the very end of the text."""
    assert _outcome("Answer: yes\n", pattern="^Answer: (yes|no)$") is Outcome.PASS
