"""Reads the JSON value that begins at one place of a text, and tells where a damaged one ends.

What is valid JSON is never touched; only what is not is read leniently. Called by the readers
of a reply's objects and of its thinking; knows neither.
"""

from __future__ import annotations

import re
from typing import Any

from goldassay.judging.repairs import read_leniently
from goldassay.judging.reply_json import NotJsonError, decode_at

__all__ = ["START", "end_of_damage", "read_at"]

START = re.compile(r"\{\s*[\"'}/#]|\[\s*[\[{\]/#]")
"""Where JSON may begin. '{answer}' and '[1]' are prose, and so is '{pass: true}': nobody's JSON."""
_TOKEN = {
    '"': re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]', re.DOTALL),
    "'": re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|["'{}\[\]]""", re.DOTALL),
}
"""Strings and brackets, by the quote that the object begins with; a quote that does not end stands for itself."""


def read_at(text: str, start: int) -> tuple[Any, int, list[str]] | None:
    """The value that begins at `start`, the offset behind it and the repairs it took; None where it is damaged.

    Raises:
        Fault: If it can be read, but says two things or holds NaN or Infinity.
    """
    try:
        value, end = decode_at(text, start)
    except NotJsonError:
        pass
    else:
        return value, end, []
    try:
        return read_leniently(text, start)
    except NotJsonError:
        return None


def end_of_damage(text: str, start: int) -> int | None:
    """The offset behind the bracket that closes the damaged value at `start`; None when it never closes."""
    first = re.compile(r"[\"'}\]]").search(text, start)
    token = _TOKEN["'" if first and first.group() == "'" else '"']
    depth = 0
    for match in token.finditer(text, start):
        sign = match.group()
        if sign in {"{", "["}:
            depth += 1
        elif sign in {"}", "]"}:
            depth -= 1
            if not depth:
                return match.end()
        elif len(sign) == 1:
            return None
    return None
