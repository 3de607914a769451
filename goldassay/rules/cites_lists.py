"""Finds the list of sources at the end of an answer: a bibliography is no use of its entries.

Knows lines and headings only. Called by `goldassay.rules.cites_resolve`.
"""

from __future__ import annotations

import re

from goldassay.rules.refusal_detect import claims_nothing

__all__ = ["closing_list", "list_start"]

_HEADING = (
    r"(?:cited\s|used\s)?(?:sources?(?:\sused|\scited)?|references?|citations?|bibliography|footnotes?|quellen?"
    r"|quellenangaben?|quellenverzeichnis|einzelnachweise|literatur|références?|sources?\scitées|bibliographie|fuentes?"
    r"|referencias?|fonti|fonte|riferimenti|fontes|referências|bronnen|verwijzingen|来源|參考資料|参考资料|参考文献"
    r"|引用|出典|出処|참고문헌|출처|المصادر|источники|ссылки)"
)
_LABEL_LINE = re.compile(rf"\s{{0,8}}[#>\-]{{0,6}}\s?\(?{_HEADING}\s{{0,2}}(?:[:：]|\Z)", re.IGNORECASE)
_ENTRY = re.compile(
    r"\s{0,8}(?:[-*•]\s{0,3})?(?:\[\^?[^\[\]\n]{1,40}\]|【[^【】\n]{1,40}】|\d{1,3}[.)]\s|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}\s?|https?://|www\.)"
)
_BULLET = re.compile(r"\s{0,8}[-*•]\s")
_DEFINITION = re.compile(r"\s{0,8}\[\^?[^\[\]\n]{1,40}\]:\s?\S")
_RULE = re.compile(r"\s{0,8}[-*_=]{3,}\s*")
# "…12 staff. Sources: [1] [2]" at the end of the last line; nothing but marks may follow.
_INLINE = re.compile(
    rf"(?:(?<=[.!?\]\"'])|(?<=[.!?\]\"'] ))\(?{_HEADING}\s?[:：]\s?"
    r"(?:\[\^?[^\[\]\n]{1,40}\][\s,;]{0,3}){1,60}\.?\)?\s{0,20}\Z",
    re.IGNORECASE,
)
_ENTRY_LENGTH = 200
"""Characters up to which a line that begins with a mark is an entry and not a paragraph."""
_LONGEST_COURTESY = 200
"""Characters of a line below the list: 'Let me know if you need more!'"""
_TAIL = 4_000
"""Characters at the end in which an inline list is looked for."""


def closing_list(text: str) -> tuple[int | None, int]:
    """Where the list of sources begins (None: there is none) and ends; one line of courtesy may stand behind it.

    Args:
        text: Normal form of the answer.
    """
    start = list_start(text)
    if start is not None:
        return start, len(text)
    before, _, last = text.rstrip().rpartition("\n\n")
    if not before or "\n" in last or len(last) > _LONGEST_COURTESY:
        return None, len(text)
    start = list_start(before)
    return (start, len(before)) if start is not None and claims_nothing(last) else (None, len(text))


def list_start(text: str) -> int | None:
    """Offset at which the closing list of sources begins; None where there is none.

    Args:
        text: Normal form of the answer.
    """
    if "[" not in text and ":" not in text and "\n" not in text:
        return None
    start = _from_lines(text)
    if start is not None:
        return start
    begin = max(0, text.rfind("\n") + 1, len(text) - _TAIL)
    tail = text[begin:]
    match = _INLINE.search(text, begin) if "[" in tail and (":" in tail or "：" in tail) else None
    return match.start() if match else None


def _from_lines(text: str) -> int | None:
    """Walk upwards over entries and blank lines; a heading above them, or footnote definitions, make it a list."""
    end = len(text)
    found: int | None = None
    entries = 0
    bracketed = True
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        line = text[begin:end][:400]
        if _LABEL_LINE.match(line):
            return begin if begin > 0 or entries else None
        if _DEFINITION.match(line):
            found, entries = begin, entries + 1
        elif not line.strip() or _RULE.fullmatch(line):
            # A paragraph of nothing but "[1] Price list" lines below an answer with marks is a list without heading.
            if entries and bracketed and "[" in text[:begin]:
                found = end + 1
        elif _ENTRY.match(line) or _BULLET.match(line):
            entries += 1
            bracketed = bracketed and line.lstrip().startswith("[") and len(line) < _ENTRY_LENGTH
        else:
            break
        end = begin - 1
    return found
