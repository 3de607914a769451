"""Structured values that were written into a text cell: JSON, or what Python printed for a list.

A text that merely begins with a bracket stays a text; one that set out to be JSON and
broke off is refused, because half a list of passages is not what the model saw.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from collections.abc import Callable
from typing import Any

import orjson

from goldassay.sources.faults import UnreadableValueError

__all__ = ["ExactNumber", "as_written", "holds_float", "parse_nested", "parse_reply_json"]

LITERAL_CHARS = 1_000_000
"""Longest text tried as a Python literal: the compiler's memory grows far faster than the text."""


_ARRAY = re.compile(r"array\((\[.*\])(?:, dtype=[\w<>|']{1,20})?\)", re.DOTALL)
_PRINTED_OBJECT = re.compile(r"\[?(?:Document|TextNode|NodeWithScore|[A-Z]\w{0,40})\(\w{1,40}=['\"{]")


class ExactNumber(str):
    """A number as it was written: '1.10' is not 1.1, and 20 digits are not rounded."""

    __slots__ = ()


def holds_float(value: Any) -> bool:
    """Whether a number somewhere inside was parsed as a float: written '1.10', or with more than 64 bits."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if type(part) is float:
            return True
        if isinstance(part, dict | list):
            waiting += part.values() if isinstance(part, dict) else part
    return False


def parse_reply_json(data: bytes) -> Any:
    """A JSON value with its numbers as they were written, also where a strict parser refuses it.

    Models cut texts in the middle of a surrogate pair, and servers write NaN or a byte order mark.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        found = orjson.loads(data)
    except ValueError:
        return _loose(data)
    return as_written(data, found) if holds_float(found) else found


def _loose(data: bytes) -> Any:
    try:
        return json.loads(data, parse_float=ExactNumber)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def parse_nested(text: str, *, is_inexact: Callable[[Any], bool] = holds_float) -> Any:
    """The list or object that a text holds, or the text itself.

    Args:
        text: A cell of a table.
        is_inexact: Whether what was parsed lacks a number as it was written, so that it is parsed once more.

    Raises:
        UnreadableValueError: The text is broken JSON, an array printed without its separators, or a printed object.
    """
    inner = text.strip()
    array = _ARRAY.fullmatch(inner) if inner[:6] == "array(" else None
    inner = array[1] if array is not None else inner
    if _PRINTED_OBJECT.match(inner):
        raise UnreadableValueError("is what Python printed of an object; write its text, or the list as JSON")
    if inner[:1] not in {"[", "{"}:
        return text
    try:
        found = orjson.loads(inner)
        return as_written(inner, found) if is_inexact(found) else found
    except orjson.JSONDecodeError as error:
        found = _python_literal(inner)
        if found is not None:
            return found
        if _set_out_as_json(inner):
            raise UnreadableValueError(
                f"looks like JSON but is none ({error}); spreadsheets cut cells at 32,767 signs"
            ) from None
        return text


def as_written(text: str | bytes, found: Any) -> Any:
    """What was found in a text, once more, with every number as it was written."""
    try:
        return json.loads(text, parse_float=ExactNumber)
    except (ValueError, RecursionError):
        return found


def _set_out_as_json(inner: str) -> bool:
    compact = inner[:20].replace(" ", "").replace("\n", "")
    return compact.startswith(('["', "[{", '{"'))


def _python_literal(inner: str) -> Any:
    if len(inner) > LITERAL_CHARS or inner[-1:] not in {"]", "}"}:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in logged text is no business of the operator's
            value = ast.literal_eval(inner)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if _joins_texts(inner):
        raise UnreadableValueError("is an array printed without commas; write the list as JSON")
    return value if isinstance(value, list | dict) else None


def _joins_texts(inner: str) -> bool:
    """Python reads ['a' 'b'] as one text 'ab'; NumPy prints two passages that way."""
    before = None
    for token in tokenize.generate_tokens(io.StringIO(inner).readline):
        if token.type == tokenize.STRING == before:
            return True
        if token.type not in {tokenize.NL, tokenize.COMMENT}:
            before = token.type
    return False
