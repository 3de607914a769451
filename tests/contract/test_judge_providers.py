"""What every judge provider must do, over all of PROVIDERS: by a transport in memory, and against a judge server."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.errors import ConfigError
from goldassay.judging.client import CallResult, JudgeClient
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.limits import AdaptiveLimiter
from goldassay.judging.providers import PROVIDERS, api_key, provider_for
from goldassay.judging.providers.base import JudgeRequest
from goldassay.judging.retry import RetryPolicy
from goldassay.judging.settings import JudgeConfig
from goldassay.verdicts import Outcome
from tests.judging.judge_wire import GOOD, STAMP, Quiet, VirtualClock, items, one_criterion

KEY = "sk-secret-8f3b2c91d0"
SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer"}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
REQUEST = JudgeRequest("the rubric", "the record. ", "the criterion.", SCHEMA, 256)
NAMES = sorted(PROVIDERS)


def _reply(name: str, text: str, finish: str = "stop") -> dict[str, Any]:
    """A reply in the provider's own shape; `finish` is stop, length, refusal or content_filter."""
    if name in {"openai", "scripted"}:
        message: dict[str, Any] = {"role": "assistant", "content": text, "reasoning_content": "thought: score 1"}
        reason = {"refusal": "stop"}.get(finish, finish)
        if finish == "refusal":
            message = {"role": "assistant", "content": None, "refusal": text}
        details = {"cached_tokens": 30}
        usage = {"prompt_tokens": 90, "completion_tokens": 12, "prompt_tokens_details": details}
        return {"id": "c1", "model": "m-1", "choices": [{"message": message, "finish_reason": reason}], "usage": usage}
    if name == "openai_responses":
        part = {"type": "refusal", "refusal": text} if finish == "refusal" else {"type": "output_text", "text": text}
        cut = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(finish)
        return {
            "id": "r1",
            "model": "m-1",
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": cut} if cut else None,
            "error": None,
            "output": [{"type": "reasoning", "summary": [{"text": "score 1"}]}, {"type": "message", "content": [part]}],
            "usage": {"input_tokens": 90, "output_tokens": 12, "input_tokens_details": {"cached_tokens": 30}},
        }
    if name == "anthropic":
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(finish, "refusal")
        usage = {
            "input_tokens": 50,
            "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": 10,
            "output_tokens": 12,
        }
        content = [{"type": "thinking", "thinking": "score 1"}, {"type": "text", "text": text}]
        return {
            "id": "a1",
            "type": "message",
            "model": "m-1",
            "content": content,
            "stop_reason": reason,
            "usage": usage,
        }
    if name == "gemini":
        reason = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY", "refusal": "SAFETY"}[finish]
        parts = [{"text": "score 1", "thought": True}, {"text": text}]
        usage = {
            "promptTokenCount": 90,
            "cachedContentTokenCount": 30,
            "candidatesTokenCount": 8,
            "thoughtsTokenCount": 4,
        }
        candidate = {"content": {"parts": parts}, "finishReason": reason}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m-1", "responseId": "g1"}
    message = {"role": "assistant", "content": text, "thinking": "score 1"}
    counts = {"prompt_eval_count": 90, "eval_count": 12}
    return {"model": "m-1", "message": message, "done": True, "done_reason": finish, **counts}


def _error(name: str, status: int, message: str) -> dict[str, Any]:
    """An error body as the provider writes it."""
    if name == "anthropic":
        kind = {429: "rate_limit_error", 400: "invalid_request_error", 401: "authentication_error"}
        return {"type": "error", "error": {"type": kind.get(status, "api_error"), "message": message}}
    if name == "gemini":
        kind = {429: "RESOURCE_EXHAUSTED", 400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED"}
        return {"error": {"code": status, "message": message, "status": kind.get(status, "INTERNAL")}}
    if name == "ollama":
        return {"error": message}
    kind = {429: "requests", 400: "invalid_request_error", 401: "invalid_request_error"}
    return {"error": {"message": message, "type": kind.get(status, "server_error"), "param": None, "code": None}}


class _Played:
    """One call of a provider against replies given in turn."""

    def __init__(self, name: str, *answers: httpx.Response | Exception, **settings: Any) -> None:
        self.clock = VirtualClock()
        self.requests: list[httpx.Request] = []
        self._answers = list(answers)
        self.config = JudgeConfig(provider=name, base_url="http://127.0.0.1:9", model="m", **settings)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    async def call(self) -> CallResult:
        self.client = JudgeClient(
            provider_for(self.config),
            self.config,
            key=KEY,
            limiter=AdaptiveLimiter(self.config, clock=Quiet(self.clock)),
            clock=self.clock,
            policy=RetryPolicy.of(self.config, random.Random(3)),
            transport=httpx.MockTransport(self._handle),
        )
        async with self.client:
            return await self.client.call(REQUEST)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


def _good(name: str) -> httpx.Response:
    return httpx.Response(200, json=_reply(name, GOOD))


@pytest.mark.parametrize("name", NAMES)
async def test_a_good_reply_is_read_whole(name: str) -> None:
    """Text without thoughts, usage with cached tokens, finish reason, reported model, request id."""
    result = await _Played(name, _good(name)).call()

    assert result.trouble is None
    assert result.reply is not None
    assert result.reply.text == GOOD
    assert result.reply.finish_reason == "stop"
    assert (result.reply.tokens_in, result.reply.tokens_out) == (90, 12)
    assert result.reply.tokens_cached == (None if name == "ollama" else 30)
    assert result.reply.model_reported == "m-1"
    assert result.attempts == 1


@pytest.mark.parametrize("name", NAMES)
async def test_record_stands_before_criterion_and_schema_is_asked_for(name: str) -> None:
    """The shared prefix comes first, so that prefix caches hit; the schema goes in the provider's own way."""
    played = _Played(name, _good(name))

    await played.call()

    sent = played.requests[0].content.decode()
    assert sent.index("the record. ") < sent.index("the criterion.")
    assert '"score"' in sent
    assert "Its JSON schema" not in sent


@pytest.mark.parametrize("name", NAMES)
async def test_the_key_goes_out_in_a_header_and_nowhere_else(name: str) -> None:
    """Not in the address, not in the body, not in a repr."""
    played = _Played(name, _good(name))

    await played.call()

    request = played.requests[0]
    assert any(KEY in value for value in request.headers.values())
    assert KEY not in str(request.url) + request.content.decode() + repr(played.client) + repr(played.config)


@pytest.mark.parametrize("name", NAMES)
async def test_throttled_it_waits_as_long_as_asked(name: str) -> None:
    """429 with Retry-After, then a reply."""
    busy = httpx.Response(429, headers={"retry-after": "2.5"}, json=_error(name, 429, "slow down"))
    played = _Played(name, busy, _good(name))

    result = await played.call()

    assert result.reply is not None
    assert result.attempts == 2
    assert 2.5 <= played.clock.naps[0] <= 3.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(lambda name: httpx.Response(500, json=_error(name, 500, "oops")), id="500"),
        pytest.param(lambda _: httpx.ReadTimeout("too slow"), id="timeout"),
        pytest.param(lambda name: httpx.Response(200, content=_good(name).content[:-9]), id="cut-json"),
        pytest.param(lambda _: httpx.Response(502, html="<html>Bad gateway</html>"), id="proxy-html"),
        pytest.param(lambda _: httpx.Response(200, html="<html>Please sign in</html>"), id="200-html"),
        pytest.param(lambda name: httpx.Response(200, json=_error(name, 500, "server_error")), id="200-error"),
        pytest.param(lambda _: httpx.Response(200, json={"id": "x"}), id="200-nothing"),
    ],
)
async def test_what_may_pass_is_tried_again(name: str, trouble: Any) -> None:
    """Server errors, time-outs, cut bodies, pages of a proxy, a 200 that holds an error or nothing."""
    played = _Played(name, trouble(name), _good(name))

    result = await played.call()

    assert result.reply is not None
    assert result.attempts == 2
    assert 0.8 <= played.clock.naps[0] <= 1.2


@pytest.mark.parametrize("name", NAMES)
async def test_time_outs_end_as_such(name: str) -> None:
    """Attempts are counted, the last trouble is told."""
    result = await _Played(name, httpx.ReadTimeout("too slow"), max_attempts=3).call()

    assert result.reply is None
    assert result.trouble is not None
    assert result.trouble.category == "timed_out"
    assert result.attempts == 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("finish", ["length", "refusal", "content_filter"])
async def test_finish_reasons_have_common_names(name: str, finish: str) -> None:
    """A refusal of a provider that knows none is its content filter, and the other way round."""
    if name == "ollama" and finish != "length":
        pytest.skip("Ollama tells neither refusals nor filters")
    result = await _Played(name, httpx.Response(200, json=_reply(name, "I cannot judge this.", finish))).call()

    assert result.reply is not None
    wanted = {finish}
    if finish != "length" and name in {"anthropic", "gemini"}:
        wanted = {"refusal", "content_filter"}
    assert result.reply.finish_reason in wanted


@pytest.mark.parametrize("name", NAMES)
async def test_a_blocked_prompt_is_not_asked_again(name: str) -> None:
    """A content filter's 400 concerns this record alone."""
    message = "The response was filtered due to the prompt triggering the content management policy."
    result = await _Played(name, httpx.Response(400, json=_error(name, 400, message))).call()

    assert result.trouble is not None
    assert result.trouble.kind == "blocked"
    assert not result.trouble.stops_run
    assert result.attempts == 1


@pytest.mark.parametrize("name", NAMES)
async def test_a_refused_temperature_is_left_out_for_the_rest_of_the_run(name: str) -> None:
    """One fallback, remembered and noted."""
    message = "Unsupported value: 'temperature' does not support 0 with this model."
    played = _Played(name, httpx.Response(400, json=_error(name, 400, message)), _good(name))

    result = await played.call()

    assert result.reply is not None
    assert [b'"temperature"' in request.content for request in played.requests] == [True, False]
    assert played.client.refused == {"temperature": "provider default"}
    assert played.clock.naps == []


@pytest.mark.parametrize("name", NAMES)
async def test_a_refused_shape_is_put_into_words(name: str) -> None:
    """Where no schema is taken, the prompt says what the reply must look like."""
    message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported; tool_choice neither."
    answer = httpx.Response(400, json=_error(name, 400, message))
    played = _Played(name, answer, answer, _good(name))

    result = await played.call()

    assert result.reply is not None
    assert result.attempts == 3
    assert "Its JSON schema" in played.requests[-1].content.decode()


@pytest.mark.parametrize("name", NAMES)
async def test_a_wrong_key_ends_at_once_and_stays_unsaid(name: str) -> None:
    """401 is asked once; a server that echoes the key does not get it into our words."""
    message = f"Incorrect API key provided: {KEY}"
    result = await _Played(name, httpx.Response(401, json=_error(name, 401, message))).call()

    assert result.trouble is not None
    assert result.trouble.stops_run
    assert result.attempts == 1
    assert KEY not in repr(result)


@pytest.mark.parametrize("name", NAMES)
def test_an_echoed_key_reaches_no_file(name: str, tmp_path: Path) -> None:
    """Neither from an error body nor from a reply's text."""
    answers = [
        httpx.Response(400, json=_error(name, 400, f"bad request with {KEY}")),
        httpx.Response(200, json=_reply(name, f'{{"reason": "{KEY}", "score": 4, "category": "none"}}')),
    ]
    journal = tmp_path / "journal.jsonl"
    judge_shard(
        items(2),
        rubric=one_criterion(),
        config=JudgeConfig(provider=name, base_url="http://127.0.0.1:9", max_in_flight=1, api_key_env="THE_KEY"),
        journal=journal,
        environ={"THE_KEY": KEY},
        stamp=STAMP,
        transport=httpx.MockTransport(lambda _: answers.pop(0)),
    )

    rows = list(verdicts_from_journal(journal))
    assert [row.outcome for row in rows] == [Outcome.ERROR, Outcome.PASS]
    assert KEY not in journal.read_text(encoding="utf-8") + repr(rows)


@pytest.mark.parametrize("name", NAMES)
async def test_thinking_alone_is_no_answer(name: str) -> None:
    """A reply whose text is empty beside its thoughts says so by its finish reason."""
    result = await _Played(name, httpx.Response(200, json=_reply(name, ""))).call()

    assert result.reply is not None
    assert result.reply.text == ""
    if name != "gemini":  # its empty text part is an answer, if an empty one
        assert result.reply.finish_reason == "no_answer"


def test_azure_paths_and_header() -> None:
    """With api_version: deployment path, api-version, and the key in `api-key`."""
    config = JudgeConfig(base_url="https://east.openai.azure.com/", model="judge 4", api_version="2024-10-21")
    provider = provider_for(config)

    path = "https://east.openai.azure.com/openai/deployments/judge%204/chat/completions?api-version=2024-10-21"
    assert provider.url(config) == path
    assert provider.headers(config, KEY) == {"api-key": KEY}


@pytest.mark.parametrize("base", ["http://h/v1", "http://h/v1/", "http://h/v1/chat/completions"])
def test_a_base_address_may_be_written_in_several_ways(base: str) -> None:
    """With a slash at its end, or with the path that people copy from a manual."""
    config = JudgeConfig(base_url=base)

    assert provider_for(config).url(config) == "http://h/v1/chat/completions"


@pytest.mark.parametrize("name", NAMES)
def test_a_key_is_not_sent_to_an_address_it_was_not_named_for(name: str) -> None:
    """The usual variable counts at the provider's own address alone."""
    provider = PROVIDERS[name]
    environ = {provider.default_key_env: KEY, "OTHER_KEY": "other"}

    assert api_key(JudgeConfig(provider=name), environ) == KEY
    assert api_key(JudgeConfig(provider=name, base_url="http://elsewhere/v1"), environ) is None
    named = JudgeConfig(provider=name, base_url="http://elsewhere/v1", api_key_env="OTHER_KEY")
    assert api_key(named, environ) == "other"


def test_an_unknown_provider_is_named_with_the_nearest_known() -> None:
    """A misspelt name gets a hint."""
    with pytest.raises(ConfigError, match="did you mean 'anthropic'"):
        provider_for(JudgeConfig(provider="antropic"))


def test_a_named_key_that_is_not_set_is_said_before_any_call() -> None:
    """Its name, never a value."""
    with pytest.raises(ConfigError, match="JUDGE_KEY"):
        api_key(JudgeConfig(api_key_env="JUDGE_KEY"), {"OTHER": KEY})


@pytest.fixture(scope="module")
def judge_server() -> Iterator[str]:
    """A mock judge server beside the project, in a process of its own."""
    script = Path(__file__).resolve().parents[3] / "shared" / "tools" / "judge_server.py"
    if not script.is_file():
        pytest.skip("no mock judge server beside the project")
    process = subprocess.Popen([sys.executable, str(script), "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())["listening"]
    process.terminate()
    process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("name", "base"),
    [("openai", "/v1"), ("openai_responses", "/v1"), ("anthropic", "/v1"), ("gemini", "/v1beta")],
)
def test_verdicts_over_real_http(name: str, base: str, judge_server: str, tmp_path: Path) -> None:
    """Every record gets a readable verdict from a server that speaks the provider's protocol."""
    journal = tmp_path / "journal.jsonl"
    summary = judge_shard(
        items(20),
        rubric=one_criterion(),
        config=JudgeConfig(provider=name, base_url=judge_server + base, model="mock-judge"),
        journal=journal,
        environ={},
        stamp=STAMP,
    )

    rows = list(verdicts_from_journal(journal))
    assert len(rows) == 20
    assert all(row.outcome in {Outcome.PASS, Outcome.FAIL} for row in rows)
    assert all(row.tokens_in and row.tokens_out for row in rows)
    assert summary.requests == 20
