"""Untrusted text made harmless to look at: control characters, ANSI escapes and bidi overrides become visible.

Answers, sources, judge replies and names may carry anything. Every report shows
text through this module. It does not know markup: rich, Markdown and XML
escape on top of it, each in its own module.
"""

from __future__ import annotations

import re

__all__ = ["excerpt", "one_line", "visible"]

# U+200C/U+200D join letters in Persian, Hindi and emoji: they stay.
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164"
)
_HIDDEN_MORE = "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
_ODD = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_HIDDEN}{_HIDDEN_MORE}]")
_SPACES = re.compile(r"\s+")
_ELLIPSIS = "…"


def visible(text: str) -> str:
    r"""Text as a person may safely see it: nothing in it steers a terminal or turns the reading direction.

    Line breaks and tabs stay; `\r\n` becomes `\n`; other control characters become
    their Unicode pictures (ESC is shown as ␛); invisible and direction-changing
    characters become ``<U+202E>``.
    """
    return _ODD.sub(_shown, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """`visible` text on one line: runs of white space become one blank."""
    return _SPACES.sub(" ", visible(text)).strip()


def excerpt(text: str, limit: int = 160) -> str:
    """The beginning of a text on one line, at most `limit` characters, cut at a word where one is near."""
    # Only the head is looked at: an answer may be megabytes long.
    line = one_line(text[: limit * 4 + 64])
    if len(line) <= limit and len(text) <= limit * 4 + 64:
        return line
    head = line[: max(limit - 1, 0)]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 2 // 3 else head) + _ELLIPSIS


def _shown(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"<U+{code:04X}>"
