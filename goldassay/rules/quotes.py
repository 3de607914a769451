"""Rule `quotes`: what stands in quotation marks stands in a source.

Looks at quotations of several words, in the marks of many languages, and at block
quotes; single words in quotation marks are terms, not quotations. Words are compared
without case, punctuation and line breaks. Knows no meaning: a quotation is there or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from goldassay.rules._fact_standing import NEGATIONS
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
    # One line break is no end of a quotation; an empty line, or one that begins an entry, is.
    ('"', re.compile(rf'{_NO_LETTER_BEFORE}(?<!")"((?:[^"\n]|\n(?![\s>*•#-]|\d)){{4,1500}})"(?!"){_NO_LETTER_BEHIND}')),
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
_PATH = re.compile(r"\s(?:>|→|->)\s")
"""Steps through a menu: 'Settings > Account'; each is looked up by itself."""
# Words put into the reader's mouth: 'You could say: "..."', 'Write "..." in the subject line'.
_SUGGESTED = re.compile(
    r"(?:\b(?:you|they|users?|customers?) (?:can|could|may|might|should|would) (?:also |simply |then )?"
    r"|(?:\A|[.:!?\n*-]) {0,2})"
    r"(?:say|write|ask|reply|respond|answer|tell|type|enter|put|phrase|use|search)\b[^\"\n.]{0,40}\Z"
    r"|(?:for example|e\.g\.|for instance|such as)[,:]? ?\Z",
    re.IGNORECASE,
)
_BEFORE = 80
"""Characters before a quotation in which it is suggested."""
_LONGEST_TITLE = 10
_LONG_WORD = 4
_MOST_TRIES = 50
_MOST_LEFT_OUT = 60
"""Words that a gap may leave out; what stands further apart is another passage."""
_FITTED_LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
"""'[A]ll employees': a letter whose case was fitted to the sentence."""
_JOINTS = str.maketrans({"-": " ", "'": ""})
_CJK_CHARACTER = re.compile(f"[{_CJK}]")


class _Quotation(NamedTuple):
    text: str
    start: int
    end: int
    is_block: bool = False
    is_suggested: bool = False


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
        be a box of the assistant's own and is `unsure`, as are words that the reader might say, and a quotation
        that leaves out a 'not' or puts parts together that do not follow each other.
    """
    found = [item for item in _quotations(context.answer.prose) if _is_quoted(item.text, config.min_words)]
    if not found:
        return Finding(Outcome.PASS)
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    known = _known_words(context)
    missing = [item for item in found if not _stands(item.text, known)]
    if not missing:
        return _pieced(context, found, known)
    sure = [item for item in missing if not item.is_block and not item.is_suggested]
    evidence = tuple(_evidence(context, item) for item in sure or missing)
    shown = evidence[0].text if len(evidence[0].text) <= 80 else evidence[0].text[:77] + "..."
    more = f" and {len(evidence) - 1} more" if len(evidence) > 1 else ""
    outcome = Outcome.FAIL if sure else Outcome.UNSURE
    return Finding(outcome, Category.ADDED_CLAIM, f"quotes {shown}{more}, which stands in no source", evidence)


def _quotations(text: str) -> Iterator[_Quotation]:
    for pattern in (pattern for mark, pattern in _MARKS if mark in text):
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            yield _Quotation(match.group(1), *match.span(), is_suggested=_SUGGESTED.search(before) is not None)
    if ">" not in text:
        return
    for match in _BLOCK.finditer(text):
        inside = _BLOCK_MARK.sub("", match.group())
        if not _CALLOUT.match(inside):
            yield _Quotation(inside, match.start(), match.start() + len(match.group().rstrip()), is_block=True)


def _is_quoted(text: str, min_words: int) -> bool:
    """Whether these are enough words, and no title: "One Hundred Years of Solitude"."""
    if _size(text) < min_words:
        return False
    said = words(text)
    is_title = len(said) <= _LONGEST_TITLE and not text.rstrip().endswith((".", "!", ","))
    return not (
        is_title and text != text.upper() and all(word[0].isupper() for word in said if len(word) >= _LONG_WORD)
    )


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
    pieces = [piece for step in _PATH.split(quotation) for piece in _parts(step)]
    return all(line in known.words or line.replace(" ", "") in known.torn for line in pieces)


def _parts(quotation: str) -> list[str]:
    """The word lines of what stands between the gaps."""
    return [_word_line(part) for part in _GAP.split(_FITTED_LETTER.sub(r"\1", quotation)) if words(part)]


def _pieced(context: RuleContext, found: list[_Quotation], known: _Known) -> Finding:
    """All parts stand in the sources; do they follow each other there, with no 'not' left out between them?"""
    for item in found:
        parts = _parts(item.text)
        if len(parts) < 2 or _PATH.search(item.text) or _follow(parts, known.words):
            continue
        reason = f"pieces {item.text[:80]!r} together from parts that do not follow each other, or leaves out a 'not'"
        return Finding(Outcome.UNSURE, Category.CONTRADICTS_SOURCE, reason, (_evidence(context, item),))
    return Finding(Outcome.PASS)


def _follow(parts: list[str], text: str) -> bool:
    """Whether the parts stand in this order in one source, near each other; parts torn by a line break are let pass."""
    if not all(part in text for part in parts):
        return True
    start = text.find(parts[0])
    tries = 0
    while start >= 0 and tries < _MOST_TRIES:
        if _follow_from(start + len(parts[0]), parts[1:], text):
            return True
        start, tries = text.find(parts[0], start + 1), tries + 1
    return False


def _follow_from(done: int, parts: list[str], text: str) -> bool:
    for part in parts:
        start = text.find(part, done - 1)
        left_out = text[done:start].split()
        if start < 0 or "|" in left_out or len(left_out) > _MOST_LEFT_OUT or not NEGATIONS.isdisjoint(left_out):
            return False
        done = start + len(part)
    return True


def _evidence(context: RuleContext, item: _Quotation) -> Evidence:
    start, end = context.answer.to_raw(item.start, item.end)
    return Evidence("quote", context.record.answer[start:end], start, end)
