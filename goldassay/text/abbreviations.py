"""Whether a full stop belongs to an abbreviation, an initial, an ordinal or a list number, and so ends no sentence.

Works by lists and by the words around the stop, without language models. Knows one
stop at a time; called by `goldassay.text.segment`.
"""

from __future__ import annotations

import re

__all__ = ["is_abbreviation"]


def _word_set(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


_ALWAYS = _word_set(
    "mr mrs ms dr prof st vs e.g i.e eg ie no nos vol fig figs al approx dept est gen col lt sgt jan feb mar apr",
    "jun jul aug sep sept oct nov dec z.b bzw ca nr abs d.h u.a evtl ggf mio mrd str tel bspw vgl art p pp cf ed eds",
    "rev op cit av bd m mme mlle sig dott núm pág sra srta dra med jur phil rer nat dipl habil feat",
)
_WAVERING = _word_set("sq ft oz lb lbs cu capt rep sen hon ave blvd rd mt tel ext incl excl resp cap ver prod")
"""Abbreviations and words that end a sentence as often: a capital behind them decides, as it does behind 'D.C.'."""
_OFTEN_LAST = _word_set("etc inc ltd corp co a.m p.m u.s u.k u.n jr sr usw")
_OPENERS = _word_set(
    "the he she it they we i you this that these those there in on at but however and if when a an its his her their",
    "our for as after before who what how der die das es sie er wir ich ein eine diese dieser dies hier dann aber",
)
"""Words that with a capital begin a sentence: 'at 5 p.m. They talked', but 'the U.S. Army'."""
_COUNTED = _word_set("sec art abs para ch chap ref eq tab app lit ziff rn")
"""'Sec. 3'; without a figure behind it the word may end a sentence."""
_MONTHS = _word_set(
    "januar februar märz april mai juni juli august september oktober november dezember jänner jan feb mär apr jun jul",
    "aug sep sept okt nov dez",
)
_BEFORE_ORDINALS = _word_set(
    "am der die das den dem des zum zur vom im beim seit ab bis jeder jedes jeden ins dieser diese dieses"
)
"""German words before an ordinal: 'die 1. Bundesliga', 'am 3. Mai'."""
_LONGEST = 12
"""Characters before a stop that are read for its word."""
_NEXT_WORD = re.compile(r"[ ]{1,3}[\"'(]?([^\W_]{1,30})")
_LAST_WORD = re.compile(r"([^\W_]{1,30}) {1,3}\Z")
_LETTER_AND_STOP = re.compile(r"[ ]?[^\W\d_]\.")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){1,5}[^\W\d_]")


def is_abbreviation(text: str, stop: int) -> bool:
    """Whether the full stop at `stop` ends no sentence.

    Args:
        text: The text in normal form.
        stop: Offset of the full stop.
    """
    near = max(0, stop - _LONGEST)
    space = max(text.rfind(" ", near, stop), text.rfind("\n", near, stop))
    begin = near if space < 0 else space + 1
    word = text[begin:stop].lstrip("(\"'").lower()
    if word.isdigit():
        return len(word) <= 2 and _is_number_of_a_row(text, begin, stop)
    if len(word) == 1 and word.isalpha() and word not in _ALWAYS:
        return text[stop - 1].isupper() or _is_spaced(text, begin, stop)
    return _is_listed(word, text, stop)


def _is_listed(word: str, text: str, stop: int) -> bool:
    if word in _OFTEN_LAST:
        return not _begins_sentence(text, stop + 1)
    if word in _ALWAYS or word.endswith("str"):
        return True
    if word in _COUNTED and text[stop + 1 : stop + 3].strip()[:1].isdigit():
        return True
    if word in _WAVERING or _INITIALS.fullmatch(word):
        return not text[stop + 1 : stop + 5].lstrip(" )\"'")[:1].isupper()
    return False


def _begins_sentence(text: str, start: int) -> bool:
    found = _NEXT_WORD.match(text, start)
    return found is not None and found.group(1)[0].isupper() and found.group(1).lower() in _OPENERS


def _is_spaced(text: str, begin: int, stop: int) -> bool:
    """'z. B.', 'd. h.': letters with a stop each and a space between them."""
    if _LETTER_AND_STOP.match(text, stop + 1):
        return True
    before = text[max(0, begin - 4) : begin]
    follows = len(before) > 2 and before[-2] == "." and before[-3].isalpha() and not before[:-3].isalnum()
    return follows and not _begins_sentence(text, stop + 1)


def _is_number_of_a_row(text: str, begin: int, stop: int) -> bool:
    """A list number at the beginning of a line, or a German ordinal."""
    if begin == 0 or text[begin - 1] == "\n":
        return True
    behind = _NEXT_WORD.match(text, stop + 1)
    if behind is None or behind.group(1).lower() in _OPENERS:
        return False
    if behind.group(1).lower() in _MONTHS:
        return True
    before = _LAST_WORD.search(text[max(0, begin - 33) : begin])
    return before is not None and before.group(1).lower() in _BEFORE_ORDINALS
