"""Strict JSON, with what Python's decoder lets through caught: duplicate keys, NaN, huge numbers, deep nesting."""

from __future__ import annotations

import json
import math
from typing import Any

from goldassay.judging.reply_contract import Fault

__all__ = ["NotJsonError", "decode", "decode_at"]

_MAX_DIGITS = 400
"""Longer whole numbers are cut to this many digits: they are outside every scale, and quadratic to convert."""


class NotJsonError(ValueError):
    """The text is not strict JSON."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        # repr tells 1 from True and 1.0; equal repeats of a key are harmless.
        if key in result and repr(result[key]) != repr(value):
            raise Fault("ambiguous", field=key)
        result[key] = value
    return result


def _constant(name: str) -> Any:
    raise Fault("not_finite", value=name)


def _whole(text: str) -> int:
    return int(text) if len(text) <= _MAX_DIGITS else int(text[:_MAX_DIGITS])


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise Fault("not_finite", value=text[:40])
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant, parse_int=_whole, parse_float=_float)


def decode(text: str) -> Any:
    """The value of a text that is JSON from end to end.

    Raises:
        NotJsonError: If it is not, or is nested too deeply to be a verdict.
        Fault: If it is, but says two things or holds NaN or Infinity.
    """
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at `start`, and the offset behind it. Raises as `decode`."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error
