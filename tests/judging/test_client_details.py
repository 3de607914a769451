"""The client's small print: what it gives up, how it reads odd bodies, when it may no longer send."""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.judging.adapt import change_for
from goldassay.judging.client import CallResult, JudgeClient
from goldassay.judging.clock import SystemClock
from goldassay.judging.limits import AdaptiveLimiter
from goldassay.judging.providers import PROVIDERS, provider_for
from goldassay.judging.providers.base import JudgeRequest, MalformedReplyError, Tuning
from goldassay.judging.retry import RetryPolicy
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import Trouble
from tests.judging.judge_wire import GOOD, Quiet, VirtualClock, Wire, completion, ok

REQUEST = JudgeRequest("s", "p", "q", {"type": "object", "properties": {"score": {"type": "integer"}}}, 64)
BASE = JudgeConfig(base_url="http://127.0.0.1:9/v1", seed=7)


async def _call(wire: Wire, *, config: JudgeConfig = BASE, request: JudgeRequest = REQUEST, **more: Any) -> CallResult:
    clock = VirtualClock()
    client = JudgeClient(
        provider_for(config),
        config,
        limiter=AdaptiveLimiter(config, clock=Quiet(clock)),
        clock=clock,
        policy=RetryPolicy.of(config, random.Random(1)),
        transport=wire,
    )
    async with client:
        return await client.call(request, **more)


def _refusal(message: str) -> Trouble:
    return Trouble("bad_request", retry=False, status=400, detail=message)


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("Unsupported value: 'temperature' does not support 0", {"temperature": "provider default"}),
        ("Unknown parameter: 'seed'", {"seed": "not sent"}),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'",
            {"max_tokens": "sent as max_completion_tokens"},
        ),
        ("response_format json_schema is not supported", {"response_format": "sent as json_object"}),
        ("max_tokens is too large: 9000; at most 4096 are supported, not allowed", None),
        ("Invalid 'messages': must be an array", None),
        ("The temperature outside is fine", None),
    ],
)
def test_only_what_was_refused_is_given_up(message: str, wanted: dict[str, str] | None) -> None:
    """Told by the words of the refusal; anything else is an error of the row."""
    change = change_for(_refusal(message), Tuning(), Tuning(), BASE)

    assert (change.noted if change else None) == wanted


def test_what_was_given_up_before_is_not_given_up_twice() -> None:
    """A second refusal of the same thing is no reason to try again."""
    bare = Tuning(
        format="none", temperature=False, seed=False, max_tokens_name="max_completion_tokens", swapped_max_tokens=True
    )

    for word in ("temperature", "seed", "max_completion_tokens", "response_format"):
        assert change_for(_refusal(f"'{word}' is not supported"), bare, bare, BASE) is None
    assert change_for(Trouble("rate_limited", retry=True), Tuning(), Tuning(), BASE) is None


def test_a_refusal_that_another_call_met_first_only_sends_again() -> None:
    """With a hundred calls in flight, one of them teaches all."""
    now = Tuning(temperature=False)

    change = change_for(_refusal("'temperature' is not supported"), Tuning(), now, BASE)

    assert change is not None
    assert (change.tuning, change.noted) == (now, {})


async def test_refused_parameters_do_not_lengthen_the_backoff() -> None:
    """Adapting is no failure: the first real one waits the base delay."""
    refused = {"status": 400, "body": {"error": {"message": "Unsupported parameter: 'seed'"}}}
    answers = [refused, {"status": 500, "body": {}}, ok()]
    wire = Wire(lambda number: answers[number])

    result = await _call(wire)

    assert (result.attempts, result.reply is not None) == (3, True)


async def test_one_attempt_is_enough_for_a_model_that_refuses_parameters() -> None:
    """Learning what it takes is no failed attempt: else nothing would ever be judged with `max_attempts = 1`."""
    refusals = (
        "'max_tokens' is not supported",
        "Unsupported parameter: 'temperature'",
        "response_format is unavailable",
    )
    answers = [{"status": 400, "body": {"error": {"message": refusal}}} for refusal in refusals]
    wire = Wire(lambda number: [*answers, ok()][number])

    result = await _call(wire, config=BASE.model_copy(update={"max_attempts": 1}))

    assert (result.attempts, result.reply is not None) == (4, True)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(json.dumps(completion("caf\xe9"), ensure_ascii=False).encode("latin-1"), id="no-utf-8"),
        pytest.param(json.dumps(completion("caf\xe9"), ensure_ascii=False).encode("utf-16"), id="utf-16"),
        pytest.param(b"\xef\xbb\xbf" + json.dumps(completion("caf\xe9")).encode(), id="byte-order-mark"),
    ],
)
async def test_a_reply_is_not_thrown_away_for_the_letters_of_its_body(body: bytes) -> None:
    """It was paid for: a sign that cannot be read is shown as such, and the rest is read."""

    class Letters(Wire):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await super().handle_async_request(request)
            return httpx.Response(200, content=body)

    result = await _call(Letters(lambda _: ok()))

    assert result.reply is not None
    assert result.reply.text in {"caf\xe9", "caf\ufffd"}


async def test_past_the_deadline_nothing_is_sent() -> None:
    """Neither a reply nor a trouble: the call was not made."""
    wire = Wire(lambda _: ok())

    result = await _call(wire, deadline=0.0)

    assert result[:3] == (None, None, 0)
    assert wire.bodies == []


async def test_a_wait_that_ends_after_the_deadline_is_not_begun() -> None:
    """The call ends with what it met."""
    wire = Wire(lambda _: {"status": 429, "body": {}, "headers": {"retry-after": "30"}})

    result = await _call(wire, deadline=10.0)

    assert result.trouble is not None
    assert (result.trouble.kind, result.attempts) == ("rate_limited", 1)


async def test_nan_in_a_field_that_nobody_reads_does_not_spoil_a_reply() -> None:
    """Some servers write log probabilities that are no JSON."""
    text = '{"choices": [{"message": {"content": "{}"}, "logprobs": NaN}], "usage": {"prompt_tokens": 5}}'
    result = await _call(Wire(lambda _: {"status": 200, "text": text}))

    assert result.reply is not None
    assert result.reply.tokens_in == 5


async def test_a_prompt_that_was_cut_is_no_verdict() -> None:
    """Less than half of its tokens were read: the judge did not see the sources."""
    long = JudgeRequest("s", "words and more words. " * 1000, "q", {}, 64)

    result = await _call(Wire(lambda _: ok(tokens_in=2050)), request=long)

    assert result.trouble is not None
    assert result.trouble.kind == "prompt_truncated"
    assert result.reply is not None  # it was paid for


async def test_blanks_are_no_words() -> None:
    """A table full of blanks makes few tokens, and is not called cut for it."""
    table = JudgeRequest("s", ("a" + " " * 60) * 400, "q", {}, 64)

    result = await _call(Wire(lambda _: ok(tokens_in=900)), request=table)

    assert result.trouble is None


async def test_a_bare_string_and_an_empty_body_are_no_replies() -> None:
    """Tried again like any fault on the way."""
    answers = [{"status": 200, "text": '"ok"'}, {"status": 200, "text": ""}, ok()]
    result = await _call(Wire(lambda number: answers[number]))

    assert (result.attempts, result.reply is not None) == (3, True)


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("openai", {"choices": []}),
        ("openai", {"choices": [{}]}),
        ("openai", {"choices": None}),
        ("openai_responses", {"output": []}),
        ("anthropic", {"content": []}),
        ("anthropic", {"content": "text"}),
        ("gemini", {"candidates": []}),
        ("ollama", {"message": {"content": "x"}, "done": False}),
        ("ollama", {"response": "x"}),
    ],
)
def test_a_200_without_a_reply_is_malformed(name: str, payload: dict[str, Any]) -> None:
    """It is said, not guessed."""
    with pytest.raises(MalformedReplyError):
        PROVIDERS[name].read(payload, {})


@pytest.mark.parametrize(
    ("name", "payload", "text", "finish"),
    [
        (
            "openai",
            {
                "choices": [
                    {
                        "message": {"content": None, "tool_calls": [{"function": {"arguments": GOOD}}]},
                        "finish_reason": "tool_calls",
                    }
                ]
            },
            GOOD,
            "tool",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"type": "thinking"}]}}]},
            "a",
            "stop",
        ),
        ("openai", {"choices": [{"message": {"content": 5}, "finish_reason": "weird"}]}, "", "other"),
        ("openai_responses", {"output": [{"type": "function_call", "arguments": GOOD}]}, GOOD, "stop"),
        ("openai_responses", {"output": [{"type": "message", "content": None}], "status": "cancelled"}, "", "broken"),
        (
            "anthropic",
            {"content": [{"type": "tool_use", "input": {"score": 4}}], "stop_reason": "tool_use"},
            '{"score":4}',
            "tool",
        ),
        ("anthropic", {"content": [], "stop_reason": "refusal"}, "", "refusal"),
        ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}, "", "content_filter"),
        (
            "gemini",
            {
                "candidates": [
                    {"content": {"parts": [{"functionCall": {"args": {"score": 4}}}]}, "finishReason": "STOP"}
                ]
            },
            '{"score":4}',
            "stop",
        ),
        ("gemini", {"candidates": [{"finishReason": "MAX_TOKENS"}]}, "", "length"),
        (
            "gemini",
            {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}, "finishReason": "STOP"}]},
            "",
            "no_answer",
        ),
        ("ollama", {"message": {"content": None}, "done_reason": "load"}, "", "broken"),
    ],
)
def test_odd_but_whole_replies_are_read(name: str, payload: dict[str, Any], text: str, finish: str) -> None:
    """Tool calls, parts, refusals without text, blocked prompts."""
    reply = PROVIDERS[name].read(payload, {})

    assert (reply.text, reply.finish_reason) == (text, finish)


@pytest.mark.parametrize("name", ["gemini", "ollama", "openai", "openai_responses", "anthropic"])
def test_settings_reach_the_request(name: str) -> None:
    """Seed, temperature, window, further fields, each where the provider takes it."""
    config = JudgeConfig(provider=name, seed=7, temperature=0.5, num_ctx=4096, extra_body={"top_p": 0.9})

    body = str(PROVIDERS[name].body(REQUEST, config, PROVIDERS[name].first_tuning))

    assert "0.5" in body
    assert "'top_p': 0.9" in body
    assert ("4096" in body) == (name == "ollama")


@pytest.mark.parametrize(
    ("name", "extra", "wanted"),
    [
        ("openai", {"response_format": {"type": "text"}}, {"response_format": {"type": "text"}}),
        ("openai_responses", {"store": True}, {"store": True}),
        ("anthropic", {"max_tokens": 9}, {"max_tokens": 9}),
        ("ollama", {"format": "json", "options": {"top_k": 1}}, {"format": "json"}),
        ("gemini", {"systemInstruction": {"parts": []}}, {"systemInstruction": {"parts": []}}),
    ],
)
def test_an_operators_own_fields_win(name: str, extra: dict[str, Any], wanted: dict[str, Any]) -> None:
    """With every provider alike; an object of settings is joined, not replaced."""
    config = JudgeConfig(provider=name, extra_body=extra)

    body = PROVIDERS[name].body(REQUEST, config, PROVIDERS[name].first_tuning)

    assert {key: body[key] for key in wanted} == wanted
    assert name != "ollama" or (body["options"]["top_k"], body["options"]["num_predict"]) == (1, 64)


def test_gemini_takes_no_keyword_that_it_refuses() -> None:
    """A property may bear a keyword's name; additionalProperties goes."""
    schema = {
        "type": "object",
        "properties": {"title": {"type": "array", "items": {"type": "string", "pattern": "x"}}},
        "additionalProperties": False,
    }
    request = JudgeRequest("s", "p", "q", schema, 64)

    body = PROVIDERS["gemini"].body(request, BASE, Tuning())

    sent = body["generationConfig"]["responseSchema"]
    assert sent["properties"] == {"title": {"type": "array", "items": {"type": "string"}}}
    assert sent["propertyOrdering"] == ["title"]
    assert "additionalProperties" not in sent


def test_anthropic_marks_the_record_for_its_cache_when_other_calls_share_it() -> None:
    """And only then: writing to the cache costs more than plain input."""
    shared = JudgeRequest("s", "p", "q", {}, 64, shares_prefix=True)
    anthropic = PROVIDERS["anthropic"]

    assert "cache_control" in str(anthropic.body(shared, BASE, Tuning()))
    assert "cache_control" not in str(anthropic.body(REQUEST, BASE, Tuning()))


def test_azure_by_the_responses_door() -> None:
    """Its own path and header."""
    config = JudgeConfig(provider="openai_responses", base_url="https://east.openai.azure.com", api_version="preview")
    provider = provider_for(config)

    assert provider.url(config) == "https://east.openai.azure.com/openai/responses?api-version=preview"
    assert provider.headers(config, "k") == {"api-key": "k"}
    assert provider.headers(config, None) == {}


async def test_token_limits_are_learnt_from_headers_too() -> None:
    """A bucket of 60,000 tokens a minute, half used: a large call waits."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(), clock=clock)
    names = ("x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens")
    for used in (10_000, 20_000, 40_000):
        headers = dict(zip(names, ("60000", str(60_000 - used), f"{used / 1000:.0f}s"), strict=True))
        limiter.release("ok", tokens=0, tokens_used=None, headers=headers, wait_s=None)

    await limiter.acquire(2000)

    assert 1.5 <= clock.now <= 2.5


async def test_a_guessed_limit_is_tried_again_after_a_while() -> None:
    """So that a wrong guess does not bind the whole run."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(), clock=clock)
    for _ in range(20):
        await limiter.acquire(0)
    clock.now += 1.0
    for _ in range(4):
        limiter.release("throttled", tokens=0, tokens_used=None, headers={}, wait_s=None)
    first = limiter.rate_per_s
    for _ in range(400):
        clock.now += 0.25
        await limiter.acquire(0)

    assert limiter.rate_per_s > 4 * first
    assert not math.isinf(limiter.rate_per_s)


async def test_the_real_clock_runs() -> None:
    """Forwards, and it can wait."""
    clock = SystemClock()
    begun = clock.monotonic()

    await clock.sleep(0.01)

    assert clock.monotonic() > begun
    assert clock.time() > 1.7e9


def test_a_completion_is_what_the_tests_say_it_is() -> None:
    """The helper's shape is that of the real thing."""
    assert PROVIDERS["openai"].read(completion(), httpx.Headers()).text == GOOD
