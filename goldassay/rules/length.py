"""Rule `length`: the answer is neither empty nor longer or shorter than the settings allow.

Counts what a reader reads: citation marks, the list of sources at the end and HTML
comments are left out, an address is one word, and none behind a label; the figure
or letter that marks an item of a list is no word. Knows no language: each Chinese or
Japanese character is one word.
"""

from __future__ import annotations

import re

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import LengthConfig
from goldassay.text import NormalText, sentences, words
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "length"]

VERSION = "1"

_LIST_MARKER = re.compile(
    r"^[ \t>]{0,20}(?:[-*+•][ \t]{1,4})?(?:\[[ xX]\]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{2,5})\)|\d{1,3}\.)[ \t]+(?=\S)",
    re.MULTILINE,
)
"""'1.', '(a)', 'ii)', '[x]' at the beginning of a line."""


def length(context: RuleContext, config: LengthConfig) -> Finding:
    """Compare words, characters and sentences of the answer with their bounds."""
    if not context.answer.text.strip():  # invisible characters alone are nothing to read
        return Finding(Outcome.FAIL, Category.INCOMPLETE, "the answer is empty")
    for unit, least, most in (
        ("words", config.min_words, config.max_words),
        ("characters", config.min_characters, config.max_characters),
        ("sentences", config.min_sentences, config.max_sentences),
    ):
        if least is None and most is None:
            continue
        count = _count(unit, context)
        if most is not None and count > most:
            return Finding(Outcome.FAIL, Category.TOO_LONG, f"{count} {unit}, at most {most} allowed")
        if least is not None and count < least:
            return Finding(Outcome.FAIL, Category.INCOMPLETE, f"{count} {unit}, at least {least} wanted")
    return Finding(Outcome.PASS)


def _count(unit: str, context: RuleContext) -> int:
    if unit == "words":
        return len(words(_LIST_MARKER.sub(" ", _shown(context, address=" x "))))
    text = _shown(context)
    if unit == "characters":
        return len(text.strip())
    return len(sentences(NormalText(text, text, text)))


def _shown(context: RuleContext, *, address: str | None = None) -> str:
    """The text without citation marks, the closing list of sources and the addresses behind labels.

    Args:
        context: The record with its texts.
        address: What to put in place of a bare address; None: itself.
    """
    text = context.answer.text
    parts: list[str] = []
    done = 0
    for start, end, shown in _left_out(context, address):
        parts += [text[done:start], shown if start >= done else ""]
        done = max(done, end)
    parts.append(text[done:])
    return "".join(parts)


def _left_out(context: RuleContext, address: str | None) -> list[tuple[int, int, str]]:
    """Stretches that are not shown as they stand, by start, with what a reader sees in their place."""
    spans = [(start, end, "") for start, end in context.cited.spans]
    for apart in context.answer.apart:
        is_bare = apart.label_start is None
        if apart.kind == "comment":
            spans.append((apart.start, apart.end, ""))
        elif apart.kind == "link" and (address is not None or not is_bare):
            spans.append((apart.start, apart.end, address or "" if is_bare else ""))
    return sorted(spans)
