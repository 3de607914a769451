"""Ollama's own API: the only one of its doors where the context window can be set.

Reference: https://github.com/ollama/ollama/blob/main/docs/api.md
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
    roles,
    schema_note,
    silent,
    with_extra,
)
from goldassay.judging.settings import JudgeConfig

__all__ = ["Ollama"]


class Ollama:
    """/api/chat, not streamed."""

    name = "ollama"
    default_base_url = "http://127.0.0.1:11434"
    default_key_env = "OLLAMA_API_KEY"
    first_tuning = Tuning()

    def url(self, config: JudgeConfig) -> str:
        """A base address that ends in /v1 is the compatible door; this one lies beside it."""
        base = (config.base_url or self.default_base_url).rstrip("/").removesuffix("/v1")
        return join_url(base, "/api/chat")

    def headers(self, config: JudgeConfig, key: str | None) -> dict[str, str]:
        """Only a guarded server needs a key."""
        del config
        return {} if key is None else {"authorization": f"Bearer {key}"}

    def body(self, request: JudgeRequest, config: JudgeConfig, tuning: Tuning) -> dict[str, Any]:
        """The schema as format; temperature, length and window as options."""
        user = request.user_prefix + request.user_suffix
        if tuning.format != "json_schema":
            user += schema_note(request.schema)
        options: dict[str, Any] = {"num_predict": request.max_tokens}
        if config.temperature is not None and tuning.temperature:
            options["temperature"] = config.temperature
        if config.seed is not None and tuning.seed:
            options["seed"] = config.seed
        if config.num_ctx is not None:
            options["num_ctx"] = config.num_ctx
        body: dict[str, Any] = {
            "model": config.model,
            "messages": roles(request.system, user, tuning),
            "stream": False,
        }
        if tuning.format != "none":
            body["format"] = request.schema if tuning.format == "json_schema" else "json"
        return with_extra(body | {"options": options}, config, merged="options")

    def read(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> JudgeReply:
        """The message's content; its thinking stands in a field of its own and is passed over."""
        message = payload.get("message")
        if not isinstance(message, dict) or payload.get("done") is False:
            raise MalformedReplyError("the reply holds no finished message")
        content = message.get("content")
        functions = [as_mapping(call.get("function")) for call in as_objects(message.get("tool_calls"))]
        text = call_arguments(call.get("arguments") for call in functions) or as_text(content) or ""
        finish = finish_of(payload.get("done_reason"))
        finish = silent(finish, text=text, thought=bool(message.get("thinking")))
        return JudgeReply(
            text=text,
            finish_reason=finish,
            tokens_in=as_int(payload.get("prompt_eval_count")),
            tokens_out=as_int(payload.get("eval_count")),
            model_reported=as_text(payload.get("model")),
            request_id=headers.get("x-request-id"),
        )
