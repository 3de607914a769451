"""Anthropic Messages. Structured output by a tool that must be called; prefix caching by explicit marks.

Reference: https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.judging.finish_words import finish_of
from goldassay.judging.providers.base import (
    JudgeReply,
    JudgeRequest,
    MalformedReplyError,
    Tuning,
    as_int,
    as_mapping,
    as_objects,
    as_text,
    call_arguments,
    join_url,
    schema_note,
    silent,
    texts_of,
    with_extra,
)
from goldassay.judging.settings import JudgeConfig

__all__ = ["Anthropic"]

_TOOL = "record_verdict"


class Anthropic:
    """The Messages API."""

    name = "anthropic"
    default_base_url = "https://api.anthropic.com/v1"
    default_key_env = "ANTHROPIC_API_KEY"
    first_tuning = Tuning()

    def url(self, config: JudgeConfig) -> str:
        """The one address of messages."""
        return join_url(config.base_url or self.default_base_url, "/messages")

    def headers(self, config: JudgeConfig, key: str | None) -> dict[str, str]:
        """The version of the API is a header, and needed."""
        version = {"anthropic-version": config.api_version or "2023-06-01"}
        return version if key is None else {**version, "x-api-key": key}

    def body(self, request: JudgeRequest, config: JudgeConfig, tuning: Tuning) -> dict[str, Any]:
        """The record in a block of its own, marked for the cache where other calls share it."""
        record: dict[str, Any] = {"type": "text", "text": request.user_prefix}
        if request.shares_prefix:
            record["cache_control"] = {"type": "ephemeral"}
        asked = request.user_suffix + ("" if tuning.format == "json_schema" else schema_note(request.schema))
        body: dict[str, Any] = {
            "model": config.model,
            "system": request.system,
            "messages": [{"role": "user", "content": [record, {"type": "text", "text": asked}]}],
            "max_tokens": request.max_tokens,
        }
        if tuning.format == "json_schema":
            body["tools"] = [
                {"name": _TOOL, "description": "Record the verdict.", "input_schema": request.schema},
            ]
            body["tool_choice"] = {"type": "tool", "name": _TOOL}
        elif tuning.format == "json_object":  # models that refuse a forced tool, e.g. while thinking
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
        if config.temperature is not None and tuning.temperature:
            body["temperature"] = min(config.temperature, 1.0)
        return with_extra(body, config)

    def read(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
        """Text blocks, or the tool's input as JSON; thinking blocks are passed over."""
        content = payload.get("content")
        finish = finish_of(payload.get("stop_reason"))
        if not isinstance(content, list) or (not content and finish not in {"refusal", "length"}):
            raise MalformedReplyError("the reply holds no content")
        blocks = as_objects(content)
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        text = texts_of(blocks, "text", kinds={"text"})
        if calls and finish != "refusal":
            text = call_arguments(call.get("input") for call in calls)
        finish = silent(finish, text=text, thought=bool(blocks))
        usage = as_mapping(payload.get("usage"))
        return JudgeReply(
            text=text,
            finish_reason=finish,
            tokens_in=_tokens_in(usage),
            tokens_cached=as_int(usage.get("cache_read_input_tokens")),
            tokens_out=as_int(usage.get("output_tokens")),
            model_reported=as_text(payload.get("model")),
            request_id=headers.get("request-id") or as_text(payload.get("id")),
        )


def _tokens_in(usage: Mapping[str, Any]) -> int | None:
    """All input: here `input_tokens` leaves out what was written to and read from the cache."""
    fresh = as_int(usage.get("input_tokens"))
    if fresh is None:
        return None
    written = as_int(usage.get("cache_creation_input_tokens")) or 0
    return fresh + written + (as_int(usage.get("cache_read_input_tokens")) or 0)
