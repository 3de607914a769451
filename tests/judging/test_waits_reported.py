"""Waits as servers really name them, from public reports: milliseconds, words, routers, drafts of standards."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.judging.rate_headers import RateSense
from goldassay.judging.waits import server_wait

_NOW = 1_788_000_000.0
_ROUTED = {"X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1788000030000"}


def _said(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("headers", "body", "wanted"),
    [
        pytest.param({"x-rate-limit-reset-tokens": "55"}, None, 55, id="azure-writes-rate-limit"),
        pytest.param({"x-ratelimit-reset-tokens": "0", "x-ratelimit-remaining-tokens": "-1"}, None, None, id="azure-1"),
        pytest.param({"x-ratelimit-reset": "1788000030000"}, None, 30, id="milliseconds-since-1970"),
        pytest.param({"retry-after": "1788000030000"}, None, 30, id="retry-after-in-milliseconds-since-1970"),
        pytest.param({}, _said("Limit", metadata={"headers": _ROUTED}), 30, id="headers-in-the-body"),
        pytest.param({}, _said("Limit", metadata={"retry_after_seconds": 13}), 13, id="seconds-in-metadata"),
        pytest.param({"ratelimit": "limit=100, remaining=0, reset=50"}, None, 50, id="draft-3"),
        pytest.param({"ratelimit": '"default";r=0;t=30'}, None, 30, id="draft-8"),
        pytest.param(
            {"ratelimit": '"minute";r=0;t=30', "x-ratelimit-reset": "90", "x-ratelimit-remaining": "4"},
            None,
            30,
            id="used-up-one",
        ),
        pytest.param({"ratelimit-reset": "7", "ratelimit-remaining": "0"}, None, 7, id="kong"),
        pytest.param({"retry-after": "5, 30"}, None, 30, id="two-proxies"),
        pytest.param({"retry-after": "30 seconds"}, None, 30, id="unit-in-words"),
        pytest.param({"retry-after": "2026-08-29T10:40:10Z"}, None, 10, id="iso"),
        pytest.param({"retry-after": "Sat, 29 Aug 2026 12:40:10 +0200"}, None, 10, id="other-zone"),
        pytest.param({"retry-after-ms": "0", "retry-after": "3"}, None, 3, id="zero-milliseconds"),
        pytest.param({"retry-after-ms": "1500ms"}, None, 1.5, id="milliseconds-with-unit"),
        pytest.param({"x-retry-after": "9"}, None, 9, id="x-retry-after"),
        pytest.param({"x-ratelimit-retry-after": "9"}, None, 9, id="x-ratelimit-retry-after"),
        pytest.param(
            {"x-ratelimit-reset-requests": "6ms", "x-ratelimit-remaining-requests": "0"}, None, 0.006, id="6ms"
        ),
        pytest.param({"anthropic-ratelimit-unified-reset": f"{_NOW + 600:.0f}"}, None, 600, id="unified"),
        pytest.param({}, _said("Please try again in 2 minutes and 5 seconds"), 125, id="minutes-and-seconds"),
        pytest.param({}, _said("Please try again in 1h12m24s."), 4344, id="1h12m24s"),
        pytest.param({}, _said("Please try again in 2s, 10 requests are under way"), 2, id="what-follows-is-no-time"),
        pytest.param({}, _said("Quota exceeded\nPlease retry in 26.497s."), 26.497, id="gemini-words"),
        pytest.param({}, _said("", details=[{"retryDelay": {"seconds": "3", "nanos": 500000000}}]), 3.5, id="protobuf"),
        pytest.param(
            {}, _said("", details=[{"metadata": {"quotaResetDelay": "1m16.5s"}}]), 76.5, id="quota-reset-delay"
        ),
        pytest.param({}, {"retry_after": -3}, None, id="negative"),
        pytest.param({}, {"error": {"metadata": {"headers": [1, 2]}}}, None, id="headers-that-are-none"),
    ],
)
def test_a_wait_is_found_where_the_server_put_it(headers: dict[str, str], body: Any, wanted: float | None) -> None:
    """In seconds from now; None where nothing can be read."""
    assert server_wait(headers, body, status=429, now=_NOW) == (None if wanted is None else pytest.approx(wanted))


@pytest.mark.parametrize("skew_s", [-86_400, -600, -1, 0, 1, 600, 86_400])
def test_a_date_is_read_by_the_clock_of_the_server_that_wrote_it(skew_s: float) -> None:
    """A machine whose clock is wrong, or was set while it ran, waits as long as it was asked to."""
    headers = {"date": "Sat, 29 Aug 2026 10:40:00 GMT", "retry-after": "Sat, 29 Aug 2026 10:40:30 GMT"}

    assert server_wait(headers, None, status=429, now=_NOW + skew_s) == pytest.approx(30, abs=1)


def test_a_limit_that_is_told_by_dates_is_learnt_whatever_the_clock_says() -> None:
    """Ten minutes behind: half a limit of 1,000 that is back in 30 s is no pace of 0.8 a second."""
    headers = {
        "date": "Sat, 29 Aug 2026 10:40:00 GMT",
        "anthropic-ratelimit-requests-limit": "1000",
        "anthropic-ratelimit-requests-remaining": "500",
        "anthropic-ratelimit-requests-reset": "2026-08-29T10:40:30Z",
    }

    rate = RateSense("requests").observe(headers, now_s=_NOW - 600)

    assert rate == pytest.approx(500 / 30, rel=0.01)


@given(st.text(max_size=80) | st.from_regex(r"[A-Z][a-z]{2}, [0-9]{1,9} [A-Z][a-z]{2} [0-9]{1,9} [0-9:]{0,12} .{0,9}"))
def test_no_header_breaks_the_reading_of_a_wait(text: str) -> None:
    """A date of the year 99999, half a date, a clock of 99 hours: a wait of no less than nothing, or none."""
    for name in ("retry-after", "date", "x-ratelimit-reset", "retry-after-ms"):
        wait = server_wait({name: text, "retry-after": text}, {"error": {"retryDelay": text}}, status=429, now=_NOW)
        assert wait is None or wait >= 0
