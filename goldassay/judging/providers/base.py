"""What a judge provider is: a pair of pure functions between our request and its wire format.

A provider knows URLs, headers, bodies and replies of one API. It sends nothing,
waits for nothing, and decides nothing about retries (`goldassay.judging.retry`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import orjson

from goldassay.judging.finish_words import FinishReason
from goldassay.judging.sendable import dump, sendable_text
from goldassay.judging.settings import JudgeConfig

__all__ = [
    "FORMATS",
    "FinishReason",
    "Format",
    "JudgeProvider",
    "JudgeReply",
    "JudgeRequest",
    "MalformedReplyError",
    "Tuning",
    "as_int",
    "as_list",
    "as_mapping",
    "as_objects",
    "as_text",
    "call_arguments",
    "join_url",
    "read_safely",
    "roles",
    "schema_note",
    "silent",
    "texts_of",
    "with_extra",
]

Format = Literal["json_schema", "json_object", "none"]
FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "none")
"""Ways to ask for the reply's shape, strictest first."""
_MOST_TOKENS = 10**12
_LONGEST_NAME = 500
"""Characters of a model's name or a request id; no provider's is longer, and they stand in every row."""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call to the judge, before it has a wire format."""

    system: str
    user_prefix: str
    """What all calls about one record share; providers keep it first, so that prefix caches hit."""
    user_suffix: str
    schema: Mapping[str, Any]
    """JSON schema of the reply."""
    max_tokens: int
    shares_prefix: bool = False
    """Other calls about the same record follow, so a cache of the prefix pays."""

    @property
    def chars(self) -> int:
        """Length of the prompt; about four characters make a token."""
        return len(self.system) + len(self.user_prefix) + len(self.user_suffix)


class JudgeReply(NamedTuple):
    """A reply as the provider gave it, names made common."""

    text: str
    finish_reason: FinishReason = "stop"
    tokens_in: int | None = None
    """All input tokens, cached ones included."""
    tokens_cached: int | None = None
    tokens_out: int | None = None
    model_reported: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tuning:
    """What of a request is sent at all, learnt from what the model refused; one for the whole run."""

    format: Format = "json_schema"
    refused_formats: frozenset[str] = field(default_factory=frozenset)
    temperature: bool = True
    seed: bool = True
    system: bool = True
    """False: the model has no system role, and its text begins the user message."""
    max_tokens_name: str = "max_tokens"
    swapped_max_tokens: bool = False
    """The other name was refused before."""


class MalformedReplyError(ValueError):
    """A 200 whose body is no reply of this API: no choices, no parts, no text at all."""


class JudgeProvider(Protocol):
    """One API of a judge model."""

    name: str
    default_base_url: str
    default_key_env: str
    first_tuning: Tuning

    def url(self, config: JudgeConfig) -> str:
        """Where calls go."""
        ...

    def headers(self, config: JudgeConfig, key: str | None) -> dict[str, str]:
        """Headers of every call of a run; the only place a key stands."""
        ...

    def body(self, request: JudgeRequest, config: JudgeConfig, tuning: Tuning) -> dict[str, Any]:
        """The request body."""
        ...

    def read(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
        """Read the body of a 200.

        Raises:
            MalformedReplyError: If it holds no reply.
        """
        ...


def roles(system: str, user: str, tuning: Tuning) -> list[dict[str, str]]:
    """The messages of a chat; without a system role its text comes first in the user's message."""
    if not tuning.system:
        return [{"role": "user", "content": f"{system}\n\n{user}"}]
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def join_url(base: str, path: str) -> str:
    """Put a path behind a base address, whether or not the base ends in a slash or already in the path."""
    base = base.rstrip("/")
    return base if base.endswith(path) else base + path


def as_int(value: object) -> int | None:
    """A count as sent, or None: providers leave usage out, send null, or what can be no count."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < _MOST_TOKENS else None


def as_text(value: object) -> str | None:
    """A name as sent, or None."""
    return value if isinstance(value, str) and value else None


def as_mapping(value: object) -> Mapping[str, Any]:
    """An object as sent, or an empty one: every level of a reply may be null or missing."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[Any]:
    """A list as sent, or an empty one."""
    return value if isinstance(value, list) else []


def as_objects(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list as sent; whatever else stands in it is passed over."""
    return [part for part in as_list(value) if isinstance(part, Mapping)]


def read_safely(provider: JudgeProvider, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
    """What `provider.read` gives, fit to be written down; a body that breaks the reader is a malformed reply.

    Such a body is one row's trouble. Raised further it would stop the run, and stop it again on every resume.

    Raises:
        MalformedReplyError: If the body holds no reply.
    """
    try:
        reply = provider.read(payload, headers)
    except MalformedReplyError:
        raise
    except Exception as error:
        raise MalformedReplyError(f"the reply has a shape that nobody agreed on ({type(error).__name__})") from error
    return reply._replace(
        text=sendable_text(reply.text),
        model_reported=_short_name(reply.model_reported),
        request_id=_short_name(reply.request_id),
    )


def _short_name(name: str | None) -> str | None:
    return sendable_text(name[:_LONGEST_NAME]) if name else None


def texts_of(parts: Iterable[Mapping[str, Any]], name: str, *, kinds: Container[str] | None = None) -> str:
    """The texts of content parts, put together.

    Args:
        parts: Parts of a message.
        name: The field that holds the text.
        kinds: Types of parts that count; None: all.
    """
    # A type may be of any shape, and a list cannot be looked up.
    chosen = [part.get(name) for part in parts if kinds is None or str(part.get("type")) in kinds]
    return "".join(text for text in chosen if isinstance(text, str))


def call_arguments(calls: Iterable[object]) -> str:
    """The arguments of tool calls as JSON, one a line: calls that differ are then ambiguous, the first is not taken.

    Args:
        calls: Arguments as the provider gives them, JSON text or parsed; empty ones are passed over.
    """
    texts = [call if isinstance(call, str) else dump(call).decode() for call in calls if call]
    return "\n".join(dict.fromkeys(texts))


def silent(finish: FinishReason, *, text: str, thought: bool) -> FinishReason:
    """`no_answer` where a model thought and said nothing, also when it was cut while thinking."""
    return "no_answer" if thought and not text and finish in {"stop", "length"} else finish


def with_extra(body: dict[str, Any], config: JudgeConfig, *, merged: str = "") -> dict[str, Any]:
    """The body with the operator's own fields, which win over ours.

    Args:
        body: What the provider would send.
        config: Holds `extra_body`.
        merged: A field that is an object of settings: what the operator names in it joins ours.
    """
    extra = config.extra_body
    inner = {merged: {**body[merged], **as_mapping(extra.get(merged))}} if merged else {}
    return {**body, **extra, **inner}


def schema_note(schema: Mapping[str, Any]) -> str:
    """The reply's shape in words, for models that take no schema."""
    return "\n\nReply with one JSON object and nothing else. Its JSON schema:\n" + orjson.dumps(schema).decode()
