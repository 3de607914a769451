"""Gemini generateContent.

Reference: https://ai.google.dev/api/generate-content
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
    silent,
    texts_of,
    with_extra,
)
from goldassay.judging.settings import JudgeConfig

__all__ = ["Gemini"]

_OTHER: FinishReason = "broken"
"""'OTHER' is Gemini's word for an end that it does not explain: no normal one."""
_SCHEMA_KEYS = frozenset(
    {"type", "properties", "required", "items", "enum", "description", "minimum", "maximum", "minItems", "maxItems"}
)
"""The part of JSON schema that `responseSchema` takes; others (additionalProperties) are refused."""


class Gemini:
    """The Gemini API of Google AI."""

    name = "gemini"
    default_base_url = "https://generativelanguage.googleapis.com/v1beta"
    default_key_env = "GEMINI_API_KEY"
    first_tuning = Tuning()

    def url(self, config: JudgeConfig) -> str:
        """The model stands in the path; the key never does."""
        model = quote(config.model.removeprefix("models/"), safe="")
        return join_url(config.base_url or self.default_base_url, f"/models/{model}:generateContent")

    def headers(self, config: JudgeConfig, key: str | None) -> dict[str, str]:
        """The key in a header: in the address it would end in logs."""
        del config
        return {} if key is None else {"x-goog-api-key": key}

    def body(self, request: JudgeRequest, config: JudgeConfig, tuning: Tuning) -> dict[str, Any]:
        """The rubric as system instruction; the record and the criterion as parts of one message."""
        generation: dict[str, Any] = {"maxOutputTokens": request.max_tokens}
        asked = request.user_suffix
        if tuning.format == "none":
            asked += schema_note(request.schema)
        else:
            generation["responseMimeType"] = "application/json"
            if tuning.format == "json_schema":
                generation["responseSchema"] = _plain_schema(request.schema)
            else:
                asked += schema_note(request.schema)
        if config.temperature is not None and tuning.temperature:
            generation["temperature"] = config.temperature
        if config.seed is not None and tuning.seed:
            generation["seed"] = config.seed
        texts = [request.user_prefix, asked] if tuning.system else [request.system, request.user_prefix, asked]
        body: dict[str, Any] = {
            "contents": [{"role": "user", "parts": [{"text": text} for text in texts]}],
            "generationConfig": generation,
        }
        if tuning.system:
            body["systemInstruction"] = {"parts": [{"text": request.system}]}
        return with_extra(body, config, merged="generationConfig")

    def read(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
        """Parts of the first candidate that are no thoughts; a blocked prompt has no candidate."""
        candidates = payload.get("candidates")
        blocked = as_mapping(payload.get("promptFeedback")).get("blockReason")
        first = as_mapping(candidates[0]) if isinstance(candidates, list) and candidates else {}
        if not first and not blocked:
            raise MalformedReplyError("the reply holds no candidate")
        parts = as_objects(as_mapping(first.get("content")).get("parts"))
        shown = [part for part in parts if not part.get("thought")]
        calls = [part["functionCall"] for part in shown if isinstance(part.get("functionCall"), dict)]
        text = texts_of(shown, "text")
        reason = first.get("finishReason")
        finish: FinishReason = "content_filter" if blocked else _OTHER if reason == "OTHER" else finish_of(reason)
        finish = silent(finish, text=text, thought=bool(parts) and not shown)
        usage = as_mapping(payload.get("usageMetadata"))
        return JudgeReply(
            text=call_arguments(call.get("args") for call in calls) or text,
            finish_reason=finish,
            tokens_in=as_int(usage.get("promptTokenCount")),
            tokens_cached=as_int(usage.get("cachedContentTokenCount")),
            tokens_out=_tokens_out(usage),
            model_reported=as_text(payload.get("modelVersion")),
            request_id=as_text(payload.get("responseId")) or headers.get("x-request-id"),
        )


def _tokens_out(usage: Mapping[str, Any]) -> int | None:
    """Thoughts are billed as output and counted apart."""
    shown = as_int(usage.get("candidatesTokenCount"))
    thoughts = as_int(usage.get("thoughtsTokenCount"))
    return None if shown is None and thoughts is None else (shown or 0) + (thoughts or 0)


def _plain_schema(schema: Any) -> Any:
    """The schema without the keywords that Gemini refuses; property names are no keywords."""
    if isinstance(schema, list):
        return [_plain_schema(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            plain[key] = {name: _plain_schema(part) for name, part in value.items()}
        elif key == "items":
            plain[key] = _plain_schema(value)
        elif key in _SCHEMA_KEYS:
            plain[key] = value
    if "properties" in plain:
        plain["propertyOrdering"] = list(plain["properties"])  # the reason before the score
    return plain
