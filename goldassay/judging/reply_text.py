"""What is true of a reply's text in every format: blanks that mean nothing, and thinking that is no answer."""

from __future__ import annotations

import re

from goldassay.judging.reply_contract import Fault

__all__ = ["INVISIBLE", "without_reasoning"]

INVISIBLE = " \t\r\n\f\v\u00a0\u2028\u2029\u200b\u200c\u200d\u2060\ufeff"
"""Stripped from both ends: blank, zero-width and byte-order signs carry no verdict."""

_OPEN = re.compile(
    r"(?:\A|\n)[ \t]*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\]|<\|begin_of_thought\|>|\u25c1think\u25b7)",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]|<\|end_of_thought\|>|\u25c1/think\u25b7", re.IGNORECASE
)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<\n]{0,40}<\|message\|>")
"""The channels of gpt-oss, where a server passes them on as text: only 'final' is the answer."""
_END_TOKENS = re.compile(r"(?:<\|(?:end|return|im_end|eot_id|endoftext)\|>\s*)+\Z")


def without_reasoning(text: str) -> tuple[str, tuple[str, ...]]:
    """The text after the judge's thinking, and the repair 'reasoning_removed' if there was any.

    The opening tag may be missing (some chat templates send it with the prompt), so
    everything before the last closing tag is thinking.

    Raises:
        Fault: 'no_final_answer' when the thinking never ends, or nothing follows it.
    """
    rest, thought = _final_channel(text.lstrip(INVISIBLE))
    ends = [match.end() for match in _CLOSE.finditer(rest)]
    if ends:
        rest, thought = rest[ends[-1] :], True
    if _OPEN.search(rest) or (thought and not rest.strip(INVISIBLE)):
        raise Fault("no_final_answer")
    return rest, ("reasoning_removed",) if thought else ()


def _final_channel(text: str) -> tuple[str, bool]:
    channels = list(_CHANNEL.finditer(text))
    if not channels:
        return text, False
    if channels[-1].group(1) != "final":
        raise Fault("no_final_answer")
    return _END_TOKENS.sub("", text[channels[-1].end() :]), len(channels) > 1
