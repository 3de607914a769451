"""The words by which providers name their errors: types, codes and wordings, one table per kind.

Data only; `goldassay.judging.trouble` decides. Looked for in lower case, in all of an error body.
"""

from __future__ import annotations

__all__ = [
    "BAD_KEY",
    "BILLING",
    "BLOCKED",
    "CONTEXT",
    "CONTEXT_OF_A_500",
    "DAILY",
    "HOPELESS_WAIT_S",
    "NO_MODEL",
    "PACED",
    "RANDOM",
    "TOO_LARGE",
    "TRANSIENT",
    "TYPE_STATUS",
    "UNPAID",
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

TRANSIENT = frozenset(
    {408, 409, 421, 423, 424, 425, 460, 498, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 598, 599}
)
"""Not in the standard: 424 a model behind the server failed (Bedrock, TGI), 460 and 499 somebody on the way hung up,
498 Groq's flex tier is full, 529 Anthropic is overloaded, 52x Cloudflare."""

UNPAID = (
    "insufficient_quota",
    "credit balance",
    "insufficient credit",
    "insufficient balance",
    "insufficient_balance",
    "insufficient funds",
    "payment required",
    "spending limit",
    "spending cap",
    "out of credits",
    "available credits",
    "credits are depleted",
    "credit limit exceeded",
    "requires more credits",
    "account is not active",
    "is suspended",
    "hard_limit_reached",
    "api usage limits",
    "key limit exceeded",
    "key total limit",
    "arrearage",
    "budget_exceeded",
    "budget has been exceeded",
    "exceededbudget",
    "call volume quota",
)
"""A bill, a credit or a budget that is used up: no wait cures it."""
BILLING = ("billing", "check your plan")
"""Said of an unpaid bill, and in what is advertised below a plain limit ('add a payment method at .../billing')."""
PACED = ("per min", "permin", "per_min", "per sec", "/ min", "/min", "(rpm)", "(tpm)")
"""What a limit that opens again within the minute is called."""
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
    "weekly",
    "per week",
    "/ day",
    "/day",
    "/ month",
    "/month",
    "byday",
    " tpd ",
    " rpd ",
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
    "datainspectionfailed",
    "sensitivecontentdetected",
    "unsafe or sensitive content",
    "content exists risk",
    "usage guidelines",
    "moderation policy",
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
    "exceed context limit",
    "contextwindow",
    "maximum prompt length",
    "model token limit",
    "prompt exceeds max length",
    "range of input length",
    "input token count",
    "`inputs` tokens",
)
CONTEXT_OF_A_500 = ("context size", "context length", "context window", "maximum context")
"""llama.cpp says it with a 500; the same prompt will not fit the next time either."""
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
    "model identifier is invalid",
    "no models loaded",
    "does not work with the specified model",
)
BAD_KEY = (
    "invalid_api_key",
    "api key not valid",
    "api_key_invalid",
    "incorrect api key",
    "invalid api key",
    "organization has been disabled",
    "organization must be verified",
    "account_deactivated",
    "location is not supported",
)
HOPELESS_WAIT_S = 3600.0
"""A limit that opens later than this is a quota: the next scheduled run may finish the rows."""
RANDOM = ("json_validate_failed", "failed to generate json", "tool_use_failed")
"""Refusals of the model's own random output: a 400, yet the next try may succeed."""
