"""Every kind of trouble as providers write it: what it is, whether it is tried again, after how long."""

from __future__ import annotations

import random
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging.retry import RetryPolicy
from goldassay.judging.trouble import Trouble, from_exception, from_response
from goldassay.judging.waits import duration_s, retry_after_s, server_wait

NOW = 1_788_000_000.0


def _seen(status: int, body: Any = None, headers: dict[str, str] | None = None, text: str = "") -> Trouble | None:
    return from_response(status, httpx.Headers(headers or {}), body, text, now=NOW)


def _error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


_GEMINI_DAY = {
    "error": {
        "code": 429,
        "status": "RESOURCE_EXHAUSTED",
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "details": [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}],
    }
}
_CREDIT = {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "retry", "stops"),
    [
        pytest.param(
            429, _error("Rate limit reached", code="rate_limit_exceeded"), "rate_limited", True, False, id="429"
        ),
        pytest.param(
            429,
            _error("You exceeded your quota", code="insufficient_quota"),
            "quota_exhausted",
            False,
            True,
            id="unpaid",
        ),
        pytest.param(429, _GEMINI_DAY, "quota_exhausted", True, False, id="gemini-day"),
        pytest.param(
            429, _error("Rate limit on tokens per day (TPD): Limit 100000"), "quota_exhausted", True, False, id="tpd"
        ),
        pytest.param(
            429,
            _error("Request too large on tokens per min (TPM): Limit 30000, Requested 41000.", type="tokens"),
            "context_too_long",
            False,
            False,
            id="larger-than-a-minute",
        ),
        pytest.param(400, _CREDIT, "quota_exhausted", False, True, id="anthropic-credit"),
        pytest.param(402, _error("Insufficient credits"), "quota_exhausted", False, True, id="402"),
        pytest.param(401, _error("No auth credentials found"), "auth", False, True, id="401"),
        pytest.param(401, {"detail": "Unauthorized"}, "auth", False, True, id="401-detail"),
        pytest.param(403, _error("no", status="PERMISSION_DENIED"), "auth", False, True, id="403"),
        pytest.param(
            400, _error("API key not valid.", status="INVALID_ARGUMENT"), "auth", False, True, id="gemini-key"
        ),
        pytest.param(
            404,
            _error("The model `x` does not exist", code="model_not_found"),
            "model_not_found",
            False,
            True,
            id="404",
        ),
        pytest.param(
            404, {"error": "model 'x' not found, try pulling it first"}, "model_not_found", False, True, id="ollama"
        ),
        pytest.param(404, _error("", code="DeploymentNotFound"), "model_not_found", False, True, id="azure"),
        pytest.param(400, _error("x is not a valid model ID"), "model_not_found", False, True, id="router-model"),
        pytest.param(
            404,
            {"object": "error", "message": "The model `x` does not exist.", "type": "NotFoundError", "code": 404},
            "model_not_found",
            False,
            True,
            id="vllm",
        ),
        pytest.param(
            413, {"type": "error", "error": {"type": "request_too_large"}}, "context_too_long", False, False, id="413"
        ),
        pytest.param(
            400,
            {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}},
            "context_too_long",
            False,
            False,
            id="anthropic-long",
        ),
        pytest.param(
            400,
            _error("The input token count (9) exceeds the maximum number of tokens allowed (8)."),
            "context_too_long",
            False,
            False,
            id="gemini-long",
        ),
        pytest.param(
            400,
            {"object": "error", "message": "This model's maximum context length is 8 tokens.", "code": 400},
            "context_too_long",
            False,
            False,
            id="vllm-long",
        ),
        pytest.param(400, _error("x", code="content_filter"), "blocked", False, False, id="filter"),
        pytest.param(400, _error("x", code="content_policy_violation"), "blocked", False, False, id="policy"),
        pytest.param(400, _error("'messages' is a required property"), "bad_request", False, False, id="400"),
        pytest.param(
            422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, "bad_request", False, False, id="422"
        ),
        pytest.param(400, _error("x", code="json_validate_failed"), "http_error", True, False, id="groq-json"),
        pytest.param(503, _error("x", type="engine_overloaded"), "http_error", True, False, id="503"),
        pytest.param(
            503, {"error": "Model is loading", "estimated_time": 20.0}, "http_error", True, False, id="loading"
        ),
        pytest.param(
            529, {"type": "error", "error": {"type": "overloaded_error"}}, "http_error", True, False, id="529"
        ),
        pytest.param(524, _error("x"), "http_error", True, False, id="524"),
        pytest.param(504, _error("x"), "timed_out", True, False, id="504"),
        pytest.param(408, _error("x"), "timed_out", True, False, id="408"),
        pytest.param(409, _error("x"), "http_error", True, False, id="409"),
        pytest.param(501, _error("not implemented"), "bad_request", False, False, id="501"),
        pytest.param(
            200, {"error": {"code": 429, "message": "Rate limited upstream"}}, "rate_limited", True, False, id="200-429"
        ),
        pytest.param(200, {"error": {"code": 502, "message": "Upstream"}}, "http_error", True, False, id="200-502"),
        pytest.param(200, {"error": {"message": "?"}}, "http_error", True, False, id="200-unknown"),
        pytest.param(
            200,
            {"type": "error", "error": {"type": "authentication_error", "message": "x"}},
            "auth",
            False,
            True,
            id="200-auth",
        ),
        pytest.param(
            200,
            {"choices": [{"error": {"code": 503, "message": "provider is gone"}}]},
            "http_error",
            True,
            False,
            id="in-choice",
        ),
        pytest.param(
            500, [{"error": {"code": 500, "status": "INTERNAL", "message": "x"}}], "http_error", True, False, id="list"
        ),
    ],
)
def test_trouble_is_told_by_code_and_type(status: int, body: Any, kind: str, retry: bool, stops: bool) -> None:  # noqa: FBT001 - from the table
    """Not by the envelope it comes in."""
    trouble = _seen(status, body)

    assert trouble is not None
    assert (trouble.kind, trouble.retry, trouble.stops_run) == (kind, retry, stops)


@pytest.mark.parametrize(
    ("status", "kind", "retry", "stops"),
    [
        (200, "http_error", True, False),
        (502, "http_error", True, False),
        (403, "http_error", True, False),
        (429, "rate_limited", True, False),
        (401, "auth", False, True),
        (404, "http_error", False, True),
        (302, "http_error", False, True),
        (400, "http_error", False, False),
        (413, "context_too_long", False, False),
    ],
)
def test_pages_that_are_no_json(status: int, kind: str, retry: bool, stops: bool) -> None:  # noqa: FBT001 - from the table
    """A proxy's page is a fault on the way, unless its status is plain."""
    trouble = _seen(status, None, text="<html>...</html>")

    assert trouble is not None
    assert (trouble.kind, trouble.retry, trouble.stops_run) == (kind, retry, stops)


def test_a_reply_is_no_trouble() -> None:
    """Also when it carries an empty error field."""
    assert _seen(200, {"error": None, "choices": [{"message": {"content": "x"}}]}) is None
    assert _seen(200, {"output": [], "error": None, "detail": "x"}) is None


@pytest.mark.parametrize(
    ("error", "kind", "retry"),
    [
        (httpx.ReadTimeout("x"), "timed_out", True),
        (httpx.ConnectTimeout("x"), "timed_out", True),
        (TimeoutError(), "timed_out", True),
        (httpx.ConnectError("x"), "http_error", True),
        (httpx.RemoteProtocolError("x"), "http_error", True),
        (httpx.ReadError("x"), "http_error", True),
        (httpx.DecodingError("x"), "http_error", True),
        (httpx.UnsupportedProtocol("x"), "http_error", False),
    ],
)
def test_faults_of_the_transport(error: Any, kind: str, retry: bool) -> None:  # noqa: FBT001 - from the table
    """Nearly all may pass; an address without http:// may not."""
    trouble = from_exception(error)

    assert (trouble.kind, trouble.retry) == (kind, retry)


@pytest.mark.parametrize(
    ("headers", "body", "wanted"),
    [
        ({"Retry-After": "2"}, None, 2.0),
        ({"retry-after": "0.25"}, None, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "2"}, None, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, None, 2.0),
        ({"retry-after": "-1"}, None, None),
        ({"retry-after": "soon"}, None, None),
        ({"retry-after": "nan"}, None, None),
        ({"retry-after": "1e9999"}, None, None),
        ({"retry-after": "Sat, 29 Aug 2026 10:40:10 GMT"}, None, 10.0),
        ({"retry-after": "Sat, 29 Aug 2026 10:39:00 GMT"}, None, 0.0),
        ({"retry-after": "Saturday, 29-Aug-26 10:40:10 GMT"}, None, 10.0),
        ({"retry-after": f"{NOW + 30:.0f}"}, None, 30.0),
        ({"x-ratelimit-reset-requests": "1m30s", "x-ratelimit-remaining-requests": "0"}, None, 90.0),
        ({"x-ratelimit-reset-requests": "6s", "x-ratelimit-remaining-requests": "12"}, None, None),
        (
            {
                "x-ratelimit-reset-requests": "6s",
                "x-ratelimit-remaining-requests": "12",
                "x-ratelimit-reset-tokens": "210ms",
                "x-ratelimit-remaining-tokens": "0",
            },
            None,
            0.21,
        ),
        ({"x-ratelimit-reset": f"{NOW + 7:.0f}"}, None, 7.0),
        ({"x-ratelimit-reset": "4"}, None, 4.0),
        (
            {
                "anthropic-ratelimit-requests-reset": "2026-08-29T10:40:05Z",
                "anthropic-ratelimit-requests-remaining": "0",
            },
            None,
            5.0,
        ),
        ({}, {"error": {"details": [{"retryDelay": "26s"}]}}, 26.0),
        ({}, {"error": {"details": [{"retryDelay": {"seconds": 3}}]}}, 3.0),
        ({}, {"error": {"message": "Rate limit reached. Please try again in 1.5s. Visit ..."}}, 1.5),
        ({}, {"error": {"message": "Please try again in 7m12.5s."}}, 432.5),
        ({}, {"error": {"message": "Please retry after 12 seconds."}}, 12.0),
        ({}, {"error": {"message": "Try again in 350ms"}}, 0.35),
        ({}, {"error": "busy", "estimated_time": 20.5}, 20.5),
        ({}, {"error": {"message": "Please try again later."}}, None),
    ],
)
def test_waits_are_read_in_all_the_ways_servers_say_them(headers: Any, body: Any, wanted: float | None) -> None:
    """Junk is no answer, a date in the past means now."""
    wait = server_wait(headers, body, status=429, now=NOW)

    assert wait == (None if wanted is None else pytest.approx(wanted, abs=1.0 if "GMT" in str(headers) else 1e-6))


@given(st.text(max_size=40))
def test_no_header_breaks_the_reader(value: str) -> None:
    """Whatever stands there, the wait is a number of seconds from 0 up, or unknown."""
    for seconds in (duration_s(value), retry_after_s(value, now=NOW)):
        assert seconds is None or seconds >= 0


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "type", "code", "message", "detail", "choices", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(status=st.integers(200, 599), body=_JSON)
def test_no_body_breaks_the_reader(status: int, body: Any) -> None:
    """A server may send any JSON under any status."""
    trouble = _seen(status, body, text=str(body))

    assert trouble is None or trouble.category is not None


def _policy(**more: Any) -> RetryPolicy:
    return RetryPolicy(rng=random.Random(1), **more)


@pytest.mark.parametrize("failures", range(1, 10))
def test_own_backoff_doubles_with_jitter_and_is_cut(failures: int) -> None:
    """Base * 2^n, 20 % either way, never above the longest."""
    plain = min(2.0 ** (failures - 1), 60.0)
    for _ in range(50):
        wait = _policy(max_attempts=20).next_wait(Trouble("http_error", retry=True), failures=failures, elapsed_s=0)
        assert wait is not None
        assert 0.8 * plain <= wait <= min(1.2 * plain, 60.0)


def test_a_wait_asked_by_the_server_is_never_shortened() -> None:
    """Jitter goes upwards only, also above the own longest wait."""
    trouble = Trouble("rate_limited", retry=True, wait_s=120.0)

    waits = [_policy().next_wait(trouble, failures=1, elapsed_s=0) for _ in range(50)]

    assert all(wait is not None and 120.0 <= wait <= 144.0 for wait in waits)


def test_a_wait_beyond_the_total_time_is_not_begun() -> None:
    """The call ends at once instead of being late."""
    trouble = Trouble("rate_limited", retry=True, wait_s=500.0)

    assert _policy(total_timeout_s=600).next_wait(trouble, failures=2, elapsed_s=200) is None


def test_jitter_alone_ends_no_call() -> None:
    """A wait that just fits is kept, with as much jitter as there is time for."""
    trouble = Trouble("rate_limited", retry=True, wait_s=590.0)

    waits = [_policy().next_wait(trouble, failures=1, elapsed_s=0) for _ in range(20)]

    assert all(wait is not None and 590.0 <= wait <= 600.0 for wait in waits)


def test_a_days_quota_is_waited_for_only_when_it_opens_soon() -> None:
    """Short waits that the server names are kept; otherwise the run ends."""
    soon = Trouble("quota_exhausted", retry=True, wait_s=26.0, stops_if_long=True)
    unknown = soon._replace(wait_s=None)

    assert _policy().next_wait(soon, failures=1, elapsed_s=0) is not None
    assert _policy().next_wait(unknown, failures=1, elapsed_s=0) is None
    assert _policy().stops_run(unknown)


def test_a_limit_that_opens_tomorrow_is_a_quota() -> None:
    """Waiting for it in the process is of no use."""
    trouble = _seen(429, _error("slow down"), {"retry-after": "86400"})

    assert trouble is not None
    assert trouble.kind == "quota_exhausted"
    assert _policy().next_wait(trouble, failures=1, elapsed_s=0) is None
    assert _policy().stops_run(trouble)
