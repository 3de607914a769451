"""Where a text implies a number without writing it: 'a dozen eggs' for 12 eggs, 'half of' for 50 %, 'Part IV' for 4.

A word counts only where it stands at the thing that is counted: the 'second' of 'the second party' is no 2, the
'all' of 'in all subgroups' no 100 %. English only. Called by `_number_near`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from goldassay.rules._number_counted import Sought, same_word, share_a_word, words_behind
from goldassay.rules._number_model import Kind
from goldassay.rules._number_units import unit_of

__all__ = ["implied_words"]

_AT_ITS_NOUN = {
    1: r"\b(?:an?|single|sole|each|every|per|another|any|whole)\b",
    2: r"\b(?:couple|pairs?|both|dual|twin|either)\b",
    3: r"\b(?:trio|triple)\b",
    4: r"\b(?:quartet|quadruple)\b",
    12: r"\bdozen\b",
    100: r"\bhundreds?\b",
}
"""Words that count the noun behind them."""
_ALONE = {
    2: r"\b(?:couple|pair|both|twin)\b",
    3: r"\b(?:trio)\b",
    4: r"\b(?:quartet)\b",
    12: r"\bdozen\b",
    100: r"\b(?:a|one) hundred\b",
}
"""Those that say the number by themselves, for a number of the answer with no noun behind it."""
_WITH_NOUN = {
    1: {"time": r"\bonce\b"},
    2: {
        "time": r"\b(?:twice|double[ds]?|doubling|semi-?annual(?:ly)?|biannual(?:ly)?|half-yearly)\b",
        "week": r"\b(?:fortnight(?:ly)?|biweekly)\b",
        "month": r"\bbimonthly\b",
        "year": r"\b(?:biennial(?:ly)?)\b",
        "language": r"\bbilingual\b",
    },
    3: {"time": r"\b(?:thrice|triple[ds]?|tripling)\b", "month": r"\b(?:quarterly|(?:each|every|per) quarter)\b"},
    4: {"time": r"\b(?:quadruple[ds]?|quarterly)\b", "quarter": r"\b(?:each|every|per) quarter\b|\bquarterly\b"},
    6: {"month": r"\b(?:semi-?annual(?:ly)?|biannual(?:ly)?|half-yearly)\b"},
    7: {"day": r"\bweekly\b"},
    10: {"year": r"\bdecade\b"},
    12: {"month": r"\b(?:annual(?:ly)?|yearly)\b", "time": r"\bmonthly\b"},
    14: {"day": r"\bfortnight\b"},
}
"""Words that say number and noun in one."""
_TIMES = ("x", "times", "time", "fold", "-fold")
_PART = r"(?=[.,;:!?)]|\s*$| (?:of|the|in|to|more|less|fewer|as|and|or|is|are|was|were|have|has|agree[ds]?)\b)"
_TWO_THIRDS = "zwei ?drittel|deux tiers|dos tercios|due terzi|dois terços|twee ?derde"
_SHARES = {
    10: rf"\b(?:a|one)[ -]tenth\b{_PART}",
    20: rf"\b(?:a|one)[ -]fifth\b{_PART}|\bein fünftel\b|\bun cinquième\b|\bun quinto\b",
    25: rf"\b(?:a|one)[ -]quarter\b{_PART}|\b(?:ein viertel|un quart|un cuarto|un quarto|um quarto|een kwart) d",
    33: rf"\b(?:a|one)[ -]third\b{_PART}|\b(?:ein drittel|un tiers|un tercio|un terzo|um terço|een derde)\b",
    50: r"\b(?:(?P<not>first|second|1st|2nd|other|latter|last|next|this|each|per)[ -])?hal(?:f|ves?|ved|ving)\b"
    r"|\b(?:die hälfte|la moitié|la mitad|la metà|a metade|de helft)\b",
    66: rf"\btwo[ -]thirds\b|\b(?:{_TWO_THIRDS})\b",
    67: rf"\btwo[ -]thirds\b|\b(?:{_TWO_THIRDS})\b",
    75: r"\bthree[ -]quarters\b|\b(?:drei ?viertel|trois quarts|tres cuartos|tre quarti|três quartos|drie ?kwart)\b",
}
_FREE = r"\b(?:free|no (?:fee|charge|cost)s?|without charge|gratis|kostenlos|kostenfrei|gratuit\w{0,2}|gratuito)\b"
_WHOLE = r"\b(?:all|fully|whole|entire|entirely|completely|every|totally|pure)\b"
_DOUBLED = re.compile(r"\b(?:double[ds]?|doubling)\b", re.IGNORECASE)
_GREW = re.compile(r"\b(?:increas|r[io]se|risen|gr[eo]w|up|jump|climb|surg|gain|by|more)\w{0,4}\b", re.IGNORECASE)
_OF_THE = re.compile(r" of (?:(?:the|its|their|our|all) )?")
_ROMAN = (
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_WORD_BEFORE = re.compile(r"([^\W\d_]{2,20})[ -]$")
_WORD = re.compile(r"[^\W\d_]{1,24}")
_LONGEST_NAME = 21
_BEFORE_NOUN = 60  # characters between the counting word and its noun
_MOST_PLACES = 50  # occurrences of one noun that are looked at


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


def implied_words(sought: Sought, text: str) -> tuple[int, int] | None:
    """The words of the text that imply the number; None: there are none.

    Args:
        sought: A number of the answer.
        text: A source in normal form.
    """
    value = sought.number.readings[0] if sought.number.readings else None
    if not isinstance(value, int):
        return None
    if sought.number.kind is Kind.PERCENT:
        return _share(value, sought, text)
    return _count(value, sought, text) or _roman(value, sought, text)


def _count(value: int, sought: Sought, text: str) -> tuple[int, int] | None:
    if value == 0 and sought.number.currency is not None:
        return _first(_FREE, text)
    words = sought.words
    if not words and _says_nothing_behind(sought.behind):
        return _first(_ALONE.get(value), text) or _first(_WITH_NOUN.get(value, {}).get("time"), text)
    for noun, pattern in _WITH_NOUN.get(value, {}).items():
        if any(same_word(word, noun) for word in words) or (noun == "time" and _is_fold(sought)):
            found = _first(pattern, text)
            if found is not None:
                return found
    return _at_noun(_AT_ITS_NOUN.get(value), words, text)


def _is_fold(sought: Sought) -> bool:
    return sought.behind[:1] == "x" or sought.words[:1] == ("fold",)


def _says_nothing_behind(behind: str) -> bool:
    return not behind[:1].isalpha()


def _first(pattern: str | None, text: str) -> tuple[int, int] | None:
    match = _pattern(pattern).search(text) if pattern is not None else None
    return match.span() if match else None


def _at_noun(counting: str | None, words: tuple[str, ...], text: str) -> tuple[int, int] | None:
    """The first place where the counting word stands at the noun that the answer counts."""
    if counting is None:
        return None
    at_end = _pattern(rf"{counting}(?: of)?(?: the| its| their| our)?(?:[ -][^\W\d_]{{1,20}}){{0,2}}[ -]$")
    for word in words:
        for start, end in _places(word, text):
            match = at_end.search(text, max(0, start - _BEFORE_NOUN), start)
            if match is not None:
                return match.start(), end
    return None


def _places(word: str, text: str) -> Iterator[tuple[int, int]]:
    """Where forms of a word stand; only the first few, so that a hostile text costs no time."""
    stem = word[: max(3, len(word) - 2)]
    position = text.find(stem)
    for _ in range(_MOST_PLACES):
        if position < 0:
            return
        whole = _WORD.match(text, position)
        if whole is not None and same_word(word, whole.group()) and not text[position - 1 : position].isalpha():
            yield whole.span()
        position = text.find(stem, position + 1)


# --- shares ------------------------------------------------------------------------------------


def _share(value: int, sought: Sought, text: str) -> tuple[int, int] | None:
    if value == 100:
        return _all_of(sought, text)
    pattern = _SHARES.get(value)
    for match in _pattern(pattern).finditer(text) if pattern is not None else ():
        if not match.groupdict().get("not"):
            return match.span()
    return None


def _all_of(sought: Sought, text: str) -> tuple[int, int] | None:
    """'100% of the members' where 'all members' stands; 'rose by 100%' where 'doubled' does."""
    if _GREW.search(sought.before) is not None and (doubled := _DOUBLED.search(text)) is not None:
        return doubled.span()
    of_the = _OF_THE.match(sought.behind)
    words = words_behind(" " + sought.behind[of_the.end() :], 0) if of_the else sought.words
    return _at_noun(_WHOLE, words, text)


# --- roman numerals ----------------------------------------------------------------------------


def _roman(value: int, sought: Sought, text: str) -> tuple[int, int] | None:
    """'World War 2' where 'World War II' stands: a numeral behind the same word; a rank behind any name."""
    before = _WORD_BEFORE.search(sought.before)
    if not 1 <= value <= 100 or not (before or sought.number.kind is Kind.ORDINAL):
        return None
    for match in islice(_roman_pattern(value).finditer(text), _MOST_PLACES):
        name = _WORD_BEFORE.search(text[max(0, match.start() - _LONGEST_NAME) : match.start()])
        if name is None:
            continue
        if before is not None and same_word(before.group(1), name.group(1)):
            return match.start() - len(name.group()), match.end()
        if sought.number.kind is Kind.ORDINAL and _is_rank(sought, name.group(1), words_behind(text, match.end())):
            return match.start() - len(name.group()), match.end()
    return None


def _is_rank(sought: Sought, name: str, behind: tuple[str, ...]) -> bool:
    """'the 14th' for 'Louis XIV', 'the 20th century' for 'siglo XX' or 'XX century'."""
    if sought.words:
        beside = (name, *behind)
        return share_a_word(sought.words, beside) or any(_is_century(word, sought) for word in beside)
    return name[0].isupper()


def _is_century(word: str, sought: Sought) -> bool:
    unit = unit_of(word)
    return unit is not None and unit == sought.number.unit


@lru_cache(maxsize=128)
def _roman_pattern(value: int) -> re.Pattern[str]:
    letters = ""
    for worth, letter in _ROMAN:
        letters += letter * (value // worth)
        value %= worth
    return re.compile(rf"(?<=[ -]){letters}\b")
