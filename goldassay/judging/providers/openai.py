"""OpenAI chat completions, and everything that speaks it: vLLM, Ollama's /v1, llama.cpp, LiteLLM, Azure.

Reference: https://platform.openai.com/docs/api-reference/chat
Azure paths: https://learn.microsoft.com/azure/ai-services/openai/reference
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

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
    roles,
    schema_note,
    silent,
    texts_of,
    with_extra,
)
from goldassay.judging.settings import JudgeConfig

__all__ = ["OpenAI", "message_text"]

_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
"""Fields in which servers that speak this API put a model's thinking."""


class OpenAI:
    """Chat completions."""

    name = "openai"
    default_base_url = "https://api.openai.com/v1"
    default_key_env = "OPENAI_API_KEY"
    first_tuning = Tuning()

    def url(self, config: JudgeConfig) -> str:
        """Azure: the deployment's path with its api-version; elsewhere /chat/completions."""
        base = config.base_url or self.default_base_url
        if config.api_version is None:
            return join_url(base, "/chat/completions")
        deployment = f"/openai/deployments/{quote(config.model, safe='')}"
        root = base if "/openai/deployments/" in base else base.rstrip("/").removesuffix("/openai") + deployment
        return join_url(root, "/chat/completions") + f"?api-version={quote(config.api_version, safe='')}"

    def headers(self, config: JudgeConfig, key: str | None) -> dict[str, str]:
        """Azure takes the key in a header of its own."""
        if key is None:
            return {}
        return {"api-key": key} if config.api_version is not None else {"authorization": f"Bearer {key}"}

    def body(self, request: JudgeRequest, config: JudgeConfig, tuning: Tuning) -> dict[str, Any]:
        """Rubric as system message; the record before the criterion, in one user message."""
        user = request.user_prefix + request.user_suffix
        if tuning.format != "json_schema":
            user += schema_note(request.schema)
        body: dict[str, Any] = {
            "model": config.model,
            "messages": roles(request.system, user, tuning),
            tuning.max_tokens_name: request.max_tokens,
        }
        if tuning.format == "json_schema":
            schema = {"name": "verdict", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif tuning.format == "json_object":
            body["response_format"] = {"type": "json_object"}
        if config.temperature is not None and tuning.temperature:
            body["temperature"] = config.temperature
        if config.seed is not None and tuning.seed:
            body["seed"] = config.seed
        return with_extra(body, config)

    def read(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
        """The first choice; a refusal or a tool call stands where the text would."""
        choices = payload.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise MalformedReplyError("the reply holds no choice with a message")
        finish = finish_of(choice.get("finish_reason"))
        text, is_refusal = message_text(message)
        finish = silent(finish, text=text, thought=_thought(message))
        usage = as_mapping(payload.get("usage"))
        return JudgeReply(
            text=text,
            finish_reason="refusal" if is_refusal else finish,
            tokens_in=as_int(usage.get("prompt_tokens")),
            tokens_cached=as_int(as_mapping(usage.get("prompt_tokens_details")).get("cached_tokens")),
            tokens_out=as_int(usage.get("completion_tokens")),
            model_reported=as_text(payload.get("model")),
            request_id=headers.get("x-request-id") or as_text(payload.get("id")),
        )


def message_text(message: Mapping[str, Any]) -> tuple[str, bool]:
    """Text of an assistant message, and whether it is a refusal.

    Reasoning (`reasoning_content`, parts of type thinking) is no text: only what
    the model gave as its answer may carry a verdict.
    """
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return refusal, True
    # A tool call is the answer; what stands beside it ("Grading now.") is talk.
    return _arguments(message) or _content_text(message.get("content")), False


def _thought(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    return any(message.get(name) for name in _THOUGHTS) or bool(isinstance(content, list) and content)


def _content_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):  # one part alone, or what some proxies make of JSON: the object itself
        return texts_of([content], "text") or call_arguments([content])
    return texts_of(as_objects(content), "text", kinds={"text", "output_text"})


def _arguments(message: Mapping[str, Any]) -> str:
    functions = [call.get("function") for call in as_objects(message.get("tool_calls"))]
    functions = functions or [message.get("function_call")]
    return call_arguments(as_mapping(function).get("arguments") for function in functions)
