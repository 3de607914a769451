"""What went wrong with a request, and whether sending it again can help.

Pure reading of status, headers, body or exception into one `Trouble`. It goes by
code and type, not by envelope: a 429 may be a minute's pause, a day's quota or an
unpaid bill, and a 200 may carry an error. It does not wait (`goldassay.judging.retry`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import httpx

from goldassay.judging.trouble_words import (
    BAD_KEY,
    BILLING,
    BLOCKED,
    CONTEXT,
    DAILY,
    HOPELESS_WAIT_S,
    NO_MODEL,
    RANDOM,
    TOO_LARGE,
    TRANSIENT,
    TYPE_STATUS,
)
from goldassay.judging.waits import server_wait
from goldassay.verdicts import Category

__all__ = ["ErrorKind", "Trouble", "error_of", "from_body", "from_exception", "from_response"]

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
    "refused_parameter",
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


def from_exception(error: httpx.HTTPError | httpx.InvalidURL | TimeoutError) -> Trouble:
    """What a transport error means: nearly always that the request may be sent again."""
    detail = f"{type(error).__name__}: {error}"
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return Trouble("timed_out", retry=True, detail=detail)
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
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
    if status == 200 and isinstance(payload, Mapping) and error_of(payload) is None:
        return None
    if payload is None:
        return _not_json(status, headers, text, now)
    return from_body(status, headers, payload, text, now=now)


def _not_json(status: int, headers: Mapping[str, str], text: str, now: float) -> Trouble:
    """A page of a proxy, or nothing at all: a fault on the way, unless the status is plain."""
    wait = server_wait(headers, None, status=status, now=now)
    if status in {401, 407}:
        return Trouble("auth", retry=False, stops_run=True, status=status, detail=text)
    if status == 402:
        return Trouble("quota_exhausted", retry=False, stops_run=True, status=status, detail=text)
    if status in {301, 302, 303, 307, 308, 404, 405, 410}:
        return Trouble("http_error", retry=False, stops_run=True, status=status, detail=text or "no such address")
    if status == 413:
        return Trouble("context_too_long", retry=False, status=status, detail=text)
    if status == 429:
        return from_body(status, headers, text, text, now=now)
    return Trouble("http_error", retry=status not in {400, 422}, wait_s=wait, status=status, detail=text)


def from_body(status: int, headers: Mapping[str, str], payload: object, text: str, *, now: float) -> Trouble:
    """What a JSON body means that holds an error, or comes with an error status."""
    words = list(_words(payload))
    said = " ".join(words).lower()
    status = _effective_status(status, words)
    detail = _message(payload) or text
    wait = server_wait(headers, payload, status=status, now=now)
    final = _final(status, said)
    if final is not None:
        kind, stops = final
        return Trouble(kind, retry=False, stops_run=stops, status=status, detail=detail)
    if status == 429:
        daily = _has(said, DAILY) and not _has(said, ("per minute", "perminute", "per_minute"))
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
    if _has(said, RANDOM) or status in TRANSIENT or status >= 505 or status == 200:
        kind = "timed_out" if status in {408, 504} else "http_error"
        return Trouble(kind, retry=True, wait_s=wait, status=status, detail=detail, throttled=status == 529)
    return Trouble("bad_request", retry=False, status=status, detail=detail, said=said)


def _final(status: int, said: str) -> tuple[ErrorKind, bool] | None:  # noqa: PLR0911 - one line a kind
    """Kind of an error that no second request can cure, and whether it meets all records; None: another kind."""
    if status == 402 or (status in {400, 403, 429} and _has(said, BILLING) and "per minute" not in said):
        # Gemini says 'check your plan and billing details' of every 429: there the quota's name decides.
        if "perminute" in said or "retryinfo" in said or _has(said, DAILY):
            return None
        return "quota_exhausted", True
    if status < 500 and status != 429 and _has(said, BLOCKED):
        return "blocked", False
    if status == 429 and _has(said, TOO_LARGE):
        return "context_too_long", False
    if status == 413 or (status < 500 and status != 429 and _has(said, CONTEXT)):
        return "context_too_long", False
    if status in {401, 407} or (status in {400, 403} and _has(said, BAD_KEY)) or status == 403:
        return "auth", True
    if status == 404 or (status in {400, 422} and _has(said, NO_MODEL)) or _names_missing_model(status, said):
        return "model_not_found", True
    return None


def _names_missing_model(status: int, said: str) -> bool:
    return status in {400, 422} and "model" in said and ("does not exist" in said or "not found" in said)


def _has(said: str, signs: tuple[str, ...]) -> bool:
    return any(sign in said for sign in signs)


def error_of(payload: Mapping[str, Any]) -> object | None:
    """The error inside a body, in any of the usual envelopes; None when there is none."""
    error: object = payload.get("error")
    if error:
        return error
    if payload.get("type") == "error" or payload.get("object") == "error":
        return payload
    if "choices" in payload or "candidates" in payload:
        return _choice_error(payload)
    if "detail" in payload and not payload.keys() & {"output", "content", "message", "response"}:
        return _some(payload["detail"])
    return _some(payload.get("errors"))


def _choice_error(payload: Mapping[str, Any]) -> object | None:
    choices = payload.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _some(first.get("error")) if isinstance(first, Mapping) else None


def _some(value: object) -> object | None:
    return value or None


_ECHOES = frozenset({"failed_generation", "input", "inputs", "prompt", "messages", "content", "body", "ctx", "request"})
"""Fields that hold what was sent or generated, not what is wrong: a question about billing is no unpaid bill."""


def _words(node: object, depth: int = 0) -> Iterator[str]:
    """Types, codes and texts of an error body, without what it echoes."""
    if depth > 6:
        return
    if isinstance(node, str):
        yield node[:2000]
    elif isinstance(node, bool) or node is None:
        return
    elif isinstance(node, int | float):
        yield str(node)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if key not in _ECHOES:
                yield from _words(value, depth + 1)
    elif isinstance(node, list):
        for value in node[:20]:
            yield from _words(value, depth + 1)


def _effective_status(status: int, words: list[str]) -> int:
    """The status that the error's type or code stands for; the HTTP status where they are silent or agree."""
    if status not in {200, 207, 400, 500}:
        return status
    for word in words:
        named = TYPE_STATUS.get(word.strip().lower())
        if named is None and status == 200 and word.isdigit() and 400 <= int(word) <= 599:
            named = int(word)
        if named is not None:
            return max(named, status)
    return status


def _message(payload: object) -> str:
    error = error_of(payload) if isinstance(payload, Mapping) else payload
    if isinstance(error, list) and error:
        error = error[0]
    if isinstance(error, Mapping):
        inner = error.get("error")
        error = inner if isinstance(inner, Mapping) else error
        error = error.get("message") or error.get("msg") or ""
    return error if isinstance(error, str) else ""
