"""Asking over HTTP: one pooled client, secrets from the environment by name, replies of bounded size."""

from __future__ import annotations

import email.utils
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson

from goldassay.errors import ConfigError
from goldassay.sources.assistant.body import build_body
from goldassay.sources.assistant.question import AskTroubleError, Question
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.sources.nested import parse_reply_json
from goldassay.verdicts import Category

__all__ = ["HttpAsker", "retry_after_s"]

RETRY_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
STOP_STATUS = frozenset({401, 403, 404, 405, 407})
"""No question will fare better: the key, the address or the method is wrong."""


class HttpAsker:
    """An assistant behind an endpoint.

    Raises:
        ConfigError: A named environment variable is not set, or the URL is none.
    """

    def __init__(
        self,
        config: AssistantConfig,
        environ: Mapping[str, str],
        *,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.config = config
        secrets = _secret_headers(config, environ)
        self.secrets = tuple(value for value in secrets.values() if value)
        self.url = _checked_url(str(config.url))
        # The environment's proxies and certificates are left alone: what is asked depends on the settings only.
        self.client = httpx.AsyncClient(
            headers={"accept": "application/json", **config.headers, **secrets},
            timeout=config.timeout_s,
            limits=httpx.Limits(max_connections=config.max_in_flight, max_keepalive_connections=config.max_in_flight),
            transport=transport,
            trust_env=False,
        )

    async def ask(self, question: Question) -> Any:
        """Send one request."""
        body = build_body(question, self.config)
        content: dict[str, Any] = {"json": body} if self.config.method == "POST" else {"params": _flat_query(body)}
        try:
            async with self.client.stream(self.config.method, self.url, **content) as response:
                data = await self._read(response)
        except httpx.TimeoutException as fault:
            raise self._trouble(f"no reply within {self.config.timeout_s:g} s", category=Category.TIMED_OUT) from fault
        except httpx.HTTPError as fault:
            raise self._trouble(f"{type(fault).__name__}: {fault}") from fault
        self._check_status(response, data)
        try:
            return parse_reply_json(data)
        except ValueError as fault:
            raise self._trouble(f"the reply is no JSON ({fault})", category=Category.UNREADABLE_REPLY) from fault

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()

    async def _read(self, response: httpx.Response) -> bytes:
        data = bytearray()
        async for part in response.aiter_bytes():
            data += part
            if len(data) > self.config.max_reply_bytes:
                reason = f"the reply is longer than {self.config.max_reply_mib} MiB"
                raise self._trouble(reason, category=Category.UNREADABLE_REPLY, may_help=False)
        return bytes(data)

    def _check_status(self, response: httpx.Response, data: bytes) -> None:
        status = response.status_code
        if 200 <= status < 300:
            return
        limited = status == 429
        raise self._trouble(
            f"status {status}: {data[:200].decode(errors='replace')}",
            category=Category.RATE_LIMITED if limited else Category.PROVIDER_ERROR,
            may_help=status in RETRY_STATUS,
            wait_s=retry_after_s(response.headers.get("retry-after"), datetime.now(UTC)),
            stops_run=status in STOP_STATUS,
        )

    def _trouble(self, reason: str, **details: Any) -> AskTroubleError:
        """A reason in which the known secrets are masked: an endpoint may echo what it was sent."""
        for secret in self.secrets:
            reason = reason.replace(secret, "***").replace(secret.removeprefix("Bearer "), "***")
        return AskTroubleError(reason, **details)


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, given as a number or a date; None when it says nothing."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())


def _secret_headers(config: AssistantConfig, environ: Mapping[str, str]) -> dict[str, str]:
    found = {
        header: _from_environ(name, "assistant.headers_env", environ) for header, name in config.headers_env.items()
    }
    if config.bearer_env is not None:
        found["Authorization"] = f"Bearer {_from_environ(config.bearer_env, 'assistant.bearer_env', environ)}"
    return found


def _from_environ(name: str, setting: str, environ: Mapping[str, str]) -> str:
    value = environ.get(name, "").strip()
    if not value or not value.isprintable():
        raise ConfigError(f"environment variable {name!r} ({setting}) is not set, or holds line breaks; set it")
    return value


def _checked_url(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as fault:
        raise ConfigError(
            f"assistant.url cannot be read ({fault}); write it like 'https://assistant.example/ask'"
        ) from fault
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigError(f"assistant.url {url.scheme + '://' + url.host!r} is no http(s) address")
    if url.userinfo:
        raise ConfigError("assistant.url holds a user or password; name a variable in assistant.headers_env instead")
    return url


def _flat_query(body: dict[str, Any]) -> dict[str, str]:
    return {key: value if isinstance(value, str) else orjson.dumps(value).decode() for key, value in body.items()}
