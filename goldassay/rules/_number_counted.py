"""What a number counts, as far as the words behind it tell: a unit, an amount of money, or a plain noun.

"20 days" and "20 users" are not the same 20, though both are 20. Where only one side names a unit, a rule cannot
know; where both do, it can. Knows nothing of sources or of values; called by `_number_match` and its neighbours.
"""

from __future__ import annotations

import re

from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import SCALES, Unit, currency_of, unit_of

__all__ = [
    "Sought",
    "noun_behind",
    "rate_behind",
    "same_word",
    "share_a_word",
    "sought_at",
    "sure_unit",
    "unit_meant",
    "words_behind",
]


_MOST_WORDS = 3
_BEFORE = 30  # characters
_BEHIND = 60
_WORD = re.compile(r"[ -]{1,2}([^\W\d_]{1,24})(?![\w'])")
_ENDS_PHRASE_TEXT = (
    "a an the and or nor but of to in on at for from by with as is are was were be been has have had will would can may"
    " per than that this these those which who when while if it its their his her after before since until within"
    " between more less about into over under during each every not only then so also"
    " i you he she it we they me us him them there"
)
_ENDS_PHRASE = frozenset(_ENDS_PHRASE_TEXT.split())
_UNITS_THAT_ARE_WORDS = frozenset({"an", "ans", "ora", "ore", "hora", "ha", "mi", "min", "dia", "ano", "tag", "st"})
_SPEEDS = {"mph": "mile", "kph": "kilometre", "kmh": "kilometre"}
_ADVERBS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year",
}  # fmt: skip
_RATE = re.compile(
    rf"(?:[ -][^\W\d_]{{1,20}}){{0,2}}?(?: (?P<adverb>{'|'.join(_ADVERBS)})\b"
    r"|(?: ?/ ?| per | an? | each | every | pro | par | por | al | je )(?P<unit>[^\W\d_]{1,10})\b)"
)
_PLURALS = frozenset({"people", "children", "men", "women", "staff", "feet"})
_MEASURES = frozenset({"degrees", "bucks", "points", "units", "times"})
"""Plural nouns that may be the very unit or currency of the other side."""
_NO_PLURAL = ("ss", "us", "is", "ous")
_LEAST_LETTERS = 4


class Sought:
    """A number of the answer with what stands around it.

    Args:
        number: The number.
        before: The answer's characters before it, for words such as 'about'.
        behind: The characters behind it, for what it counts.
    """

    __slots__ = ("_rate", "_words", "before", "behind", "number")

    def __init__(self, number: Number, before: str = "", behind: str = "") -> None:
        self.number = number
        self.before = before
        self.behind = behind
        self._words: tuple[str, ...] | None = None
        self._rate: str | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its phrase behind it; read when first asked for, which most numbers never are."""
        if self._words is None:
            self._words = words_behind(self.behind, 0)
        return self._words

    @property
    def rate(self) -> str:
        """The unit of time in which it comes again, as `rate_behind` says."""
        if self._rate is None:
            self._rate = rate_behind(self.behind, 0)
        return self._rate


def sought_at(number: Number, text: str) -> Sought:
    """A number of a text with its surroundings."""
    start, end = number.start, number.end
    return Sought(number, text[max(0, start - _BEFORE) : start], text[end : end + _BEHIND])


def words_behind(text: str, end: int, most: int = _MOST_WORDS) -> tuple[str, ...]:
    """The next words of the phrase that a number begins, as written; the phrase ends at a stop or a function word."""
    words: list[str] = []
    match = _WORD.match(text, end)
    while match is not None and len(words) < most and match.group(1).casefold() not in _ENDS_PHRASE:
        words.append(match.group(1))
        match = _WORD.match(text, match.end())
    return tuple(words)


def rate_behind(text: str, end: int) -> str:
    """The unit of time behind what comes again: 'month' in '20 euros a month' and '20 requests/month'; '': none."""
    match = _RATE.match(text, end)
    if match is None:
        return ""
    adverb = match.group("adverb")
    unit = unit_of(_ADVERBS[adverb] if adverb else match.group("unit"), attached=False)
    return unit.name if unit is not None and unit.dimension == "time" else ""


def sure_unit(number: Number, words: tuple[str, ...], touching: str) -> Unit | None:
    """The unit that the number surely carries: no single letter, no unit that is another language's word.

    Args:
        number: Any number.
        words: The words behind it.
        touching: The characters right behind it, for units that touch the figure.
    """
    if number.unit is None:
        return unit_of(_SPEEDS[words[0]]) if words and words[0] in _SPEEDS else None
    if touching.lstrip().startswith("°") or number.unit.name.startswith(("square_", "cubic_")):
        is_sure = True
    elif touching[:1] not in {" ", "-"}:
        is_sure = len(touching) > 1 and touching[1].isalpha()
    else:
        is_sure = bool(words) and len(words[0]) > 1 and words[0].casefold() not in _UNITS_THAT_ARE_WORDS
    return number.unit if is_sure else None


def unit_meant(number: Number) -> Unit | None:
    """The unit of the number; pounds, which are read as money, may be those of a weight."""
    is_pounds = number.unit is None and number.written.endswith(("pound", "pounds"))
    return unit_of("lb") if is_pounds else number.unit


def noun_behind(number: Number, words: tuple[str, ...]) -> str | None:
    """The plain plural noun that the number counts, e.g. 'users'; None: it counts something else, or one cannot tell.

    Only English plurals in small letters are known for nouns.
    """
    if number.kind is not Kind.QUANTITY or number.unit or number.currency or not words:
        return None
    if words[0] in _MEASURES or any(unit_of(word) or currency_of(word) or word.casefold() in SCALES for word in words):
        return None
    return words[0] if _is_plural(words[0]) else None


def _is_plural(word: str) -> bool:
    if word in _PLURALS:
        return True
    return (
        len(word) >= _LEAST_LETTERS
        and word.isascii()
        and word.islower()
        and word[-1] == "s"
        and not (word.endswith(_NO_PLURAL))
    )


def same_word(mine: str, theirs: str) -> bool:
    """Whether two words are forms of one: 'day' and 'days', 'city' and 'cities', 'Tag' and 'Tagen'."""
    mine, theirs = mine.casefold(), theirs.casefold()
    shorter = min(len(mine), len(theirs))
    common = 0
    while common < shorter and mine[common] == theirs[common]:
        common += 1
    return mine == theirs or (common >= max(3, shorter - 2) and abs(len(mine) - len(theirs)) <= 3)


def share_a_word(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether the two phrases name the same thing."""
    return any(same_word(word, other) for word in mine for other in theirs)
