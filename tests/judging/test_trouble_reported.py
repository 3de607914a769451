"""Error bodies as providers and proxies really send them, taken from public reports: each is what its words say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldassay.judging.retry import RetryPolicy
from goldassay.judging.trouble import Trouble, from_response

_BODIES = Path(__file__).parents[1] / "data" / "error_bodies.jsonl"
_NOW = 1_788_000_000.0


def _rows() -> list[Any]:
    rows = [json.loads(line) for line in _BODIES.read_text(encoding="ascii").splitlines()]
    return [pytest.param(row, id=row["id"]) for row in rows]


def _trouble(row: dict[str, Any]) -> Trouble | None:
    text = row.get("text", "")
    return from_response(row["status"], httpx.Headers(row.get("headers", {})), row.get("body"), text, now=_NOW)


@pytest.mark.parametrize("row", _rows())
def test_a_body_means_what_its_words_say(row: dict[str, Any]) -> None:
    """Kind, whether to send again, and whether it is the end of the run: a bill is no pause, a pause is no bill."""
    trouble = _trouble(row)

    assert trouble is not None
    assert (trouble.kind, trouble.retry) == (row["kind"], row["retry"])
    stops = trouble.stops_run or RetryPolicy().next_wait(trouble, failures=1, elapsed_s=0.0) is None
    assert (stops and RetryPolicy().stops_run(trouble)) is row["stops"]


def test_what_a_router_hides_is_shown() -> None:
    """'Provider returned error' helps nobody; the provider's own words stand one level deeper."""
    raw = "judge-large is temporarily rate-limited upstream. Please retry shortly."
    body = {"error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": raw}}}

    trouble = from_response(429, httpx.Headers(), body, "", now=_NOW)

    assert trouble is not None
    assert trouble.detail == raw


@pytest.mark.parametrize(
    "body",
    [
        {"choices": [{"message": {"content": "x"}}], "base_resp": {"status_code": 0, "status_msg": ""}},
        {"choices": [{"message": {"content": "x"}}], "code": 200, "message": "success"},
        {"message": {"role": "assistant", "content": "x"}, "code": 3, "done": True},
        {"output": [{"type": "message"}], "message": "queued", "code": 1},
    ],
)
@pytest.mark.parametrize("status", [200, 201])
def test_a_reply_with_fields_of_an_error_is_a_reply(status: int, body: dict[str, Any]) -> None:
    """Gateways wrap replies in codes and messages of their own, and some say 201 to every POST."""
    assert from_response(status, httpx.Headers(), body, "", now=_NOW) is None
