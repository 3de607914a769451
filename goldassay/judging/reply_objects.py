"""Finds the JSON objects in a reply: the whole text first, then what stands in fences, tags or prose.

What is valid JSON is never touched. A damaged object is not searched for pieces: an
intact object inside a broken one is not what the judge meant to say.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from goldassay.judging.repairs import read_leniently
from goldassay.judging.reply_contract import Fault
from goldassay.judging.reply_json import NotJsonError, decode, decode_at

__all__ = ["Found", "find_values", "without_reasoning"]

INVISIBLE = " \t\r\n\f\v\u00a0\u200b\u200c\u200d\u2060\ufeff"
"""Stripped from both ends: blank, zero-width and byte-order signs carry no verdict."""

_OPEN = re.compile(r"(?:\A|\n)[ \t]*<(think|thinking|thought|reasoning)>|(?:\A|\n)[ \t]*\[THINK\]", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]", re.IGNORECASE)
_START = {"{": re.compile(r"\{\s*[\"'}/#]"), "[": re.compile(r"\[\s*[\[{\]/#]")}
_STRING = {'"': re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL), "'": re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)}
_FENCE_BEFORE = re.compile(r"(?:```|~~~)[ \t]*[A-Za-z0-9_+-]*\s*\Z")
_FENCE_AFTER = re.compile(r"\s*(?:```|~~~)")


class Found(NamedTuple):
    """A value that stands in a reply."""

    value: Any
    repairs: tuple[str, ...]
    """What it took to find and read it."""
    text: str
    """As it stands in the reply."""
    alone: bool
    """Whether nothing else stood in the reply, a fence apart."""


def without_reasoning(text: str) -> tuple[str, bool]:
    """The text after the judge's thinking, and whether there was any.

    Raises:
        Fault: 'no_final_answer' when the thinking never ends, or nothing follows it.
    """
    ends = [match.end() for match in _CLOSE.finditer(text)]
    rest = text[ends[-1] :] if ends else text
    if _OPEN.search(rest):
        raise Fault("no_final_answer")
    if ends and not rest.strip(INVISIBLE):
        raise Fault("no_final_answer")
    return rest, bool(ends)


def find_values(text: str, bracket: str) -> list[Found]:
    """The objects ('{') or arrays ('[') that stand in a reply, in order.

    Raises:
        Fault: 'not_json' when there is none, or one that looks like a verdict is damaged;
            'ambiguous' and 'not_finite' from reading it; 'no_final_answer' from thinking.
    """
    whole = text.strip(INVISIBLE)
    try:
        return [Found(decode(whole), (), whole, alone=True)]
    except NotJsonError:
        pass
    rest, had_reasoning = without_reasoning(text)
    repairs = ("reasoning_removed",) if had_reasoning else ()
    try:
        return [Found(decode(rest.strip(INVISIBLE)), repairs, rest.strip(INVISIBLE), alone=True)]
    except NotJsonError:
        pass
    return [found._replace(repairs=(*repairs, *found.repairs)) for found in _scan(rest, bracket)]


def _scan(text: str, bracket: str) -> list[Found]:
    found: list[Found] = []
    at = 0
    while start := _START[bracket].search(text, at):
        value, end, repairs = _read_at(text, start.start())
        repairs += _around(text, start.start(), end)
        found.append(Found(value, tuple(repairs), text[start.start() : end], alone=False))
        at = end
    if not found:
        raise Fault("not_json")
    return found


def _read_at(text: str, start: int) -> tuple[Any, int, list[str]]:
    try:
        value, end = decode_at(text, start)
    except NotJsonError:
        pass
    else:
        return value, end, []
    try:
        return read_leniently(text, start)
    except NotJsonError as error:
        raise Fault("not_json") from error


def _around(text: str, start: int, end: int) -> list[str]:
    before, after = text[:start], text[end:]
    opened = _FENCE_BEFORE.search(before[-40:])
    repairs = []
    if opened:
        repairs.append("fence_removed")
        before = before[: len(before) - len(opened.group())]
        if closed := _FENCE_AFTER.match(after):
            after = after[closed.end() :]
    if before.strip(INVISIBLE) or after.strip(INVISIBLE):
        repairs.append("surrounding_text_ignored")
    return repairs
