"""The words by which providers name their errors: types, codes and wordings, one table per kind.

Data only; `goldassay.judging.trouble` decides. Looked for in lower case, in all of an error body.
"""

from __future__ import annotations

__all__ = [
    "BAD_KEY",
    "BILLING",
    "BLOCKED",
    "CONTEXT",
    "DAILY",
    "HOPELESS_WAIT_S",
    "NO_MODEL",
    "RANDOM",
    "TOO_LARGE",
    "TRANSIENT",
    "TYPE_STATUS",
]

TYPE_STATUS = {
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "too_many_requests": 429,
    "throttling": 429,
    "throttlingexception": 429,
    "resource_exhausted": 429,
    "overloaded_error": 529,
    "overloaded": 529,
    "engine_overloaded": 529,
    "unavailable": 503,
    "service_unavailable": 503,
    "api_error": 500,
    "server_error": 500,
    "internal_server_error": 500,
    "internal_error": 500,
    "internal": 500,
    "timeout_error": 504,
    "timeout": 504,
    "deadline_exceeded": 504,
    "invalid_request_error": 400,
    "badrequesterror": 400,
    "invalid_argument": 400,
    "failed_precondition": 400,
    "authentication_error": 401,
    "unauthenticated": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "not_found_error": 404,
    "notfounderror": 404,
    "not_found": 404,
    "model_not_found": 404,
    "request_too_large": 413,
    "billing_error": 402,
    "insufficient_quota": 402,
}
"""Status that belongs to an error's type or code, for errors that come with a 200 or with a number out of place."""

TRANSIENT = frozenset({408, 409, 423, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 598, 599})

BILLING = (
    "insufficient_quota",
    "billing",
    "credit balance",
    "insufficient credit",
    "insufficient balance",
    "insufficient_balance",
    "insufficient funds",
    "check your plan",
    "payment required",
    "spending limit",
    "out of credits",
    "requires more credits",
    "account is not active",
)
DAILY = (
    "perday",
    "per day",
    "per_day",
    "per-day",
    "daily",
    "(rpd)",
    "(tpd)",
    "per month",
    "permonth",
    "per_month",
    "monthly",
    "weekly limit",
    "per week",
)
BLOCKED = (
    "content_filter",
    "content_policy",
    "content policy",
    "responsibleaipolicyviolation",
    "content management policy",
    "content_management_policy",
    "content filtering policy",
    "safety system",
    "moderation_blocked",
    "prohibited_content",
    "data_inspection_failed",
    "flagged",
)
CONTEXT = (
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "context_window",
    "maximum context",
    "prompt is too long",
    "input is too long",
    "input too long",
    "too many input tokens",
    "too many tokens",
    "exceeds the maximum number of tokens",
    "maximum number of tokens",
    "string_above_max_length",
    "reduce the length",
    "request_too_large",
    "max_model_len",
    "maximum model length",
    "exceed_context_size_error",
)
TOO_LARGE = ("request too large", "tokens must be reduced")
"""A 429 of OpenAI's for a prompt above the tokens of a whole minute: it will not fit a later minute either."""
NO_MODEL = (
    "model_not_found",
    "model_not_exist",
    "deploymentnotfound",
    "invalid_model",
    "not a valid model",
    "unknown model",
    "no such model",
    "invalid model",
    "model_not_available",
)
BAD_KEY = ("invalid_api_key", "api key not valid", "api_key_invalid", "incorrect api key", "invalid api key")
HOPELESS_WAIT_S = 3600.0
"""A limit that opens later than this is a quota: the next scheduled run may finish the rows."""
RANDOM = ("json_validate_failed", "failed to generate json", "tool_use_failed")
"""Refusals of the model's own random output: a 400, yet the next try may succeed."""
