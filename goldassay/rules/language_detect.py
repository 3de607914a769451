"""Tells the language of a text by its script and its function words; says so when it cannot.

Small on purpose: it must be right when it speaks, and may stay silent on short or
mixed texts. Knows texts only; called by the rules `language` and `entities`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from goldassay.rules.wordlists import word_set
from goldassay.text import holds_one

__all__ = ["Detected", "are_close", "detect_language", "is_plainly_english", "speak_apart", "sure_of"]


class Detected(NamedTuple):
    """The language of a text."""

    code: str | None
    """Two-letter code; None where the text is too short or too mixed to tell."""
    scores: Mapping[str, float] = MappingProxyType({})
    """Evidence for each language that has any; empty where the code is None."""

    def certainty_against(self, other: str) -> float:
        """From 0 to 1: how surely the text is not in the other language."""
        own = self.scores.get(self.code or "", 0.0)
        # One hit of doubt is always left, so that two words alone never make it sure.
        return max(0.0, 1 - (self.scores.get(other, 0.0) + 1) / (own + 1))


_SURELY_APART = 0.5
_WITH_THE = (" of ", " is ", " and ", " did ", " was ", " its ", " from ", " that ", " this ", " with ")
_READ = 4_000
"""Characters of a text that are read."""
# Words joined by a full stop are names of sites and files ('wiki.com'), not words of a language.
_WORD = re.compile(r"(?<![.@/])\b[^\W\d_]+(?:['-][^\W\d_]+)*(?!\.\w)")
_OPENING = re.compile(r"(?:\A|[.!?:;¿¡\n-])[ ]{0,3}([^\W\d_]+(?:['-][^\W\d_]+)*)")
_LEAST_WORDS = 3
_LEAST_HITS = 3
_SHORT = 8
"""Words of a text that is short, as a question is: two hits are enough there."""
_TELLING = 2
"""What a word counts that hardly another language has."""
_SPANISH_SIGNS = ("¿", "¡")
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
_CLOSE_GROUPS = (
    "da no sv", "ar fa ur", "ru uk bg sr", "hi mr ne", "id ms", "cs sk", "nl af", "es ca gl", "hr bs sl sr",
)  # fmt: skip
_CLOSE = tuple(map(word_set, _CLOSE_GROUPS))
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")


def sure_of(code: str) -> Detected:
    """A language that is known and was not told from a text."""
    return Detected(code, {code: float("inf")})


def are_close(one: str, other: str) -> bool:
    """Whether function words or script cannot part the two languages well enough to fail an answer."""
    return one == other or any(one in group and other in group for group in _CLOSE)


def speak_apart(one: Detected, other: Detected) -> bool:
    """Whether two texts surely speak different languages, so that their words cannot be compared."""
    if one.code is None or other.code is None or are_close(one.code, other.code):
        return False
    return min(one.certainty_against(other.code), other.certainty_against(one.code)) >= _SURELY_APART


def is_plainly_english(text: str) -> bool:
    """A quick look that spares most English texts the count: no other language has these words side by side."""
    return text.isascii() and " the " in text and holds_one(text, _WITH_THE)


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
    return Detected(best, {best: sum(sizes.values()), "Latin": latin})


@cache
def _evidence() -> dict[str, dict[str, int]]:
    """For each word and each letter the languages that have it, with what it counts for them."""
    text = resources.files("goldassay.rules").joinpath("data/function_words.toml").read_text(encoding="utf-8")
    lists = tomllib.loads(text)
    table: dict[str, dict[str, int]] = {}
    for name, weight in (("words", 1), ("telling", _TELLING)):
        for code, listed in lists[name].items():
            for word in listed.split():
                table.setdefault(word, {})[code] = weight
    for code, letters in lists["letters"].items():
        for letter in letters:
            table.setdefault(letter, {}).setdefault(code, 1)
    return table


def _by_words(text: str) -> Detected:
    found = _WORD.findall(text)
    is_marked = text.lstrip().startswith(_SPANISH_SIGNS)
    if len(found) < (1 if is_marked else _LEAST_WORDS):
        return Detected(None)
    scores, long_words = _scores(_counted(found, text))
    if is_marked:
        scores["es"] = scores.get("es", 0) + _TELLING
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    least = 2 if len(found) <= _SHORT else _LEAST_HITS
    if not ranked or ranked[0][1] < max(least, _LEAST_SHARE * len(found)):
        return Detected(None)
    code, hits = ranked[0]
    if code not in long_words:  # "a", "to" and "do" alone are words of half a dozen languages
        return Detected(None)
    rival = next((score for other, score in ranked[1:] if not are_close(code, other)), 0)
    return Detected(code, scores) if hits >= _MARGIN * rival else Detected(None)


def _counted(found: list[str], text: str) -> Counter[str]:
    """Words that speak the language of the text: within a sentence a capital makes a name ('La Scala')."""
    if text.isupper():
        return Counter(word.lower() for word in found)
    counted = Counter(word for word in found if word[0].islower())
    counted.update(word.lower() for word in _OPENING.findall(text) if word[0].isupper())
    return counted


def _scores(counted: Counter[str]) -> tuple[dict[str, float], set[str]]:
    """Evidence by language, and the languages of which a word of some length was seen."""
    table = _evidence()
    scores: dict[str, float] = {}
    long_words: set[str] = set()
    for word, times in counted.items():
        codes = table.get(word) if len(word) > 1 or word.isascii() else None
        for code, weight in (codes or {}).items():
            scores[code] = scores.get(code, 0) + times * weight
        if codes and (len(word) >= _LONG_WORD or not word.isascii()):
            long_words.update(codes)
        if not word.isascii():
            for code in set().union(*(table.get(letter, {}) for letter in word if letter > "\x7f")):
                scores[code] = scores.get(code, 0) + times
    return scores, long_words
