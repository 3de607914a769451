"""Tells whether data talks to its judge: the flag `possible_injection`, for people to look at.

The flag changes no score; the markers keep the data data (`goldassay.judging.safety`). So it
may miss an attack without harm, and it must not cry wolf over ordinary answers.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from goldassay.judging.safety_phrases import PHRASES
from goldassay.judging.safety_words import pieces_in

__all__ = ["talk_to_judge", "talks_to_judge"]

_INVISIBLE = dict.fromkeys(
    [
        *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
    ]
)
"""Signs that are not seen: they split a word for a program and not for a model."""
_ANY_INVISIBLE = re.compile("[" + "".join(map(chr, _INVISIBLE)) + "]")
_TAGS = re.compile("[\U000e0020-\U000e007e]{3,}")
"""Tag characters spell ASCII that nobody sees. A flag of a region (England) has them too, behind its flag sign."""
_REGION_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһԛԝѵαορνι", "aeopcyxisjdhqwvaopvi")
_FOREIGN = "[\u03b1-\u03c9\u0430-\u045f\u0501-\u051d]"
_ANY_FOREIGN = re.compile(_FOREIGN)
_MIXED_WORD = re.compile(f"[a-z]{_FOREIGN}|{_FOREIGN}[a-z]")
"""A Greek or Cyrillic letter beside a Latin one: a word spelt with lookalikes."""
_BASE64_LENGTH = 24
_BASE64 = re.compile(rf"[A-Za-z0-9+/]{{{_BASE64_LENGTH},400}}={{0,2}}")
_BASE64_SIGNS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_RUNS = bytes(0x78 if sign in _BASE64_SIGNS else 0x20 for sign in range(256))
"""Makes every sign of Base64 an 'x' and all else a blank: a long run is found many times faster so than by pattern."""
_SPACED = re.compile(r"(?:\b\w ){5,60}\w\b")
_SPACED_HINT = re.compile(r" [^ ] [^ ] [^ ] [^ ] ")
_SPACED_LETTERS = bytes([1] * 6)
"""Lengths of six words of one letter in a row: a text that spells its words with gaps."""


def talks_to_judge(texts: Iterable[str], criteria: Sequence[str] = ()) -> bool:
    """Whether one of the texts holds a verdict, addresses a grader, or plays a chat template.

    Args:
        texts: What is shown to the judge.
        criteria: Names of the rubric's criteria: a number under one of them is a verdict too.
    """
    # Read as one text: most of the work is done once per text, and a phrase does not reach over a line's end.
    text = "\n\n".join(texts)
    return talk_to_judge(text) is not None or _holds_grade(text, tuple(criteria))


def _holds_grade(text: str, criteria: tuple[str, ...]) -> bool:
    if not criteria or "{" not in text:
        return False
    folded = _folded(text)
    return any(name in folded for name in criteria) and _grade_of(criteria).search(folded) is not None


@lru_cache(maxsize=64)
def _grade_of(criteria: tuple[str, ...]) -> re.Pattern[str]:
    """A number, or an object, under the name of a criterion."""
    names = "|".join(re.escape(name) for name in criteria)
    quote = "[\"'\u201c\u201d]?"
    return re.compile(
        rf"[{{,]\s{{0,20}}{quote}(?:{names}){quote}\s{{0,5}}[:=]\s{{0,5}}(?:{quote}[0-9]{{1,3}}{quote}\s{{0,5}}[,}}]|\{{)"
    )


def talk_to_judge(text: str) -> str | None:
    """The name of the first way in which a text talks to its judge; None for ordinary text."""
    if not text.isascii() and _TAGS.search(text) and _TAGS.search(_REGION_FLAG.sub("", text)):
        return "invisible_text"
    for view in _views(text):
        found = pieces_in(view)
        for phrase in PHRASES if found else ():
            named = any(piece in found and word in view for word, piece in phrase.pieces)
            if named and phrase.pattern.search(view):
                return phrase.name
    return None


def _views(text: str) -> Iterator[str]:
    """The text as a model may read it: folded, and decoded where it hides something."""
    folded = _folded(text)
    yield folded
    if "&#" in text or "&lt;" in text:
        yield _folded(html.unescape(text))
    runs = text.encode("ascii", "replace").translate(_RUNS)
    if b"x" * _BASE64_LENGTH in runs and (hidden := _decoded(text)):
        yield _folded(hidden)
    if _SPACED_HINT.search(text) and _SPACED_LETTERS in bytes(min(len(word), 2) for word in text.split(" ")):
        yield " ".join(run.replace(" ", "") for run in _SPACED.findall(folded))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    if _ANY_INVISIBLE.search(text):
        text = text.translate(_INVISIBLE)
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    folded = text.lower()
    if _ANY_FOREIGN.search(folded) and _MIXED_WORD.search(folded):
        return folded.translate(_LOOKALIKES)
    return folded


def _decoded(text: str) -> str:
    """What stands in Base64, where that is readable text."""
    found = []
    for run in _BASE64.findall(" ".join(word for word in text.split() if len(word) >= _BASE64_LENGTH)):
        try:
            decoded = base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode("ascii")
        except (binascii.Error, ValueError):
            continue
        if decoded.isprintable() and " " in decoded:
            found.append(decoded)
    return " ".join(found)
