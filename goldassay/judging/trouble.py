"""What went wrong with a request, and whether sending it again can help.

Pure reading of status, headers, body or exception into one `Trouble`. It goes by
code and type, not by envelope: a 429 may be a minute's pause, a day's quota or an
unpaid bill, and a 200 may carry an error. It does not wait (`goldassay.judging.retry`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import httpx

from goldassay.judging.trouble_body import effective_status, error_of, message_of, words_of
from goldassay.judging.trouble_words import (
    BAD_KEY,
    BILLING,
    BLOCKED,
    CONTEXT,
    CONTEXT_OF_A_500,
    DAILY,
    HOPELESS_WAIT_S,
    NO_MODEL,
    PACED,
    RANDOM,
    TOO_LARGE,
    TRANSIENT,
    UNPAID,
)
from goldassay.judging.waits import server_wait
from goldassay.verdicts import Category

__all__ = ["GOOD_STATUSES", "ErrorKind", "Trouble", "from_body", "from_exception", "from_response"]

GOOD_STATUSES = frozenset({200, 201, 203})
"""Some gateways say 201 to every POST."""
_NO_SUCH_ADDRESS = frozenset({301, 302, 303, 307, 308, 405, 410})
ErrorKind = Literal[
    "auth",
    "bad_request",
    "blocked",
    "context_too_long",
    "empty",
    "http_error",
    "model_not_found",
    "prompt_truncated",
    "quota_exhausted",
    "rate_limited",
    "timed_out",
]

_CATEGORY: dict[str, Category] = {
    "blocked": Category.JUDGE_REFUSED,
    "context_too_long": Category.CONTEXT_TOO_LONG,
    "empty": Category.UNREADABLE_REPLY,
    "prompt_truncated": Category.CONTEXT_TOO_LONG,
    "quota_exhausted": Category.RATE_LIMITED,
    "rate_limited": Category.RATE_LIMITED,
    "timed_out": Category.TIMED_OUT,
}


class Trouble(NamedTuple):
    """One request that brought no reply."""

    kind: ErrorKind
    retry: bool
    """Sending the same request again may help."""
    stops_run: bool = False
    """No other record's request can fare better: key, bill, model."""
    wait_s: float | None = None
    """The server asked to wait at least so long; None: it did not say."""
    status: int | None = None
    detail: str = ""
    """What the server said; not yet masked."""
    stops_if_long: bool = False
    """A day's limit: worth a short wait that the server names, and nothing else."""
    throttled: bool = False
    """The server is saying that calls come too fast."""
    said: str = ""
    """All words of the error in lower case, its parameter and place among them; never shown or kept."""

    @property
    def category(self) -> Category:
        """The verdict's category."""
        return _CATEGORY.get(self.kind, Category.PROVIDER_ERROR)


def from_exception(error: httpx.HTTPError | TimeoutError) -> Trouble:
    """What a transport error means: nearly always that the request may be sent again."""
    detail = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, httpx.ProxyError) and str(error).startswith("407"):
        return Trouble("auth", retry=False, stops_run=True, status=407, detail=detail)
    if "CERTIFICATE_VERIFY_FAILED" in detail:
        return Trouble("http_error", retry=False, stops_run=True, detail=detail)
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return Trouble("timed_out", retry=True, detail=detail)
    if isinstance(error, httpx.UnsupportedProtocol):
        return Trouble("http_error", retry=False, stops_run=True, detail=detail)
    return Trouble("http_error", retry=True, detail=detail)


def from_response(status: int, headers: Mapping[str, str], payload: object, text: str, *, now: float) -> Trouble | None:
    """What a response means that is no reply; None for a 200 that holds no error.

    Args:
        status: HTTP status.
        headers: Response headers; names are looked up in lower case.
        payload: The body as JSON; None when it is none.
        text: The body as text, for error records.
        now: Seconds since 1970, for reading dates.
    """
    if status in GOOD_STATUSES and isinstance(payload, Mapping) and error_of(payload) is None:
        return None
    if payload is None or status in _NO_SUCH_ADDRESS:
        return _not_json(status, headers, text, now)
    return from_body(200 if status in GOOD_STATUSES else status, headers, payload, text, now=now)


def _not_json(status: int, headers: Mapping[str, str], text: str, now: float) -> Trouble:
    """A page of a proxy, or nothing at all: a fault on the way, unless the status is plain."""
    wait = server_wait(headers, None, status=status, now=now)
    if status in {401, 407}:
        return Trouble("auth", retry=False, stops_run=True, status=status, detail=text)
    if status == 402:
        return Trouble("quota_exhausted", retry=False, stops_run=True, status=status, detail=text)
    if status == 404 or status in _NO_SUCH_ADDRESS:
        return Trouble("http_error", retry=False, stops_run=True, status=status, detail=text or _nobody_there(headers))
    if status == 413:
        return Trouble("context_too_long", retry=False, status=status, detail=text)
    if status == 429:
        return from_body(status, headers, text, text, now=now)
    return Trouble("http_error", retry=status not in {400, 422}, wait_s=wait, status=status, detail=text)


def _nobody_there(headers: Mapping[str, str]) -> str:
    """What a status without a text says; a redirect is not followed, for the key was not meant for that address."""
    moved = headers.get("location", "").partition("?")[0]
    return f"it sends us on to {moved}" if moved else "no such address"


def from_body(status: int, headers: Mapping[str, str], payload: object, text: str, *, now: float) -> Trouble:
    """What a JSON body means that holds an error, or comes with an error status."""
    words = list(words_of(payload))
    said = " ".join(words).lower()
    status = effective_status(status, words)
    detail = message_of(payload) or text
    wait = server_wait(headers, payload, status=status, now=now)
    final = _final(status, said, wait)
    if final is not None:
        kind, stops = final
        return Trouble(kind, retry=False, stops_run=stops, status=status, detail=detail)
    if status == 429:
        daily = _has(said, DAILY) and not _has(said, PACED)
        daily = daily or (wait or 0.0) > HOPELESS_WAIT_S
        return Trouble(
            "quota_exhausted" if daily else "rate_limited",
            retry=True,
            wait_s=wait,
            status=status,
            detail=detail,
            stops_if_long=daily,
            throttled=True,
        )
    if _has(said, RANDOM) or status in TRANSIENT or status >= 505 or status < 300:
        kind = "timed_out" if status in {408, 504} else "http_error"
        return Trouble(kind, retry=True, wait_s=wait, status=status, detail=detail, throttled=status in {498, 529})
    return Trouble("bad_request", retry=False, status=status, detail=detail, said=said)


def _final(status: int, said: str, wait: float | None) -> tuple[ErrorKind, bool] | None:
    """Kind of an error that no second request can cure, and whether it meets all records; None: another kind."""
    if _is_unpaid(status, said, wait):
        return "quota_exhausted", True
    if status < 500 and status != 429 and _has(said, BLOCKED):
        return "blocked", False
    if _is_too_long(status, said):
        return "context_too_long", False
    if status in {401, 403, 407} or (status == 400 and _has(said, BAD_KEY)):
        return "auth", True
    if status == 404 or (status in {400, 422} and (_has(said, NO_MODEL) or _names_missing_model(said))):
        return "model_not_found", True
    return None


def _is_unpaid(status: int, said: str, wait: float | None) -> bool:
    """Whether a bill or a budget is the matter, and not a limit that opens again."""
    if status == 402:
        return True
    if status not in {200, 400, 403, 412, 429}:
        return False
    if _has(said, UNPAID):
        return True
    # Providers advertise under plain rate limits ('add a payment method at .../billing'), and Gemini says
    # 'check your plan and billing details' of every 429: there the limit's name, or a wait, decides.
    opens_again = status == 429 and (wait is not None or _has(said, PACED) or _has(said, DAILY))
    return _has(said, BILLING) and not opens_again


def _is_too_long(status: int, said: str) -> bool:
    if status == 429:
        return _has(said, TOO_LARGE)
    if status == 500:
        return _has(said, CONTEXT_OF_A_500)
    return status == 413 or (status < 500 and _has(said, CONTEXT))


def _names_missing_model(said: str) -> bool:
    return "model" in said and ("does not exist" in said or "not found" in said)


def _has(said: str, signs: tuple[str, ...]) -> bool:
    return any(sign in said for sign in signs)
