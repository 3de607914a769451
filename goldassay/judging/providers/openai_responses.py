"""OpenAI Responses: the same models by another door.

Reference: https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from goldassay.judging.finish_words import FinishReason, finish_of
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
    texts_of,
    with_extra,
)
from goldassay.judging.settings import JudgeConfig

__all__ = ["OpenAIResponses"]


class OpenAIResponses:
    """The Responses API, without storing anything at the provider."""

    name = "openai_responses"
    default_base_url = "https://api.openai.com/v1"
    default_key_env = "OPENAI_API_KEY"
    first_tuning = Tuning(max_tokens_name="max_output_tokens")

    def url(self, config: JudgeConfig) -> str:
        """Azure: /openai/responses with its api-version."""
        base = config.base_url or self.default_base_url
        if config.api_version is None:
            return join_url(base, "/responses")
        root = base.rstrip("/").removesuffix("/openai") + "/openai"
        return join_url(root, "/responses") + f"?api-version={quote(config.api_version, safe='')}"

    def headers(self, config: JudgeConfig, key: str | None) -> dict[str, str]:
        """Azure takes the key in a header of its own."""
        if key is None:
            return {}
        return {"api-key": key} if config.api_version is not None else {"authorization": f"Bearer {key}"}

    def body(self, request: JudgeRequest, config: JudgeConfig, tuning: Tuning) -> dict[str, Any]:
        """The rubric as instructions, the record and the criterion as one input message."""
        user = request.user_prefix + request.user_suffix
        if tuning.format != "json_schema":
            user += schema_note(request.schema)
        body: dict[str, Any] = {
            "model": config.model,
            "instructions": request.system,
            "input": [{"role": "user", "content": [{"type": "input_text", "text": user}]}],
            "max_output_tokens": request.max_tokens,
            "store": False,
        }
        if tuning.format == "json_schema":
            schema = {"type": "json_schema", "name": "verdict", "strict": True, "schema": request.schema}
            body["text"] = {"format": schema}
        elif tuning.format == "json_object":
            body["text"] = {"format": {"type": "json_object"}}
        if config.temperature is not None and tuning.temperature:
            body["temperature"] = config.temperature
        return with_extra(body, config)

    def read(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
        """Text parts of the message items; reasoning items are passed over."""
        output = payload.get("output")
        if not isinstance(output, list) or not output:
            raise MalformedReplyError("the reply holds no output")
        messages = _last_phase([item for item in as_objects(output) if item.get("type") == "message"])
        parts = [part for message in messages for part in as_objects(message.get("content"))]
        refusals = [part for part in parts if part.get("type") == "refusal"]
        text = texts_of(refusals, "refusal") if refusals else texts_of(parts, "text", kinds={"output_text"})
        text = text if refusals else _arguments(output) or text
        usage = as_mapping(payload.get("usage"))
        return JudgeReply(
            text=text,
            finish_reason="refusal" if refusals else _finish(payload, is_silent=not text),
            tokens_in=as_int(usage.get("input_tokens")),
            tokens_cached=as_int(as_mapping(usage.get("input_tokens_details")).get("cached_tokens")),
            tokens_out=as_int(usage.get("output_tokens")),
            model_reported=as_text(payload.get("model")),
            request_id=headers.get("x-request-id") or as_text(payload.get("id")),
        )


def _last_phase(messages: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The final answer alone, where the model says which of its messages that is; else all of them."""
    final = [message for message in messages if message.get("phase") == "final_answer"]
    return final or messages


def _arguments(output: list[Any]) -> str:
    calls = [item for item in as_objects(output) if item.get("type") == "function_call"]
    return call_arguments(call.get("arguments") for call in calls)


def _finish(payload: Mapping[str, Any], *, is_silent: bool) -> FinishReason:
    status = payload.get("status") or "completed"
    if status == "completed":
        return "no_answer" if is_silent else "stop"
    reason = finish_of(as_mapping(payload.get("incomplete_details")).get("reason"))
    if reason in {"length", "content_filter"}:
        return reason
    return "length" if status == "incomplete" else "broken"
