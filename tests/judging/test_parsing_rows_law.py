import json

from goldassay.judging.parsing import parse_reply
from goldassay.judging.parsing_rows import verdicts_from_reply
from goldassay.judging.prompt import JudgeItem, build_calls
from goldassay.judging.rubric import load_rubric
from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.verdicts import Outcome

RAG = load_rubric("rag")
RECORD = AnswerRecord(
    record_id="1",
    question="May I bring my dog?",
    answer="I could not find this.",
    sources=(Source(id="1", text="Bikes."),),
)
UNANSWERABLE = GoldenQuestion(question_id="1", question="May I bring my dog?", answerable=False)


def _faithful(reply, flags):
    item = JudgeItem(RECORD, UNANSWERABLE, flags=flags)
    call = next(call for call in build_calls(item, RAG) if call.criteria == ("faithful",))
    (row,) = verdicts_from_reply(call, parse_reply(reply, RAG, criteria=("faithful",)), RAG)
    return row


def test_a_refusal_that_the_judge_calls_unsupported_passes_by_law_and_the_judge_is_marked():
    """The canary failed, not the answer; what the judge said is kept."""
    row = _faithful(json.dumps({"reason": "No source says so.", "score": 1}), ("refusal", "canary"))

    assert row.outcome is Outcome.PASS
    assert "canary_failed" in row.flags
    assert "No source says so." in row.reason


def test_a_canary_reply_that_cannot_be_read_is_an_error_like_any_other():
    """Nobody has seen the judge pass it."""
    row = _faithful("Looks fine to me.", ("refusal", "canary"))

    assert row.outcome is Outcome.ERROR
    assert row.category == "unreadable_reply"
    assert "canary_error" in row.flags


def test_an_invented_answer_to_an_unanswerable_question_is_no_refusal():
    """Only a refusal is supported by law."""
    row = _faithful(json.dumps({"reason": "No source says so.", "score": 1}), ("canary",))

    assert row.outcome is Outcome.FAIL
    assert "canary_failed" not in row.flags
