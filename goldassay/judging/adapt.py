"""What to leave out of a request after a model refused a parameter.

Told from the error's `param` and words. Each parameter is given up once and for the
whole run, and the rows say so: temperature 0 that was not honoured matters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from goldassay.judging.providers.base import FORMATS, Format, Tuning
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import Trouble

__all__ = ["Change", "change_for", "with_format"]

_REFUSALS = (
    "unsupported",
    "not support",
    "n't support",
    "unknown",
    "unrecognized",
    "unrecognised",
    "not allowed",
    "not permitted",
    "extra inputs",
    "unexpected",
    "must be",
    "only",
    "deprecated",
    "not available",
    "not compatible",
    "incompatible",
    "does not accept",
    "cannot",
    "not implemented",
    "invalid ",  # with the blank: "invalid_request_error" is the type of every refusal
    "unavailable",
    "not enabled",
    "disabled",
    "may not",
    "must contain",
    "is required",
    "requires",
    "should be",
    "greater than",
    "failed to parse",
    "can be specified",
    "too many states",
)
_FORMAT_WORDS = (
    "response_format",
    "json_schema",
    "json_object",
    "structured output",
    "output_format",
    "output_config",
    "text.format",
    "responseschema",
    "response_schema",
    "responsejsonschema",
    "response_json_schema",
    "responsemimetype",
    "response_mime_type",
    "response mime type",
    "tool_choice",
    "json mode",
    "json schema",
    "schema produces",
    "guided",
    "'format'",
    "invalid format",
    "chatrequest.format",
    "grammar",
    "tool use",
    "tool choice",
    "tool calling",
    "function calling",
    "support tools",
    "tools:",
)
_SYSTEM_WORDS = (
    "system role",
    "role 'system'",
    "'system' with",
    "system message",
    "system prompt",
    "system instruction",
    "systeminstruction",
    "developer instruction",
    "only user and assistant roles",
)
"""Gemma and the first reasoning models have no system role: vLLM, Gemini's API and OpenAI's each say so."""


class Change(NamedTuple):
    """A request that asks for less, and what is noted of it."""

    tuning: Tuning
    noted: dict[str, str]


def with_format(tuning: Tuning, wanted: Format) -> Tuning:
    """Begin with another way of asking for the reply's shape."""
    return replace(tuning, format=wanted)


def change_for(trouble: Trouble, sent: Tuning, current: Tuning, config: JudgeConfig) -> Change | None:
    """What to send instead; None when the refusal is about something else.

    Args:
        trouble: A request that was refused for good.
        sent: What that request was built with; others may have changed `current` since.
        current: What requests are built with now.
        config: Tells what was asked for at all.
    """
    if trouble.kind != "bad_request":
        return None
    said = trouble.said or trouble.detail.lower()
    if not any(word in said for word in _REFUSALS):
        return None
    for attempt in (_output_limit, _temperature, _seed, _shape, _system):
        change = attempt(said, sent, config)
        if change is not None:
            # The same refusal met by another call already: send again as things stand now.
            return change if sent == current else Change(current, {})
    return None


def _temperature(said: str, sent: Tuning, config: JudgeConfig) -> Change | None:
    if "temperature" not in said or not sent.temperature or config.temperature is None:
        return None
    return Change(replace(sent, temperature=False), {"temperature": "provider default"})


def _seed(said: str, sent: Tuning, config: JudgeConfig) -> Change | None:
    if "seed" not in said or not sent.seed or config.seed is None:
        return None
    return Change(replace(sent, seed=False), {"seed": "not sent"})


def _output_limit(said: str, sent: Tuning, config: JudgeConfig) -> Change | None:
    del config
    new = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}.get(sent.max_tokens_name)
    refused = said.find(sent.max_tokens_name)
    if new is None or refused < 0 or sent.swapped_max_tokens or _is_about_size(said):
        return None
    changed = replace(sent, max_tokens_name=new, swapped_max_tokens=True)
    return Change(changed, {sent.max_tokens_name: f"sent as {new}"})


def _is_about_size(said: str) -> bool:
    """'max_tokens is too large: 9000' is refused for its value, not for its name."""
    return any(word in said for word in ("too large", "too many", "at most", "less than", "exceed", "greater than"))


def _shape(said: str, sent: Tuning, config: JudgeConfig) -> Change | None:
    del config
    if not any(word in said for word in _FORMAT_WORDS):
        return None
    refused = sent.refused_formats | {sent.format}
    left = [name for name in FORMATS if name not in refused]
    if sent.format == "none" or not left:
        return None
    return Change(replace(sent, format=left[0], refused_formats=refused), {"response_format": f"sent as {left[0]}"})


def _system(said: str, sent: Tuning, config: JudgeConfig) -> Change | None:
    del config
    if not sent.system or not any(word in said for word in _SYSTEM_WORDS):
        return None
    return Change(replace(sent, system=False), {"system": "sent in the user message"})
