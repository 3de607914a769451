"""Rule `entities`: names and identifiers of the answer are known to the sources or the question. Off by default.

A name is a word written with a capital inside a sentence, an identifier a word
that mixes letters and digits. German writes every noun with a capital, so that
there only identifiers are looked at. Catches invented names, and some true ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldassay.rules.context import RuleContext
from goldassay.rules.language_detect import detect_language
from goldassay.rules.prose import own_words
from goldassay.rules.settings import EntitiesConfig
from goldassay.text import sentences, words
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "entities"]

VERSION = "1"
_NAME = re.compile(r"(?<![\w'])[^\W\d_a-z][\w'-]{1,60}")
_IDENTIFIER = re.compile(r"(?<![\w-])(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[^\W\d_])[\w-]{3,60}(?![\w-])")
_ORDINARY = re.compile(
    r"\d+(?:st|nd|rd|th|s|am|pm|[kmg]?b|[ck]?m|mm|kg|g|h|min|px|x|k|bn)|[A-Z]?\d{1,2}", re.IGNORECASE
)
"""Numbers with a unit or an ordinal ending, which the rule `numbers` reads."""


def entities(context: RuleContext, config: EntitiesConfig) -> Finding:
    """Look up every name and identifier of the answer."""
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    allowed = {word for phrase in config.allowed for word in words(phrase.casefold())}
    known = allowed.union(*(words(source.text.casefold()) for source in context.sources))
    known.update(words(context.question.text.casefold()))
    unknown = [span for span in _spans(context) if not _is_known(context.answer.text[slice(*span)], known)]
    if not unknown:
        return Finding(Outcome.PASS)
    evidence = []
    for span in unknown[:20]:
        start, end = context.answer.to_raw(*span)
        evidence.append(Evidence("name", context.record.answer[start:end], start, end))
    names = ", ".join(dict.fromkeys(item.text for item in evidence))
    return Finding(Outcome.FAIL, Category.ADDED_CLAIM, f"names that no source knows: {names}", tuple(evidence))


def _is_known(name: str, known: set[str]) -> bool:
    return all(word in known or word.removesuffix("'s").removesuffix("s") in known for word in words(name.casefold()))


def _spans(context: RuleContext) -> Iterator[tuple[int, int]]:
    """Spans of names and identifiers outside citation marks."""
    text = own_words(context)
    has_capital_nouns = detect_language(text).code == "de"
    starts = {start for start, _ in sentences(context.answer)}
    for pattern in (_IDENTIFIER, _NAME):
        for match in pattern.finditer(text):
            begin = match.start()
            if pattern is _NAME and (
                has_capital_nouns or _opens(text, begin, starts) or any(map(str.isdigit, match[0]))
            ):
                continue
            if pattern is _IDENTIFIER and _ORDINARY.fullmatch(match.group()):
                continue
            yield match.span()


def _opens(text: str, begin: int, starts: set[int]) -> bool:
    """Whether the word opens a sentence, a line, a list entry or a quotation, where any word has its capital."""
    before = text[max(0, begin - 6) : begin]
    return begin in starts or not before.strip() or before.rstrip(" ")[-1:] in "\n\"'(*-:.!?#"
