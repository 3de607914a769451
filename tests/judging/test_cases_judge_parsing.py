"""Replies as they were reported in public threads, with the reading a careful person would want."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal

import httpx
import pytest

from goldassay.judging.client import JudgeClient
from goldassay.judging.parsing import read_reply
from goldassay.judging.providers import PROVIDERS, JudgeRequest
from goldassay.judging.providers.base import MalformedReplyError
from goldassay.judging.reply_contract import Contract, FieldSpec, Reading
from goldassay.judging.retry import RetryPolicy
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import from_response

_CASES = Path(__file__).parents[1] / "cases"


def _cases() -> list[dict]:
    other = os.environ.get("GOLDASSAY_CASES")
    paths = [Path(other)] if other else [_CASES / "judge_parsing.jsonl", _CASES / "security.jsonl"]
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    cases = [json.loads(line) for line in lines]
    # The security cases that give a contract are about the parser too.
    return [case for case in cases if case["topic"] == "judge_parsing" or "contract" in case["input"]]


def _field(spec: dict) -> FieldSpec:
    return FieldSpec(
        spec["type"],
        spec.get("min"),
        spec.get("max"),
        tuple(spec.get("values", ())),
        {name: _field(inner) for name, inner in spec.get("fields", spec.get("item_fields", {})).items()},
        tuple(spec.get("required", ())),
    )


def _tuple(value: object) -> tuple:
    return tuple(value) if isinstance(value, list | tuple) else (() if value is None else (value,))


_POSITIONS: dict[str, Literal["line", "start", "last"]] = {
    "first": "start",
    "start": "start",
    "last": "last",
    "last_line": "line",
    "whole_reply": "line",
}


def contract_of(given: dict) -> Contract:
    """The contract of a case, in our names."""
    values = given.get("values", {})
    return Contract(
        format=given["format"],
        fields={name: _field(spec) for name, spec in given.get("fields", {}).items()},
        required=tuple(given.get("required", ())),
        pass_rule=given.get("pass_rule", ""),
        pass_field=given.get("pass_field", "pass"),
        pass_value=_tuple(given.get("pass_value", given.get("pass_values"))),
        values=tuple(values),
        scores=values if isinstance(values, dict) else {},
        synonyms=given.get("synonyms", {}),
        label=given.get("label", given.get("tag", "")),
        pattern=given.get("pattern", ""),
        position=_POSITIONS.get(given.get("position", ""), "line"),
        item_fields={name: _field(spec) for name, spec in given.get("item_fields", {}).items()},
        required_items=tuple(given.get("required_items", ())),
    )


def _result(reading: Reading) -> dict:
    """A reading in the words of the case files."""
    return {
        **{name: value for name, value in reading.values.items() if name not in {"score", "pass"}},
        **reading.detail,
        "outcome": "accepted" if reading.accepted else "judge_error",
        "error_kind": reading.error_kind,
        "retry_may_help": reading.retry_may_help,
        "score": reading.score,
        "pass": reading.passed,
        "label": reading.label,
        "items": reading.items,
        "repairs": reading.repairs,
        "injection_suspected": reading.suspect,
    }


def _error(kind: str, *, retry: bool) -> dict:
    return {"outcome": "judge_error", "error_kind": kind, "retry_may_help": retry, "score": None, "pass": None}


def _evaluated(given: dict) -> list[str]:
    return [
        text
        for text in (
            *(given.get(name) for name in ("answer", "evaluated", "evaluated_answer", "output", "question")),
            *(source["text"] for source in given.get("sources", ())),
        )
        if isinstance(text, str)
    ]


def _from_response(given: dict) -> dict:
    body = given["response"]
    trouble = from_response(200, httpx.Headers(), body, "", now=0.0)
    if trouble is not None:
        return _error(trouble.kind, retry=trouble.retry)
    try:
        reply = PROVIDERS[given.get("provider", "openai")].read(body, {})
    except MalformedReplyError:
        return _error("empty", retry=True)
    contract = contract_of(given["contract"])
    return _result(read_reply(reply.text, contract, finish_reason=reply.finish_reason, evaluated=_evaluated(given)))


class _QuickClock:
    """Waiting takes no time, but the clock moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now

    time = monotonic

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def _over_http(given: dict) -> dict:
    """Sends a call to a server that gives the case's replies in turn."""
    replies = list(given.get("http", []))
    seen = 0

    def answer(request: httpx.Request) -> httpx.Response:
        nonlocal seen
        reply = given.get("http_each") or replies[min(seen, len(replies) - 1)]
        seen += 1
        return (
            httpx.Response(
                reply["status"], headers=reply.get("headers"), json=reply.get("body"), text=reply.get("text")
            )
            if "body" in reply
            else httpx.Response(reply["status"], headers=reply.get("headers"), text=reply["text"])
        )

    policy = given.get("policy", {})
    config = JudgeConfig(provider="openai", model="judge-x", base_url="http://127.0.0.1:9/v1")
    retry = RetryPolicy(policy.get("max_attempts", 2), policy.get("base_delay_s", 0.01), 0.02)
    transport = httpx.MockTransport(answer)
    client = JudgeClient(PROVIDERS["openai"], config, policy=retry, transport=transport, clock=_QuickClock())
    async with client:
        result = await client.call(JudgeRequest("s", "p", "c", {}, 100))
    if result.reply is None:
        kind = result.trouble.kind if result.trouble else "http_error"
        return {**_error(kind, retry=False), "requests": seen}
    contract = contract_of(given["contract"])
    return {
        **_result(read_reply(result.reply.text, contract, finish_reason=result.reply.finish_reason)),
        "requests": seen,
    }


def _same(expected: object, got: object) -> bool:
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(_same(value, _item(got.get(key), value)) for key, value in expected.items())
    if isinstance(expected, float | int) and not isinstance(expected, bool) and isinstance(got, float | int):
        return abs(expected - got) <= max(1e-4, abs(expected) * 1e-9) and not isinstance(got, bool)
    return expected == got


def _item(got: object, wanted: object) -> object:
    """An item of an array, where the case names only the one field that says yes or no."""
    if isinstance(got, dict) and not isinstance(wanted, dict):
        return next((value for value in got.values() if not isinstance(value, str)), None)
    return got


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["case"])
async def test_a_reported_reply_is_read_as_a_careful_person_would(case):
    """Each case's outcome, score, repairs and kind of error are the expected ones."""
    given, expected = case["input"], case["expected"]

    if "http" in given or "http_each" in given:
        result = await _over_http(given)
    elif "response" in given:
        result = _from_response(given)
    else:
        result = _result(read_reply(given["reply"], contract_of(given["contract"]), evaluated=_evaluated(given)))

    for key, value in expected.items():
        if key == "repairs":
            assert set(value) == set(result["repairs"]), key
        elif key == "items" and isinstance(value, list):
            assert _same(dict(enumerate(value)), dict(enumerate(result["items"].values()))), key
        else:
            assert _same(value, result.get(key)), f"{key}: {result.get(key)!r} instead of {value!r}; {result}"
