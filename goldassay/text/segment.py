"""Words and sentences of a text, and the key by which two spellings of a question match.

Works by general rules without language models: good enough to count and to
point at a place, not to parse grammar. Called by rules, golden sets and reports.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from goldassay.text.abbreviations import is_abbreviation
from goldassay.text.normalise import NormalText, normalise

__all__ = ["Span", "holds_one", "letter_words", "question_key", "sentences", "words"]

Span = tuple[int, int]
"""Start and end offsets in `NormalText.text`."""

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Vowel signs and points belong to their word, though they are no letters: Hebrew, Arabic, the scripts of India, Thai.
_MARK = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed"
    r"\u0900-\u0963\u0971-\u0dff\u0e30-\u0e4e\u0eb0-\u0ecd\u1000-\u109f\u1780-\u17d3"
)
_PIECE = rf"[^\W_{_CJK}]+(?:[{_MARK}]+[^\W_{_CJK}]*)*"
_WORD = re.compile(rf"[{_CJK}]|{_PIECE}(?:(?:['\-.,_&]|(?<=\d):(?=\d)){_PIECE})*")
# A stop ends a sentence before white space or '[1]'; stops of scripts without spaces need none. A line break always
# ends one. Behind a quotation a Japanese sentence may go on: "「はい。」と言った。"
# The first character stands apart, so that the search leaps from stop to stop and tries nothing in between. A run
# of stops is read from its first one only: read again from each, a row of 100,000 full stops would take minutes.
_STOP = re.compile(
    r"[.!?。｡।॥۔؟\n](?:(?<=[.!?])(?<![.!?][.!?])[.!?]*[\"')\]]*(?=\s|$)"
    r"|(?<=[。!?｡।॥۔؟])[。!?｡।॥۔؟]*[\"'」』)\]]*(?![\"'」』)\]と、])|(?<=\n)\n*|(?<=\.)(?=\[\d))"
)


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
        is_before_mark = text.text.startswith("[", stop.end())
        if stop.group().startswith(".") and not is_before_mark and is_abbreviation(text.text, stop.start()):
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
