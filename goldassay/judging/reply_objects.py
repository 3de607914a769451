"""Finds the JSON values in a reply: the whole text first, then what stands in fences, tags or prose.

What is valid JSON is never touched. A damaged object is not searched for pieces: an
intact object inside a broken one is not what the judge meant to say. Each sign of the
text is looked at a fixed number of times, whatever stands there.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, NamedTuple

from goldassay.judging.repairs import read_leniently
from goldassay.judging.reply_contract import Fault
from goldassay.judging.reply_json import NotJsonError, decode, decode_at
from goldassay.judging.reply_text import INVISIBLE, without_reasoning

__all__ = ["Found", "find_values"]

_START = re.compile(r"\{\s*[\"'}/#]|\[\s*[\[{\]/#]")
"""Where JSON may begin. '{answer}' and '[1]' are prose, and so is '{pass: true}': nobody's JSON."""
_TOKEN = {
    '"': re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]', re.DOTALL),
    "'": re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|["'{}\[\]]""", re.DOTALL),
}
"""Strings and brackets, by the quote that the object begins with; a quote that does not end stands for itself."""
_PAIRS = frozenset({'""', "''", "{}", "[]"})
_FENCE_BEFORE = re.compile(r"(?:```|~~~)[ \t]*[A-Za-z0-9_+-]*\s*\Z")
_FENCE_AFTER = re.compile(r"\s*(?:```|~~~)")
_FENCE_REACH = 60
"""Signs before an object in which its fence is looked for."""


class Found(NamedTuple):
    """A value that stands in a reply."""

    value: Any
    repairs: tuple[str, ...]
    """What it took to find and read it."""
    text: str
    """As it stands in the reply."""


def find_values(text: str, wanted_keys: Collection[str]) -> list[Found]:
    """The objects and arrays that stand in a reply, in order; at least one.

    Args:
        text: The reply.
        wanted_keys: Names that a verdict has; a damaged object with them is a damaged verdict.

    Raises:
        Fault: 'not_json' when there is none, or a verdict among them is damaged; 'ambiguous' and
            'not_finite' from reading them; 'no_final_answer' when there is only thinking.
    """
    whole = text.strip(INVISIBLE)
    try:
        return [Found(decode(whole), (), whole)]
    except NotJsonError:
        rest, thought = without_reasoning(text)
    rest = rest.strip(INVISIBLE)
    try:
        return [Found(decode(rest), thought, rest)]
    except NotJsonError:
        return [found._replace(repairs=(*thought, *found.repairs)) for found in _scan(rest, wanted_keys)]


def _scan(text: str, wanted_keys: Collection[str]) -> list[Found]:
    found: list[Found] = []
    at = 0
    while start := _START.search(text, at):
        read = _read_at(text, start.start())
        if read is None:
            at = _behind_damage(text, start.start(), wanted_keys)
            continue
        value, at, repairs = read
        if _is_torn(text, start.start(), at):
            raise Fault("not_json")
        repairs += _around(text, start.start(), at)
        found.append(Found(value, tuple(repairs), text[start.start() : at]))
    if not found:
        raise Fault("not_json")
    return found


def _is_torn(text: str, start: int, end: int) -> bool:
    """Whether the value goes on behind its end: a quote inside a string that was not escaped closed it too early.

    '"It prints "}" twice"' does so. Brackets or quotes on both sides stand around it instead.
    """
    before, after = text[start - 1 : start], text[end : end + 1]
    return after != "" and after in "\"':}]" and (before == "" or f"{before}{after}" not in _PAIRS)


def _read_at(text: str, start: int) -> tuple[Any, int, list[str]] | None:
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


def _behind_damage(text: str, start: int, wanted_keys: Collection[str]) -> int:
    """The offset behind an object that cannot be read, if it can be told and was no verdict."""
    end = _closing(text, start)
    if end is None:
        raise Fault("not_json")
    damaged = text[start:end]
    for key in wanted_keys:
        # A literal value makes it a verdict; '"score": <1-5>' is only the form, repeated.
        if re.search(rf"[\"']{re.escape(key)}[\"']\s*:\s*(?:[-+.\d\"']|true|false|null)", damaged, re.IGNORECASE):
            raise Fault("not_json")
    return end


def _closing(text: str, start: int) -> int | None:
    """The offset behind the bracket that closes the one at `start`; None when it never closes."""
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


def _around(text: str, start: int, end: int) -> list[str]:
    """What stands around the value: a fence, other text, or nothing."""
    repairs = []
    if opened := _FENCE_BEFORE.search(text, max(0, start - _FENCE_REACH), start):
        repairs.append("fence_removed")
        start = opened.start()
        if closed := _FENCE_AFTER.match(text, end):
            end = closed.end()
    # The text is stripped: whatever begins before or goes on behind the value is other text.
    if start > 0 or end < len(text):
        repairs.append("surrounding_text_ignored")
    return repairs
