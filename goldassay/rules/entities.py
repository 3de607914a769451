"""Rule `entities`: names and identifiers of the answer are known to the sources or the question. Off by default.

A name is a word written with a capital inside a sentence, an identifier a word
that mixes letters and digits. German writes every noun with a capital, so that
there only identifiers are looked at. Catches invented names, and some true ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldassay.rules._number_dates import MONTHS
from goldassay.rules.context import RuleContext
from goldassay.rules.language_detect import detect_language
from goldassay.rules.settings import EntitiesConfig
from goldassay.rules.wordlists import word_set
from goldassay.text import sentences, words
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "entities"]

VERSION = "1"
_NAME = re.compile(r"(?<![\w'])[^\W\d_a-z][\w'-]{1,60}")
_IDENTIFIER = re.compile(r"(?<![\w-])(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[^\W\d_])[\w-]{3,60}(?![\w-])")
_ORDINARY = re.compile(
    r"\d+(?:st|nd|rd|th|s|am|pm|[kmg]?b|[ck]?m|mm|kg|g|h|min|px|x|k|bn)|[A-Z]?\d{1,2}|\d+(?:-(?:[^\W\d_]+|\d+))+",
    re.IGNORECASE,
)
"""Numbers with a unit, an ordinal ending or a word ('30-day'), which the rule `numbers` reads."""
_CALENDAR = frozenset(MONTHS) | word_set(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"
    " mondays tuesdays wednesdays thursdays fridays saturdays sundays spring summer autumn fall winter"
    " i i'm i'd i'll i've ok am pm ad bc ce bce christmas easter"
    " corporation corp incorporated inc limited ltd company co llc plc gmbh ag"
)
"""Words that English writes with a capital and that name no thing, and forms of companies, spelt out or not."""
# Headings and the head of a table write any word with a capital.
_HEADS = re.compile(
    r"^[ ]{0,3}#{1,6} [^\n]{1,300}$|^[ ]{0,3}\|[^\n]{1,500}$(?=\n[ ]{0,3}\|?[ :]{0,3}-{2})", re.MULTILINE
)


def entities(context: RuleContext, config: EntitiesConfig) -> Finding:
    """Look up every name and identifier of the answer."""
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    texts = [*(source.text for source in context.sources), context.question.text, *config.allowed]
    known = _CALENDAR.union(*map(_parts, texts))
    unknown = [span for span in _spans(context) if not _is_known(context.answer.text[slice(*span)], known)]
    if not unknown:
        return Finding(Outcome.PASS)
    evidence = []
    for span in unknown[:20]:
        start, end = context.answer.to_raw(*span)
        evidence.append(Evidence("name", context.record.answer[start:end], start, end))
    names = ", ".join(dict.fromkeys(item.text for item in evidence))
    return Finding(Outcome.FAIL, Category.ADDED_CLAIM, f"names that no source knows: {names}", tuple(evidence))


def _parts(text: str) -> set[str]:
    """Words and the parts of compound ones, casefolded and without full stops: 'U.S.' is 'us'."""
    whole = words(text.casefold())
    return {part.replace(".", "") for word in whole for part in (word, word.replace("-", ""), *word.split("-"))}


def _is_known(name: str, known: frozenset[str]) -> bool:
    """Whether the texts have the name, or every part of it."""
    whole = words(name.casefold())
    return all(_has(word, known) or all(_has(part, known) for part in word.split("-")) for word in whole)


def _has(word: str, known: frozenset[str]) -> bool:
    bare = word.replace(".", "")
    return bare in known or bare.removesuffix("'s").removesuffix("s") in known


def _spans(context: RuleContext) -> Iterator[tuple[int, int]]:
    """Spans of names and identifiers outside citation marks."""
    text = _HEADS.sub(lambda match: " " * len(match.group()), context.own_words)
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
