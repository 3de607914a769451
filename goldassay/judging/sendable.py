"""Makes values fit for every wire and file: half a surrogate pair has no UTF-8, and some numbers have no JSON.

A judge may write half of an emoji as an escape, and so may a log. Whoever writes such a text
without this either breaks or leaves a line that nobody can read back. Called by the prompt,
the providers and the journal; knows none of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson

__all__ = ["dump", "sendable_text", "sendable_value"]

_MAX_DEPTH = 100
"""Well below what orjson writes and reads; what lies deeper is shown as text."""
_LARGEST = 2**63


def sendable_text(text: str) -> str:
    """The text itself; half a surrogate pair, which no wire format can carry, becomes U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def sendable_value(value: Any, depth: int = 0) -> Any:
    """The value with every text sendable; what JSON cannot carry is written as text, NaN and Infinity as null."""
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return _sendable_parts(value, depth)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_LARGEST <= value < _LARGEST else _as_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return sendable_text(str(value))


def _sendable_parts(value: Any, depth: int) -> Any:
    if depth >= _MAX_DEPTH:
        return f"({type(value).__name__} nested too deeply)"
    if isinstance(value, Mapping):
        return {sendable_text(str(key)): sendable_value(part, depth + 1) for key, part in value.items()}
    return [sendable_value(part, depth + 1) for part in value]


def _as_text(number: int) -> str:
    # Writing out a number of a million digits takes minutes, so Python refuses it; its size says enough.
    return str(number) if number.bit_length() < 4096 else f"a number of {number.bit_length()} bits"


def dump(value: Any) -> bytes:
    """The value as JSON that `orjson.loads` reads back; never raises."""
    try:
        return orjson.dumps(value)
    except (orjson.JSONEncodeError, RecursionError):
        return orjson.dumps(sendable_value(value))
