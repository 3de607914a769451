"""Structured values that were written into a text cell: JSON, or what Python printed for a list.

A text that merely begins with a bracket stays a text; one that set out to be JSON and
broke off is refused, because half a list of passages is not what the model saw.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from typing import Any

import orjson

from goldassay.sources.faults import UnreadableValueError

__all__ = ["parse_nested"]

LITERAL_CHARS = 1_000_000
"""Longest text tried as a Python literal: the compiler's memory grows far faster than the text."""


def parse_nested(text: str) -> Any:
    """The list or object that a text holds, or the text itself.

    Raises:
        UnreadableValueError: The text is broken JSON, or an array printed without its separators.
    """
    inner = text.strip()
    if inner[:1] not in {"[", "{"}:
        return text
    try:
        return orjson.loads(inner)
    except orjson.JSONDecodeError as error:
        found = _python_literal(inner)
        if found is not None:
            return found
        if _set_out_as_json(inner):
            raise UnreadableValueError(
                f"looks like JSON but is none ({error}); spreadsheets cut cells at 32,767 signs"
            ) from None
        return text


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
