"""`goldassay judge show`: the exact request, keys masked, and how a stored reply was read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from goldassay.judging import JudgeItem, build_calls, load_rubric, parse_reply
from goldassay.judging.parsing_rows import verdicts_from_reply
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.show import show_item, show_reply
from goldassay.records import AnswerRecord, Source
from goldassay.verdicts import Outcome

RAG = load_rubric("rag")
ITEM = JudgeItem(
    AnswerRecord(record_id="r1", question="Fee?", answer="12 euros.", sources=(Source(id="D1", text="12 euros"),))
)


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_the_request_of_every_provider_is_shown(name):
    """Address, headers with stars for the key, parameters, and the prompt as the model reads it."""
    config = JudgeConfig(
        provider=name,
        model="judge-x",
        base_url="http://127.0.0.1:9/v1",
        extra_body={"api_key": "s3cret", "nested": {"token": "s3cret"}, "top_k": 3},
    )

    shown = show_item(ITEM, RAG, config)
    text = shown.text()

    assert "correct: skip without a call, because the golden question has no reference answer" in text
    assert [call.criteria for call in shown.calls] == [("faithful",), ("relevant",)]
    assert text.count("[begin answer") == 2
    assert "POST http://127.0.0.1:9" in text
    assert "s3cret" not in text
    assert "s3cret" not in json.dumps(shown.data())
    assert "judge-x" in text
    assert build_calls(ITEM, RAG, model="judge-x")[0].user in text


def test_the_hash_shown_is_the_hash_stored():
    """The engine files a verdict under the hash that is shown here."""
    from goldassay.judging.hashing import request_hash
    from goldassay.judging.work import shaping_params

    config = JudgeConfig(model="judge-x")
    call = build_calls(ITEM, RAG, model="judge-x")[0]

    shown = show_item(ITEM, RAG, config).calls[0]

    assert shown.request_hash == request_hash(call, RAG, "openai", "judge-x", shaping_params(config))


def test_the_way_of_asking_for_the_form_is_shown():
    """A server without schemas gets the form in words."""
    config = JudgeConfig(model="judge-x", base_url="http://127.0.0.1:9/v1", structured="json_object")

    body = show_item(ITEM, RAG, config).calls[0].body

    assert body["response_format"] == {"type": "json_object"}


def stored(reply, rubric=RAG, **columns):
    """The row that a reply made."""
    call = build_calls(ITEM, rubric)[0]
    parsed = parse_reply(reply, rubric, criteria=call.criteria)
    return verdicts_from_reply(call, parsed, rubric, reply=reply, judge_model="judge-x", **columns)[0]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("```json\n{'score': 5, 'reason': 'ok'}\n```", ["pass, score 5 of 5, pass mark 4", "fence_removed", "python"]),
        ('{"score": 9}', ["error", "out_of_scale", "category: out_of_scale"]),
    ],
)
def test_a_stored_verdict_is_shown_with_its_reply(reply, told):
    """The raw reply, the repairs, and the form that was asked for."""
    shown = show_reply(stored(reply), RAG, ITEM)
    text = shown.text()

    assert reply in text
    for part in (*told, '"minimum": 1', "judge-x"):
        assert part in text
    assert shown.reads_the_same
    assert "today's reader" not in text


def test_a_reading_that_would_differ_today_is_told():
    """An old row may have been read by an older reader."""
    row = replace(stored('{"score": 5}'), outcome=stored('{"score": 1}').outcome)

    shown = show_reply(row, RAG)

    assert not shown.reads_the_same
    assert "today's reader would say pass" in shown.text()


def test_a_row_without_a_reply_says_so():
    """A call that timed out left nothing to show."""
    shown = show_reply(replace(stored('{"score": 5}'), reply=None), RAG)

    assert shown.reads_the_same
    assert "(none was kept)" in shown.text()


def test_one_order_of_a_pair_is_not_held_against_the_merged_row():
    """The kept reply speaks of A and B, the row of this answer and the other."""
    rubric = load_rubric("pairwise")
    pair = replace(ITEM, other=ITEM.record.model_copy(update={"answer": "No idea."}))
    call = build_calls(pair, rubric)[1]
    reply = '{"reason": "r", "winner": "A", "category": "none"}'
    row = verdicts_from_reply(call, parse_reply(reply, rubric), rubric, reply=reply)[0]

    assert row.outcome == "fail"
    assert show_reply(row, rubric, pair).reads_the_same


def _asked_with(config):
    """A stored row as the engine files it under these settings."""
    call = show_item(ITEM, RAG, config).calls[0]
    return stored('{"score": 5}', judge_provider=config.provider, request_hash=call.request_hash)


def test_the_request_that_went_out_is_built_again_and_known_by_its_hash():
    """With the judge of the row, whatever is set today."""
    then = JudgeConfig(provider="openai", model="judge-x")
    today = JudgeConfig(provider="anthropic", model="judge-y", base_url="http://127.0.0.1:9")

    shown = show_reply(_asked_with(then), RAG, ITEM, today)

    assert shown.is_exact
    assert "[what went out, by its hash]" in shown.text()
    assert "api.openai.com" in shown.text()
    assert shown.data()["request"]["body"]["model"] == "judge-x"


def test_a_request_that_cannot_be_built_any_more_is_said_to_be_lost():
    """Nobody shall take today's prompt for the one behind the verdict."""
    then = JudgeConfig(provider="openai", model="judge-x", temperature=0.7)

    shown = show_reply(_asked_with(then), RAG, ITEM, JudgeConfig(provider="openai", model="judge-x"))

    assert not shown.is_exact
    assert "CAUTION: what went out was another request" in shown.text()
    assert shown.data()["request"] is None


def test_a_row_without_a_request_or_a_record_says_so():
    """What was known without a call, and what cannot be built for want of the record."""
    assert "nothing went out" in show_reply(stored('{"score": 5}'), RAG, ITEM, JudgeConfig()).text()
    assert "only its hash is known" in show_reply(stored('{"score": 5}', request_hash="h"), RAG).text()


def test_claims_are_held_against_the_record_again():
    """A stored pass that rested on a source nobody sent is no pass to today's reader."""
    rubric = load_rubric("faithful_claims")
    reply = '{"claims": [{"claim": "a", "reason": "r", "sources": ["D9"], "verdict": "supported"}]}'
    row = replace(stored(reply, rubric), outcome=Outcome.PASS)

    assert not show_reply(row, rubric, ITEM).reads_the_same
    assert show_reply(row, rubric).reads_the_same
