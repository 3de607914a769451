"""Rule `quotes`: what stands in quotation marks stands in a source.

Looks at quotations of several words, in the marks of many languages, and at block
quotes; single words in quotation marks are terms, not quotations. Words are compared
without case, punctuation and line breaks. Knows no meaning: a quotation is there or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import QuotesConfig
from goldassay.text import words
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "quotes"]

VERSION = "1"
_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
# A mark inside a word is none; between Chinese or Japanese characters, which no space parts, it is one.
_NO_LETTER_BEFORE, _NO_LETTER_BEHIND = rf"(?<![^\W{_CJK}])", rf"(?![^\W{_CJK}])"
_MARKS = (
    ('"', re.compile(rf'{_NO_LETTER_BEFORE}(?<!")"([^"\n]{{4,1500}})"(?!"){_NO_LETTER_BEHIND}')),
    ("「", re.compile(r"「([^「」\n]{4,1500})」")),
    ("『", re.compile(r"『([^『』\n]{4,1500})』")),
    # An apostrophe inside a word closes nothing, and "the users' data" opens nothing.
    ("'", re.compile(r"(?<![\w'])'(?=[^\W\d_])((?:[^'\n]|(?<=\w)'(?=\w)){4,600})(?<=[\w.,!?…])'(?![\w'])")),
)
_BLOCK = re.compile(r"(?:^[ ]{0,3}>[^\n]{0,2000}(?:\n|\Z)){1,40}", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^[ ]{0,3}>[> ]{0,6}", re.MULTILINE)
# A box that the assistant set itself: "> **Note:** ...", "> [!TIP]", "> ⚠️ ...".
_CALLOUT = re.compile(
    r"\s*(?:\[!|[\u2139\u2600-\u27bf\U0001f300-\U0001faff]|(?:note|tip|hint|important|warning|caution|summary|example|info"
    r"|hinweis|tipp|wichtig|achtung|nota|consejo|importante|remarque|attention|conseil|注意|提示|注)\b)",
    re.IGNORECASE,
)
_GAP = re.compile(r"\[?\s?(?:\.{3}|…)\s?\]?|\[[^\[\]]{1,60}\]")
"""Where a quotation leaves words out or explains: the parts around it are looked up one by one."""
_FITTED_LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
"""'[A]ll employees': a letter whose case was fitted to the sentence."""
_JOINTS = str.maketrans({"-": " ", "'": ""})
_CJK_CHARACTER = re.compile(f"[{_CJK}]")


class _Quotation(NamedTuple):
    text: str
    start: int
    end: int
    is_block: bool = False


class _Known(NamedTuple):
    """What a quotation may come from."""

    words: str
    """The words of all texts, a space between them."""
    torn: str
    """The letters of those sources in which a line break tears words apart, so that nobody knows which are one."""


def quotes(context: RuleContext, config: QuotesConfig) -> Finding:
    """Look each quotation up in the sources, their titles and what was asked.

    Args:
        context: The record with its texts.
        config: How many words make a quotation.

    Returns:
        Fail with category `added_claim` where a quotation stands nowhere; a block quote that stands nowhere may
        be a box of the assistant's own and is `unsure`.
    """
    found = [item for item in _quotations(context.answer.prose) if _size(item.text) >= config.min_words]
    if not found:
        return Finding(Outcome.PASS)
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    known = _known_words(context)
    missing = [item for item in found if not _stands(item.text, known)]
    if not missing:
        return Finding(Outcome.PASS)
    sure = [item for item in missing if not item.is_block]
    evidence = tuple(_evidence(context, item) for item in sure or missing)
    shown = evidence[0].text if len(evidence[0].text) <= 80 else evidence[0].text[:77] + "..."
    more = f" and {len(evidence) - 1} more" if len(evidence) > 1 else ""
    outcome = Outcome.FAIL if sure else Outcome.UNSURE
    return Finding(outcome, Category.ADDED_CLAIM, f"quotes {shown}{more}, which stands in no source", evidence)


def _quotations(text: str) -> Iterator[_Quotation]:
    for pattern in (pattern for mark, pattern in _MARKS if mark in text):
        yield from (_Quotation(match.group(1), *match.span()) for match in pattern.finditer(text))
    if ">" not in text:
        return
    for match in _BLOCK.finditer(text):
        inside = _BLOCK_MARK.sub("", match.group())
        if not _CALLOUT.match(inside):
            yield _Quotation(inside, match.start(), match.start() + len(match.group().rstrip()), is_block=True)


def _size(quotation: str) -> float:
    """Words; a Chinese or Japanese character is half of one."""
    return len(words(quotation)) - len(_CJK_CHARACTER.findall(quotation)) / 2


def _known_words(context: RuleContext) -> _Known:
    texts = [source.text for source in context.sources]
    torn = [text for text in texts if "-\n" in text or "- \n" in text]
    texts += [source.title for source in context.record.sources if source.title]
    texts += [context.question.text, *(turn.text for turn in context.record.turns)]
    return _Known(" | ".join(map(_word_line, texts)), "|".join(_word_line(text).replace(" ", "") for text in torn))


def _word_line(text: str) -> str:
    """The words with one space between them; hyphens part words, apostrophes do not count."""
    return f" {' '.join(words(text.casefold().translate(_JOINTS)))} "


def _stands(quotation: str, known: _Known) -> bool:
    parts = [part for part in _GAP.split(_FITTED_LETTER.sub(r"\1", quotation)) if words(part)]
    lines = [_word_line(part) for part in parts]
    return all(line in known.words or line.replace(" ", "") in known.torn for line in lines)


def _evidence(context: RuleContext, item: _Quotation) -> Evidence:
    start, end = context.answer.to_raw(item.start, item.end)
    return Evidence("quote", context.record.answer[start:end], start, end)
