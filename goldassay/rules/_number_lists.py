"""Figures in an answer that claim nothing: list markers, step numbers, headings, citation marks.

Blanks them with spaces, so that all offsets stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from goldassay.rules._number_dates import MONTHS
from goldassay.rules._number_model import Number

__all__ = ["claims_only", "without_labels"]

_LINE_MARKER = re.compile(
    r"^[ \t>]*(?:[-•+*] ?)?(?:\(?([0-9]{1,3})[.):](?![0-9])(?=\s{0,4}\S)|\(?([0-9]{1,2})\)(?=\s)|([0-9]️?⃣))",
    re.MULTILINE,
)
_NESTED_MARKER = re.compile(r"^[ \t>]*(?:[0-9]{1,2}\.){1,4}[0-9]{1,2}\.?(?=[ \t]+[^\W\d_a-z])", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6} [^\n]*|^[^\n]*\n(?=(?:=|-){3,}[ \t]*$)", re.MULTILINE)
_TABLE_RULE = re.compile(r"^\|?[ :|-]{5,}\|?[ ]*$", re.MULTILINE)
_LABEL_BEFORE = re.compile(
    r"\b(?:steps?|options?|methods?|tips?|parts?|phases?|examples?|reasons?|scenarios?|cases?|approach|strategy|schritt"
    r"|étape|paso) #?$",
    re.IGNORECASE,
)
_LABEL_BEHIND = re.compile(r"\s{0,3}[:.)\-]")
_SOURCE_LABEL_BEFORE = re.compile(
    r"\b(?:passages?|documents?|docs?|sources?|contexts?|references?|refs?|excerpts?|snippets?|articles?|quelle|texts?)"
    r" ?#?\[?$",
    re.IGNORECASE,
)
_LABEL_JOINERS = frozenset({",", "and", "or", ", and", "&", "-", "to"})
_LONGEST_LABEL = 14
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
        prose = _LINE_MARKER.sub(_spaces if language == "en" else _marker, prose)
        prose = _NESTED_MARKER.sub(_spaces, prose)
    return prose


def without_labels(numbers: list[Number], text: str) -> list[Number]:
    """The numbers that are no labels: not the 2 of 'Step 2:' or 'passage 2', nor the 3 of 'passages 2 and 3'."""
    kept: list[Number] = []
    last_label: Number | None = None
    for number in numbers:
        joined = last_label is not None and text[last_label.end : number.start].strip() in _LABEL_JOINERS
        if number.written.isdigit() and len(number.written) <= 2 and (joined or _is_label(number, text)):
            last_label = number
        else:
            kept.append(number)
            last_label = None
    return kept


def _is_label(number: Number, text: str) -> bool:
    before = text[max(0, number.start - _LONGEST_LABEL) : number.start]
    if _SOURCE_LABEL_BEFORE.search(before):
        return True
    return _LABEL_BEFORE.search(before) is not None and _LABEL_BEHIND.match(text, number.end) is not None


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _marker(match: re.Match[str]) -> str:
    """A marker at the start of a line, unless it is a day ('5. Mai') or the whole line."""
    behind = match.string[match.end() : match.end() + 12].split(None, 1)
    if behind and behind[0].strip(".,").casefold() in MONTHS:
        return match.group()
    return _spaces(match)


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
