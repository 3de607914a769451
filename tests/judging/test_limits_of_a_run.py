"""What must not get past a run's limits, its settings or its masks."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from pydantic import ValidationError

from goldassay.errors import ConfigError, JudgeTransientError
from goldassay.judging.client import JudgeClient
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.providers import provider_for, with_proxy
from goldassay.judging.settings import JudgeConfig, Price
from goldassay.judging.trouble import from_response
from goldassay.verdicts import Category, Outcome, Verdict
from tests.judging.judge_wire import STAMP, Wire, completion, items, ok, one_criterion

URL = "http://127.0.0.1:9/v1"
PRICES = {"judge": Price(input=10.0, output=30.0)}


def _judge(count: int, wire: httpx.AsyncBaseTransport, journal: Path, **settings: Any) -> list[Verdict]:
    environ = settings.pop("environ", {})
    judge_shard(
        items(count), rubric=one_criterion(), config=JudgeConfig(base_url=URL, base_delay_s=0.0, **settings),
        journal=journal, environ=environ, stamp=STAMP, transport=wire,
    )  # fmt: skip
    return list(verdicts_from_journal(journal))


def test_the_minutes_end_a_run_whose_pace_is_slow(tmp_path: Path) -> None:
    """Six requests a minute, and three seconds to live: sixty answers do not hold it for ten minutes."""
    begun = time.monotonic()

    rows = _judge(60, Wire(lambda _: ok()), tmp_path / "j", requests_per_minute=6, max_minutes=0.05, max_in_flight=8)

    assert time.monotonic() - begun < 20
    assert len(rows) == 60
    assert sum(row.category == Category.OVER_BUDGET for row in rows) >= 55


def test_replies_without_usage_count_against_the_money(tmp_path: Path) -> None:
    """What is not told is reckoned, and never called free."""

    def silent(_: int) -> dict[str, Any]:
        body = completion()
        del body["usage"]
        return {"status": 200, "body": body}

    wire = Wire(silent)
    rows = _judge(200, wire, tmp_path / "j", max_cost_usd=0.05, prices=PRICES, max_in_flight=4)

    assert 0 < len(wire.bodies) < 100
    assert sum(row.category == Category.OVER_BUDGET for row in rows) == 200 - len(wire.bodies)
    assert all(row.cost_usd is None for row in rows if row.outcome is Outcome.PASS)


def test_responses_without_a_reply_count_against_the_calls(tmp_path: Path) -> None:
    """A 200 with no choice in it is paid for: it is not sent five times, and each counts."""
    wire = Wire(lambda _: {"status": 200, "body": {**completion(), "choices": []}})

    _judge(100, wire, tmp_path / "j", max_calls=5, max_in_flight=1)

    assert len(wire.bodies) <= 5 + 2


def test_a_judge_that_goes_away_stops_the_run_and_is_asked_again_by_the_next(tmp_path: Path) -> None:
    """Ten answered, then nobody: the rest is neither burnt nor lost."""
    wire = Wire(lambda n: ok() if n < 10 else {"error": "ConnectError", "message": "refused"})
    with pytest.raises(JudgeTransientError, match="answered none of 5 calls in a row"):
        _judge(60, wire, tmp_path / "j", give_up_after=5, max_in_flight=2, max_attempts=2)
    assert len(wire.bodies) < 30

    back = Wire(lambda _: ok())
    rows = _judge(60, back, tmp_path / "j", max_in_flight=2)

    assert len(back.bodies) == 50
    assert [row.outcome for row in rows] == [Outcome.PASS] * 60


@pytest.mark.parametrize("form", ["plain", "json", "address", "lower"])
def test_a_key_is_masked_in_whatever_escapes(form: str) -> None:
    """As it is, as JSON may write it, as an address holds it."""
    key = "sk/tests+only&nothing"
    client = JudgeClient(provider_for(JudgeConfig(base_url=URL)), JudgeConfig(base_url=URL), key=key)
    address = quote(key, safe="")
    lower = address.replace("%2F", "%2f").replace("%2B", "%2b")
    forms = {"plain": key, "json": json.dumps(key)[1:-1].replace("/", "\\/"), "address": address, "lower": lower}
    written = forms[form]

    assert client.masked(f"before {written} behind") == "before *** behind"


def test_a_key_in_the_reported_model_or_request_id_reaches_no_row(tmp_path: Path) -> None:
    """A server that echoes it there does not get it into the store."""
    key = "sk-tests-only-nothing"
    body = {**completion(), "model": f"judge-{key}"}
    wire = Wire(lambda _: {"status": 200, "body": body, "headers": {"x-request-id": f"id-{key}"}})

    rows = _judge(1, wire, tmp_path / "j", api_key_env="KEY", environ={"KEY": key})

    assert rows[0].judge_model_reported == "judge-***"
    assert key not in repr(rows) + (tmp_path / "j").read_text(encoding="utf-8")


@pytest.mark.parametrize("echo", ["how does billing work per day?", "is the context window in the prompt?", "flagged"])
def test_an_echoed_question_is_no_quota(echo: str) -> None:
    """Servers repeat what they refuse; one record's words must not stop the run."""
    body = {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": echo}]}

    trouble = from_response(422, {}, body, json.dumps(body), now=0.0)

    assert trouble is not None
    assert (trouble.kind, trouble.stops_run) == ("bad_request", False)


@pytest.mark.parametrize(
    ("status", "refusal", "gone"),
    [
        (400, {"error": {"message": "Unsupported parameter.", "param": "temperature"}}, "temperature"),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": 7}]}, "seed"),
        (400, {"error": {"message": "The proxy " + "says much " * 40 + "unsupported: temperature"}}, "temperature"),
    ],
    ids=["param", "place", "late in a long message"],
)
def test_a_refused_parameter_is_found_wherever_it_is_named(
    tmp_path: Path, status: int, refusal: dict[str, Any], gone: str
) -> None:
    """And left out for the rest of the run."""
    wire = Wire(lambda n: {"status": status, "body": refusal} if n == 0 else ok())

    rows = _judge(3, wire, tmp_path / "j", max_in_flight=1, seed=7)

    assert [row.outcome for row in rows] == [Outcome.PASS] * 3
    assert gone in wire.bodies[0]
    assert all(gone not in body for body in wire.bodies[1:])


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "http://user:secret@127.0.0.1:9/v1"},
        {"proxy": "http://user:secret@127.0.0.1:9"},
        {"extra_body": {"api_key": "sk-tests-only"}},
        {"base_url": "https://sk-tests-only@127.0.0.1:9/v1"},
        {"extra_body": {"headers": {"Authorization": "Bearer sk-tests-only"}}},
        {"extra_body": {"tools": [{"client_secret": "sk-tests-only"}]}},
    ],
)
def test_a_secret_in_the_settings_is_refused_and_not_repeated(settings: dict[str, Any]) -> None:
    """Settings are kept with every run; the message names the way out."""
    with pytest.raises(ValidationError, match="Export it and name the variable") as caught:
        JudgeConfig(**settings)

    assert "secret@" not in caught.value.errors()[0]["msg"]
    assert "sk-tests" not in caught.value.errors()[0]["msg"]


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "https://127.0.0.1/v1?key=sk-tests-only"},
        {"base_url": "https://127.0.0.1/v1#sk-tests-only"},
        {"api_key_env": "sk-tests-only"},
        {"api_key_env": "gsk_tests" + "aB3" * 10},
        {"proxy_env": "http://user:sk-tests-only@127.0.0.1:9"},
    ],
)
def test_a_secret_in_the_wrong_place_is_refused_and_not_repeated(settings: dict[str, Any]) -> None:
    """A key where its variable's name belongs, or in a query, where no path can follow."""
    with pytest.raises(ValidationError) as caught:
        JudgeConfig(**settings)

    assert "tests" not in caught.value.errors()[0]["msg"]


@pytest.mark.parametrize("name", ["prompt_cache_key", "tokenizer", "safety_identifier", "reasoning_effort"])
def test_an_ordinary_field_is_no_secret(name: str) -> None:
    """Though its name sounds like one."""
    assert JudgeConfig(extra_body={name: "a-long-ordinary-value"}).extra_body


def test_a_proxy_with_a_password_comes_from_the_environment() -> None:
    """For the client alone; without its variable the run does not start."""
    config = JudgeConfig(base_url=URL, proxy_env="THE_PROXY")

    assert with_proxy(config, {"THE_PROXY": "http://u:p@127.0.0.1:9"}).proxy == "http://u:p@127.0.0.1:9"
    with pytest.raises(ConfigError, match="THE_PROXY"):
        with_proxy(config, {})
