"""Figures in an answer that claim nothing: list markers, step numbers, headings, citation marks.

Blanks them with spaces, so that all offsets stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from goldassay.rules._number_counts import counts_own_list, counts_sources
from goldassay.rules._number_dates import MONTHS
from goldassay.rules._number_model import Number

__all__ = ["claims_only", "without_labels"]

_LINE_MARKER = re.compile(
    r"^[ \t>]*(?:[-•+*] ?)?(?:\(?(?P<stop>[0-9]{1,3})\\?\.(?![0-9])(?=\s{0,4}\S)"
    r"|\(?(?P<other>[0-9]{1,3})(?::(?![0-9])(?=\s{0,4}\S)|\)(?=\s)))",
    re.MULTILINE,
)
_KEYCAP = re.compile(r"[0-9]️?⃣")
_FIRST_CELL = re.compile(r"^[ \t]*\|[ \t]*(?P<cell>[0-9]{1,3})[.)]?[ \t]*(?=\|)", re.MULTILINE)
_LARGEST_LONE_MARKER = 20
"""A larger figure at the beginning of a line is a marker only in a row: '30. That is the limit.' is none."""
_NESTED_MARKER = re.compile(r"^[ \t>]*(?:[0-9]{1,2}\.){1,4}[0-9]{1,2}\.?(?=[ \t]+[^\W\d_a-z])", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6} [^\n]*|^[^\n]*\n(?=(?:=|-){3,}[ \t]*$)", re.MULTILINE)
# What an answer says of itself on a line of its own: "Confidence: 95%", "(Word count: 50)".
_OF_ITSELF = re.compile(
    r"^[ \t>*_(\[-]{0,8}(?:confidence|certainty|relevance|(?:word|character|token) count)(?: score| rating)?"
    r"[*_ ]{0,4}[:=][^\n]{1,24}$",
    re.MULTILINE | re.IGNORECASE,
)
_TABLE_RULE = re.compile(r"^\|?[ :|-]{5,}\|?[ ]*$", re.MULTILINE)
_LABEL_BEFORE = re.compile(
    r"\b(?:steps?|options?|methods?|tips?|parts?|phases?|examples?|reasons?|scenarios?|cases?|approach|strategy|schritt"
    r"|étape|paso) #?$",
    re.IGNORECASE,
)
_LABEL_BEHIND = re.compile(r"(?: of [0-9]{1,2}|/[0-9]{1,2})?\s{0,3}[:.)\-]")
# Labels that a source may bear as well: where one does, the answer's must be right.
_SHARED_LABEL = re.compile(
    r"(?P<open>\b(?:steps?|schritt|étape|paso))[ ]#?$|\b(?:days?|weeks?|months?|stage|level|round|tag|woche)[ ]$"
    r"|(?<!\w)\#$|\b(?:no|nr)\.[ ]?$",
    re.IGNORECASE,
)
_SOURCE_LABEL_BEFORE = re.compile(
    r"\b(?:passages?|documents?|docs?|sources?|contexts?|refs?|excerpts?|snippets?|quelle) ?#?\[?$", re.IGNORECASE
)
# "Article 83" is mostly of a law; an article that was sent is one of few, and no source speaks of articles.
_ARTICLE_BEFORE = re.compile(r"\b(?P<word>articles?|references?|texts?) ?#?\[?$", re.IGNORECASE)
_LABEL_JOINERS = frozenset({",", "and", "or", ", and", "&", "-", "to", "of"})
_LONGEST_LABEL = 20
_ENUMERATED = re.compile(r"(?<![\w.,$€£])\(?([1-9][0-9]?)(?:\)(?=\s)|\.(?=\s{1,4}[\"'(]?[^\W\d_a-z]))")
_MAY_NEED = re.compile(r"[0-9]")


def claims_only(prose: str, citation_spans: Iterable[tuple[int, int]], language: str = "en") -> str:
    """The prose of an answer with everything blanked whose figures claim nothing.

    Args:
        prose: `NormalText.prose` of the answer.
        citation_spans: Spans of citation marks, ascending.
        language: Of the prose; in English '5. March' is a list, elsewhere it may be a day.
    """
    for start, end in citation_spans:
        prose = prose[:start] + " " * (end - start) + prose[end:]
    if _MAY_NEED.search(prose) is None:
        return prose
    if "#" in prose or "--" in prose or "==" in prose:
        prose = _HEADING.sub(_spaces, prose)
    if "1)" in prose or "1." in prose:
        prose = _without_enumeration(prose)
    if "\n" in prose or _LINE_MARKER.match(prose):
        prose = _without_markers(prose, language)
        prose = _NESTED_MARKER.sub(_spaces, prose)
    if ":" in prose or "=" in prose:
        prose = _OF_ITSELF.sub(_spaces, prose)
    if "⃣" in prose:
        prose = _KEYCAP.sub(_spaces, prose)
    return _without_row_numbers(prose) if "|" in prose else prose


def without_labels(numbers: list[Number], text: str, prose: str = "", sources: Sequence[str] = ()) -> list[Number]:
    """The numbers that claim something: no labels ('Step 2:', 'passages 2 and 3'), no counts of what the answer shows.

    Args:
        numbers: Numbers of `text`, in order.
        text: The answer with everything blanked that claims nothing.
        prose: The same with its list markers, to count the items of lists.
        sources: Texts of the sources sent.
    """
    kept: list[Number] = []
    last_label: Number | None = None
    for number in numbers:
        joined = last_label is not None and text[last_label.end : number.start].strip() in _LABEL_JOINERS
        if _may_be_label(number) and (joined or _is_label(number, text, sources)):
            last_label = number
            continue
        last_label = None
        if not _tells_of_answer(number, text, prose, sources):
            kept.append(number)
    return kept


def _may_be_label(number: Number) -> bool:
    return number.written.isdigit() and len(number.written) <= 2


def _tells_of_answer(number: Number, text: str, prose: str, sources: Sequence[str]) -> bool:
    if counts_sources(number, text, sources) or (prose and counts_own_list(number, prose, sources)):
        return True
    return _is_shared_label(number, text, sources)


def _is_label(number: Number, text: str, sources: Sequence[str]) -> bool:
    before = text[max(0, number.start - _LONGEST_LABEL) : number.start]
    if _SOURCE_LABEL_BEFORE.search(before):
        return True
    article = _ARTICLE_BEFORE.search(before)
    if article is not None:
        return int(number.written) <= len(sources) and not _stand_in(article.group("word").lower(), tuple(sources))
    return _LABEL_BEFORE.search(before) is not None and _LABEL_BEHIND.match(text, number.end) is not None


def _is_shared_label(number: Number, text: str, sources: Sequence[str]) -> bool:
    """'In step 3', 'Day 1:', '#1' at a line's beginning, where no source bears such labels."""
    before = text[max(0, number.start - _LONGEST_LABEL) : number.start]
    match = _SHARED_LABEL.search(before) if _may_be_label(number) else None
    if match is None:
        return False
    line = text.rfind("\n", 0, number.start) + 1
    begins_line = not text[line : number.start - len(match.group())].strip(" *>-") if match.group() else False
    is_head = begins_line or _LABEL_BEHIND.match(text, number.end) is not None
    return (match.group("open") is not None or is_head) and not _stand_in(
        match.group().strip(" #.").lower(), tuple(sources)
    )


@lru_cache(maxsize=8)  # an answer of many steps asks the same of its sources again and again
def _stand_in(word: str, sources: tuple[str, ...]) -> bool:
    """Whether a source has the word before a figure; without a word, the sign '#'."""
    name = rf"\b{re.escape(word.rstrip('s'))}s?\W{{0,4}}" if word else r"#\s?"
    label = re.compile(rf"{name}[0-9]", re.IGNORECASE)
    return any(label.search(source) for source in sources)


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _without_markers(prose: str, language: str) -> str:
    """Blank the markers of lists; not a figure that stands alone where no list is: '30: that is the limit'."""
    values = {int(match.group("stop") or match.group("other")) for match in _LINE_MARKER.finditer(prose)}

    def blanked(match: re.Match[str]) -> str:
        value = int(match.group("stop") or match.group("other"))
        goes_on = match.group("stop") is None and prose[match.end() : match.end() + 4].strip()[:1].islower()
        is_small = value <= _LARGEST_LONE_MARKER and not goes_on
        if not (is_small or value <= 1 or value - 1 in values or value + 1 in values):
            return match.group()
        return _spaces(match) if language == "en" else _marker(match)

    return _LINE_MARKER.sub(blanked, prose)


def _marker(match: re.Match[str]) -> str:
    """A marker at the start of a line, unless it is a day ('5. Mai') or the whole line."""
    behind = match.string[match.end() : match.end() + 12].split(None, 1)
    if behind and behind[0].strip(".,").casefold() in MONTHS:
        return match.group()
    return _spaces(match)


def _without_row_numbers(prose: str) -> str:
    """Blank the first cells of a table that count its rows: 1, 2, 3."""
    cells = list(_FIRST_CELL.finditer(prose))
    if [int(cell.group("cell")) for cell in cells] != [*range(1, len(cells) + 1)]:
        return prose
    for cell in cells:
        start, end = cell.span("cell")
        prose = prose[:start] + " " * (end - start) + prose[end:]
    return prose


def _without_enumeration(prose: str) -> str:
    """'1) ... 2) ...' or '1. ... 2. ...' inside a line, where the figures count up from one."""
    markers: list[re.Match[str]] = []
    for match in _ENUMERATED.finditer(prose):
        if int(match.group(1)) == len(markers) + 1:
            markers.append(match)
    if len(markers) < 2:
        return prose
    pieces, done = [], 0
    for match in markers:
        pieces += [prose[done : match.start()], _spaces(match)]
        done = match.end()
    return "".join([*pieces, prose[done:]])
