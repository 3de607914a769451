"""Rule `quotes`: what stands in quotation marks stands in a source.

Looks at quotations of several words; single words in quotation marks are terms,
not quotations. Words are compared without case and punctuation.
"""

from __future__ import annotations

import re

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import QuotesConfig
from goldassay.text import words
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "quotes"]

VERSION = "1"
_QUOTE = re.compile(r'(?<![\w"])"([^"\n]{4,1500})"(?![\w"])')
_GAP = re.compile(r"\[?\s?(?:\.{3}|…)\s?\]?|\[[^\[\]]{1,60}\]")
"""Where a quotation leaves words out or explains: the parts around it are looked up one by one."""


def quotes(context: RuleContext, config: QuotesConfig) -> Finding:
    """Look each quotation up in the sources and in the question."""
    text = context.answer.prose
    if '"' not in text:
        return Finding(Outcome.PASS)
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    found = [match for match in _QUOTE.finditer(text) if len(words(match.group(1))) >= config.min_words]
    if not found:
        return Finding(Outcome.PASS)
    known = _known_words(context)
    missing = tuple(_evidence(context, match) for match in found if not _stands(match.group(1), known))
    if not missing:
        return Finding(Outcome.PASS)
    shown = missing[0].text if len(missing[0].text) <= 80 else missing[0].text[:77] + "..."
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return Finding(Outcome.FAIL, Category.ADDED_CLAIM, f"quotes {shown}{more}, which stands in no source", missing)


def _known_words(context: RuleContext) -> str:
    texts = [source.text for source in context.sources] + [context.question.text]
    return " | ".join(_word_line(text) for text in texts)


def _word_line(text: str) -> str:
    return f" {' '.join(words(text.casefold()))} "


def _stands(quotation: str, known: str) -> bool:
    parts = [part for part in _GAP.split(quotation) if words(part)]
    return all(_word_line(part) in known for part in parts)


def _evidence(context: RuleContext, match: re.Match[str]) -> Evidence:
    start, end = context.answer.to_raw(*match.span())
    return Evidence("quote", context.record.answer[start:end], start, end)
