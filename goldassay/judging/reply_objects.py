"""Finds the JSON values in a reply: the whole text first, then what stands in fences, tags or prose.

What is valid JSON is never touched. A damaged object is not searched for pieces: an
intact object inside a broken one is not what the judge meant to say. Each sign of the
text is looked at a fixed number of times, whatever stands there.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, NamedTuple

from goldassay.judging.reply_contract import Fault
from goldassay.judging.reply_json import NotJsonError, decode
from goldassay.judging.reply_scan import START, end_of_damage, read_at
from goldassay.judging.reply_text import INVISIBLE, without_reasoning

__all__ = ["Found", "find_values"]

_PAIRS = frozenset({'""', "''", "{}", "[]"})
_FENCE_BEFORE = re.compile(r"(?:```|~~~)[ \t]*[A-Za-z0-9_+-]*\s*\Z")
_FENCE_AFTER = re.compile(r"\s*(?:```|~~~)")
_GOES_ON = re.compile(r"[{\[]|(?:[\"']\s{0,9}:|,)\s*\Z")
"""Before a value that may be a member of something larger: an open bracket, a key and its colon, a comma."""
_STRAY_BRACKETS = re.compile(r"\s*[}\]][}\]\s]*(?=```|~~~|\Z)")
_FENCE_REACH = 60
"""Signs before an object in which its fence is looked for."""


class Found(NamedTuple):
    """A value that stands in a reply."""

    value: Any
    repairs: tuple[str, ...]
    """What it took to find and read it."""
    around: str = ""
    """What the judge says beside all the values of the reply."""
    is_sure: bool = True
    """False: what precedes it was taken for thinking without a tag that says where it began."""


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
        return [_once_more(decode(whole))]
    except NotJsonError:
        spoken = without_reasoning(text)
    rest, thought, is_sure = spoken.text.strip(INVISIBLE), spoken.repairs, spoken.is_sure
    try:
        return [Found(decode(rest), thought, is_sure=is_sure)]
    except NotJsonError:
        found = _scan(rest, wanted_keys)
    return [each._replace(repairs=(*thought, *each.repairs), is_sure=is_sure) for each in found]


def _once_more(value: Any) -> Found:
    """The value; where it is a string that holds an object, what it holds: JSON that was encoded twice."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return Found(decode(value), ("unwrapped:string",))
        except NotJsonError:
            pass
    return Found(value, ())


def _scan(text: str, wanted_keys: Collection[str]) -> list[Found]:
    found: list[Found] = []
    beside: list[str] = []
    at = behind = 0
    while start := START.search(text, at):
        read = read_at(text, start.start())
        if read is None:
            at = _behind_damage(text, start.start(), wanted_keys)
            continue
        value, at, repairs = read
        if (end := _behind_stray_brackets(text[behind : start.start()], text, at)) is not None:
            at, repairs = end, [*repairs, "extra_bracket"]
        elif _is_torn(text, start.start(), at):
            raise Fault("not_json")
        repairs += _around(text, start.start(), at)
        found.append(Found(value, tuple(repairs)))
        beside.append(text[behind : start.start()])
        behind = at
    if not found:
        raise Fault("not_json")
    around = "\n".join([*beside, text[behind:]])
    return [each._replace(around=around) for each in found]


def _behind_stray_brackets(before: str, text: str, end: int) -> int | None:
    """The offset behind brackets that close nothing and are all that follows; None where there are none.

    '{...}}' is whole, and was closed once too often. A string that was closed too early leaves its own last quote
    behind, and a member of a larger object that lost its head has a name before it: neither is taken for this.
    """
    stray = _STRAY_BRACKETS.match(text, end)
    return None if stray is None or _GOES_ON.search(before) else stray.end()


def _is_torn(text: str, start: int, end: int) -> bool:
    """Whether the value goes on behind its end: a quote inside a string that was not escaped closed it too early.

    '"It prints "}" twice"' does so. Brackets or quotes on both sides stand around it instead.
    """
    before, after = text[start - 1 : start], text[end : end + 1]
    return after != "" and after in "\"':}]" and (before == "" or f"{before}{after}" not in _PAIRS)


def _behind_damage(text: str, start: int, wanted_keys: Collection[str]) -> int:
    """The offset behind an object that cannot be read, if it can be told and was no verdict."""
    end = end_of_damage(text, start)
    if end is None:
        raise Fault("not_json")
    damaged = text[start:end]
    for key in wanted_keys:
        # A literal value makes it a verdict; '"score": <1-5>' is only the form, repeated.
        if re.search(rf"[\"']{re.escape(key)}[\"']\s*:\s*(?:[-+.\d\"']|true|false|null)", damaged, re.IGNORECASE):
            raise Fault("not_json")
    return end


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
