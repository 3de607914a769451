"""The reported security cases that concern prompts: data is never a template, and talk to the judge is flagged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from goldassay.judging.parsing import parse_reply
from goldassay.judging.parsing_rows import verdicts_from_reply
from goldassay.judging.prompt import JudgeItem, build_calls, evaluated_texts
from goldassay.judging.rubric import load_rubric
from goldassay.records import AnswerRecord, Source

_OWN = Path(__file__).parents[1] / "cases" / "security.jsonl"
_ABOUT_PROMPTS = {"prompt_contains_literally", "injection_suspected"}


def _cases() -> list[dict]:
    path = Path(os.environ.get("GOLDASSAY_CASES") or _OWN)
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    chosen = [case for case in cases if case["topic"] == "security" and "contract" not in case["input"]]
    return [case for case in chosen if _ABOUT_PROMPTS & case["expected"].keys()]


def _item(given: dict) -> JudgeItem:
    sources = given.get("sources") or [{"id": "1", "text": given.get("source", "No source says anything.")}]
    record = AnswerRecord(
        record_id="r1",
        question=given.get("question", "What is the fee?"),
        answer=given.get("answer", "It is 12 euros."),
        sources=tuple(Source.model_validate(source) for source in sources),
    )
    return JudgeItem(record)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["case"])
def test_a_reported_attack_stays_data(case):
    """Text stands in the prompt as it is, and only the flag tells that it talks to the judge."""
    item, expected = _item(case["input"]), case["expected"]
    rubric = load_rubric("rag")

    calls = build_calls(item, rubric, model="judge-x")

    for call in calls:
        for text in expected.get("prompt_contains_literally", []):
            assert text in call.user_prefix
        if "injection_suspected" in expected:
            assert ("possible_injection" in call.flags) is expected["injection_suspected"]
        for score, outcome in ((5, "pass"), (1, "fail")):
            reply = json.dumps({"reason": "own words", "score": score, "category": "other"})
            parsed = parse_reply(reply, rubric, criteria=call.criteria, evaluated=evaluated_texts(item))
            row = verdicts_from_reply(call, parsed, rubric)[0]
            assert (row.outcome, row.score) == (outcome, score)
            if expected.get("row_flag"):
                assert expected["row_flag"] in row.flags


def test_there_are_such_cases_in_the_repository():
    """The selection above is not empty by accident."""
    if not os.environ.get("GOLDASSAY_CASES"):
        assert len(_cases()) == 2
