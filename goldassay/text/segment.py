"""Words and sentences of a text, and the key by which two spellings of a question match.

Works by general rules without language models: good enough to count and to
point at a place, not to parse grammar. Called by rules, golden sets and reports.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from goldassay.text.normalise import NormalText, normalise

__all__ = ["Span", "holds_one", "letter_words", "question_key", "sentences", "words"]

Span = tuple[int, int]
"""Start and end offsets in `NormalText.text`."""

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['\-.,](?=[^\W_{_CJK}])[^\W_{_CJK}]+)*")
_ABBREVIATION_TEXTS = (
    "mr mrs ms dr prof st sr jr vs etc e.g i.e eg ie no nos vol fig figs al approx inc ltd corp co dept est gen col"
    " lt sgt u.s u.k u.n a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec z.b bzw ca nr abs d.h u.a usw evtl"
    " ggf mio mrd str tel bspw vgl art p pp cf ed eds rev op cit av bd m mme mlle sig dott núm pág sra srta dra"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_TEXTS.split())
_WAVERING_TEXTS = "sq ft oz lb lbs cu capt rep sen hon ave blvd rd mt tel ext incl excl resp cap ver"
_WAVERING = frozenset(_WAVERING_TEXTS.split())
"""Abbreviations and words that end a sentence as often: a capital behind them decides, as it does behind 'D.C.'."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.){1,5}[^\W\d_]")
# A stop ends a sentence before white space; CJK stops need none. A line break always ends one.
_STOP = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|[。!?｡]+[\"'」』)\]]*|\n+|(?<=[.!?])(?=\[\d)")


_LETTERS = re.compile(r"[^\W\d_]+")
_ONLY_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}


def letter_words(text: str) -> list[str]:
    """Runs of letters of `text` in lower case, in order; a quick reading for looks at which words there are."""
    if text.isascii():
        return text.lower().translate(_ONLY_LETTERS).split()  # as the pattern, in a third of its time
    return _LETTERS.findall(text.lower())


def holds_one(text: str, hints: Iterable[str]) -> bool:
    """Whether one of the strings stands in the text; in half the time of `any`, for it is asked of every answer."""
    for hint in hints:  # noqa: SIM110
        if hint in text:
            return True
    return False


def words(text: str) -> list[str]:
    """Words of `text` in order; each CJK character counts as one word."""
    return _WORD.findall(text)


def sentences(text: NormalText) -> list[Span]:
    """Spans of the sentences of `text`, without surrounding space; blank stretches are left out."""
    spans: list[Span] = []
    start = 0
    for stop in _STOP.finditer(text.text):
        if stop.group().startswith(".") and _is_abbreviation(text.text, stop.start()):
            continue
        _append(spans, text.text, start, stop.end())
        start = stop.end()
    _append(spans, text.text, start, len(text.text))
    return spans


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + piece.index(stripped[0])
        spans.append((begin, begin + len(stripped)))


def _is_abbreviation(text: str, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to an abbreviation, an initial or a list number."""
    begin = max(text.rfind(" ", max(0, stop - 12), stop), text.rfind("\n", max(0, stop - 12), stop)) + 1
    word = text[begin:stop].lstrip("(\"'").lower()
    if word in _ABBREVIATIONS:
        return True
    if word in _WAVERING or _INITIALS.fullmatch(word):
        return not text[stop + 1 : stop + 5].lstrip(" )\"'")[:1].isupper()
    if len(word) == 1 and word.isalpha():
        return text[stop - 1].isupper()
    at_line_start = begin == 0 or text[begin - 1] == "\n"
    return word.isdigit() and len(word) <= 2 and at_line_start


@lru_cache(maxsize=8192)
def question_key(text: str) -> str:
    """A key under which spellings of one question meet: case, punctuation and spacing do not count.

    Args:
        text: A question as asked or as written in the golden set.

    Returns:
        Its letters and digits, casefolded; the casefolded text itself where it has none.
    """
    folded = unicodedata.normalize("NFKC", normalise(text).text).casefold()
    return "".join(character for character in folded if character.isalnum()) or folded.strip()
