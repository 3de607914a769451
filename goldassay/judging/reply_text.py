"""What is true of a reply's text in every format: blanks that mean nothing, and thinking that is no answer.

A tag that stands inside a JSON string closes nothing: the judge quotes it there from the answer
under evaluation, whose writer would otherwise decide where the verdict begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from goldassay.judging.reply_contract import Fault
from goldassay.judging.reply_scan import START, end_of_damage, read_at

__all__ = ["INVISIBLE", "Spoken", "without_reasoning"]

INVISIBLE = " \t\r\n\f\v\u00a0\u2028\u2029\u200b\u200c\u200d\u2060\ufeff"
"""Stripped from both ends: blank, zero-width and byte-order signs carry no verdict."""

_TAG = r"(?:(?:[a-z]{1,12}[:_])?think(?:_[a-z]{1,12})?|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)"
"""Also <seed:think>, <longcat_think>, <think_fast>, and what prompts for older models asked for."""
_MESSAGE = r"[^<\n]{0,40}(?:<\|constrain\|>[^<\n]{0,20})?<\|message\|>"
_DETAILS = r"<details\s[^<>\n]{0,80}?\btype=[\"']?reasoning\b[^<>\n]{0,80}>"
"""How Open WebUI passes on a model's thinking."""
_OPENING = (
    rf"<{_TAG}(?:\s[^<>\n]{{0,80}})?>|\[THINK\]|<\|begin_of_thought\|>|\u25c1think\u25b7|"
    r"<\|START_THINKING\|>|<\|inner_prefix\|>|<\|channel>thought\b|"
    rf"{_DETAILS}|"
    rf"<\|channel\|>\s*(?!final\b)\w+{_MESSAGE}"
)
_OPEN = re.compile(rf"(?:\A|\n)[ \t]*(?:{_OPENING})", re.IGNORECASE)
_CLOSE = re.compile(
    rf"</{_TAG}\s{{0,3}}>|\[/THINK\]|<\|end_of_thought\|>|\u25c1/think\u25b7|"
    r"<\|END_THINKING\|>|<\|inner_suffix\|>|<channel\|>|"
    rf"<\|channel\|>\s*(?P<channel>\w+){_MESSAGE}",
    re.IGNORECASE,
)
"""What ends thinking (DeepSeek, Mistral, Kimi, Cohere, Apertus, Gemma). Of the channels of gpt-oss, where a server
passes them on as text, only 'final' is the answer."""
_ANY_DETAILS = re.compile(rf"(?:\A|\n)[ \t]*{_DETAILS}", re.IGNORECASE)
_CLOSE_OR_DETAILS = re.compile(rf"{_CLOSE.pattern}|</details\s{{0,3}}>", re.IGNORECASE)
"""'</details>' ends thinking only where such a block began it: elsewhere it is HTML."""
_END_TOKENS = re.compile(r"(?:<\|(?:end|return|im_end|eot_id|endoftext)\|>\s*)+\Z")


class Spoken(NamedTuple):
    """What a judge says once it has thought."""

    text: str
    repairs: tuple[str, ...] = ()
    """'reasoning_removed' if there was any thinking."""
    is_sure: bool = True
    """False: a tag closed thinking that no tag had opened, so it may have been quoted in prose."""


class _Cut(NamedTuple):
    """Where the answer begins, and what stood before it."""

    start: int = 0
    thought: bool = False
    opened: bool = False
    """A tag said that thinking begins, before one said that it ends."""
    channel: str | None = None
    """Of the last mark, where it was one of a channel."""

    def is_thinking(self, text: str, stop: int) -> bool:
        """Whether a tag said that the text from here up to `stop` is thinking, whatever it drafts."""
        if self.channel is not None:
            return self.channel != "final"
        opens = None if self.thought else _OPEN.match(text, self.start)
        return opens is not None and opens.end() <= stop


def without_reasoning(text: str) -> Spoken:
    """The text after the judge's thinking.

    The opening tag may be missing (some chat templates send it with the prompt), so
    everything before the last closing tag is thinking.

    Raises:
        Fault: 'no_final_answer' when the thinking never ends, or nothing follows it; 'not_json' when a tag
            stands in a damaged object, and nobody can tell whether it closes anything.
    """
    text = text.lstrip(INVISIBLE)
    closing = _CLOSE_OR_DETAILS if _ANY_DETAILS.search(text) else _CLOSE
    cut = _cut(text, closing.finditer(text))
    rest = text[cut.start :]
    if cut.channel is not None:
        if cut.channel != "final":
            raise Fault("no_final_answer")
        rest = _END_TOKENS.sub("", rest)
    if _OPEN.search(rest) or (cut.thought and not rest.strip(INVISIBLE)):
        raise Fault("no_final_answer")
    return Spoken(rest, ("reasoning_removed",), cut.opened) if cut.thought else Spoken(rest)


def _cut(text: str, tags: Iterable[re.Match[str]]) -> _Cut:
    cut, read_to = _Cut(), 0
    for tag in tags:
        is_thinking = cut.is_thinking(text, tag.start())
        if not is_thinking:
            read_to = _behind_objects(text, read_to, tag.start())
            if read_to > tag.start():
                continue
        channel = tag["channel"]
        at_start = tag.start() == 0  # the first channel, behind which nothing was thought yet
        cut = _Cut(tag.end(), cut.thought or not at_start, cut.opened or is_thinking or at_start, channel)
        read_to = tag.end()
    return cut


def _behind_objects(text: str, at: int, stop: int) -> int:
    """The offset up to which objects reach that begin before `stop`.

    Raises:
        Fault: 'not_json' when one of them is damaged and reaches over `stop`.
    """
    while (start := START.search(text, at, stop)) is not None:
        try:
            read = read_at(text, start.start())
        except Fault:  # it says two things: its end is the end of its brackets
            read = None
        if read is not None:
            at = read[1]
        elif (end := end_of_damage(text, start.start())) is None or end > stop:
            raise Fault("not_json")
        else:
            at = end
    return at
