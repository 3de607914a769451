"""Tells the language of a text by its script and its function words; says so when it cannot.

Small on purpose: it must be right when it speaks, and may stay silent on short or
mixed texts. Knows texts only; called by the rules `language` and `entities`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from typing import NamedTuple

from goldassay.rules.wordlists import word_set

__all__ = ["Detected", "are_close", "detect_language", "is_plainly_english"]


class Detected(NamedTuple):
    """The language of a text."""

    code: str | None
    """Two-letter code; None where the text is too short or too mixed to tell."""
    certainty: float = 0.0
    """From 0 to 1; at 0.5 the runner-up has half the evidence."""


_READ = 4_000
"""Characters of a text that are read."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_LEAST_WORDS = 4
_LEAST_HITS = 3
_LEAST_SHARE = 0.15
"""Share of function words in running text; a list of names stays below."""
_LONG_WORD = 3
_MARGIN = 1.3
"""By how much the evidence must beat the runner-up's."""
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("ja", "\u3040-\u30ff"),
    ("zh", "\u3400-\u4dbf\u4e00-\u9fff"),
    ("ar", "\u0600-\u06ff"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("he", "\u0590-\u05ff"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("te", "\u0c00-\u0c7f"),
    ("th", "\u0e00-\u0e7f"),
)
_SCRIPT_RUNS = {code: re.compile(f"[{letters}]+") for code, letters in _SCRIPTS}
_WEIGHT = {"zh": 2.5, "ja": 2.0, "ko": 2.0, "th": 1.0}
"""Latin letters that one character of a dense script is worth."""
_PERSIAN = re.compile("[پچژگ]")
_UKRAINIAN = re.compile("[іїєґ]", re.IGNORECASE)
_CLOSE = tuple(map(word_set, ("da no sv", "ar fa ur", "ru uk bg sr", "hi mr ne", "id ms", "cs sk")))
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")


def are_close(one: str, other: str) -> bool:
    """Whether function words or script cannot part the two languages well enough to fail an answer."""
    return one == other or any(one in group and other in group for group in _CLOSE)


def is_plainly_english(text: str) -> bool:
    """A quick look that spares most English texts the count: no other language has these words side by side."""
    return (
        text.isascii() and " the " in text and (" of " in text or " is " in text or " and " in text or " did " in text)
    )


def detect_language(text: str) -> Detected:
    """The language of a text, with how sure that is.

    Args:
        text: Running text in normal form; code and addresses should be blanked.
    """
    head = text[:_READ]
    if not head.isascii():
        script = _by_script(head)
        if script is not None:
            return script
    return _by_words(head)


def _by_script(text: str) -> Detected | None:
    """The language of a script of its own, if most letters belong to it; None for Latin letters."""
    latin = sum(map(len, _LATIN.findall(text)))
    sizes = {code: sum(map(len, run.findall(text))) * _WEIGHT.get(code, 1.0) for code, run in _SCRIPT_RUNS.items()}
    best = max(sizes, key=lambda code: sizes[code])
    total = latin + sum(sizes.values())
    if not sizes[best]:
        return None
    if best == "zh" and sizes["ja"] >= 0.1 * sizes["zh"]:
        best, sizes["ja"] = "ja", sizes["ja"] + sizes["zh"]
    share = sizes[best] / total
    if share < 0.5:
        return None if share < 0.3 else Detected(None)
    if best == "ar" and _PERSIAN.search(text):
        best = "fa"
    if best == "ru" and _UKRAINIAN.search(text):
        best = "uk"
    return Detected(best, share)


@cache
def _function_words() -> dict[str, tuple[str, ...]]:
    """For each function word the languages that have it."""
    text = resources.files("goldassay.rules").joinpath("data/function_words.toml").read_text(encoding="utf-8")
    table: dict[str, tuple[str, ...]] = {}
    for code, listed in tomllib.loads(text).items():
        for word in listed.split():
            table[word] = (*table.get(word, ()), code)
    return table


def _by_words(text: str) -> Detected:
    found = _WORD.findall(text.lower())
    if len(found) < _LEAST_WORDS:
        return Detected(None)
    table = _function_words()
    scores: dict[str, int] = {}
    long_words: set[str] = set()
    for word, times in Counter(found).items():
        codes = table.get(word)
        if codes is None:
            continue
        for code in codes:
            scores[code] = scores.get(code, 0) + times
        if len(word) >= _LONG_WORD:
            long_words.update(codes)
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    if not ranked or ranked[0][1] < max(_LEAST_HITS, _LEAST_SHARE * len(found)):
        return Detected(None)
    code, hits = ranked[0]
    if code not in long_words:  # "a", "to" and "do" alone are words of half a dozen languages
        return Detected(None)
    rival = next((score for other, score in ranked[1:] if not are_close(code, other)), 0)
    return Detected(code if hits >= _MARGIN * rival else None, 1 - rival / hits)
