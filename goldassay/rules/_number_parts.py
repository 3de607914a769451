"""Numbers that stand in a text in pieces, or as a piece of a longer one: '3/5' as 'three of five', 5 pm in '3-5 pm'.

The pieces must stand close together and in their order; a piece of a date, a time or a fraction is a number of its
own only where the answer counts nothing else with it. Called by `_number_compare`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_counted import Sought, noun_behind, share_a_word, words_behind
from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_match import How, Match, hit, may_be_year
from goldassay.rules._number_model import Kind, Number, Value

__all__ = ["find_in_parts"]

_NOON = re.compile(r"\b(?:noon|midday|Mittag|midi|mediodía|mezzogiorno)\b")
_WHOLE = 100
_MOST_PAIRS = 200  # places looked at for two pieces that stand together
_FAR = 24
"""Characters between the two sides of 'three members out of five'."""
_BETWEEN = re.compile(r"[^.;:!?\n]*")
_OF = re.compile(r" (?:out )?of\b|/")
_OF_THE = re.compile(r" of (?:(?:the|its|their|our|all) )?")
_OF_BEFORE = re.compile(r"\b(?:of|in)(?: the| all| every)? $")


def find_in_parts(sought: Sought, index: NumberIndex) -> Match | None:
    """Where the number stands as a part of another, or its parts stand together."""
    return (
        _part_of_another(sought, index)
        or _time(sought.number, index)
        or _pieces(sought, index)
        or _euros_and_cents(sought.number, index)
    )


def _part_of_another(sought: Sought, index: NumberIndex) -> Match | None:
    wanted = sought.number
    if wanted.kind in {Kind.PERCENT, Kind.POINTS}:
        return None
    for value in wanted.readings:
        for number in index.by_part.get(value, ()):
            if _is_own_number(sought, number, index.text):
                return hit(How.SAME, number)
    return None


def _is_own_number(sought: Sought, whole: Number, text: str) -> bool:
    """Whether a part of the whole may be meant: '6 schools' do not stand in 'March 6'; 'the 6th' and the year do."""
    is_rank = sought.number.kind is Kind.ORDINAL
    if whole.dates:  # 'the 15th-ranked team' is no day
        return (is_rank and not sought.words) or may_be_year(sought.number)
    if whole.kind is Kind.TIME:
        return not (is_rank or sought.number.unit or sought.number.currency or sought.words)
    if "/" not in whole.written or len(str(whole.parts[0])) == len("2020"):
        return True
    if sought.number.currency:
        return False
    is_share = _OF.match(sought.behind) or _OF_BEFORE.search(sought.before)
    is_alone = not (sought.number.unit or sought.words)
    return bool(
        is_share or is_alone or share_a_word(sought.words, words_behind(text, whole.end)) or whole.key == "24/7"
    )


def _pieces(sought: Sought, index: NumberIndex) -> Match | None:
    """'3/5' stands where 3 stands before 5; '12 500' where 12 and 500 do."""
    wanted = sought.number
    if len(wanted.parts) < 2 or wanted.minutes:
        return None
    # '1 hour 45 minutes' are no quarter to two; what lasts 1:45 is found by `find_lasting`.
    if (
        "/" in wanted.key
        and sum(Fraction(part) for part in wanted.parts) == _WHOLE
        and (split := _split(wanted, index))
    ):
        return split
    places = [[n for n in _places(part, index) if not (wanted.unit and n.minutes)] for part in wanted.parts]
    found = _together(places, index, wanted) if all(places) else None
    return found if found is None or _same_thing(sought, index.text, found.end) else found._replace(how=How.OTHER_THING)


def _split(wanted: Number, index: NumberIndex) -> Match | None:
    """'a 60/40 split' where 60 % and 40 % stand, '50/50' where 50 % stands."""
    shares = [next((n for n in index.by_value.get(part, ()) if n.kind is Kind.PERCENT), None) for part in wanted.parts]
    return hit(How.SAME, shares[0]) if shares[0] is not None and None not in shares else None


def _same_thing(sought: Sought, text: str, end: int) -> bool:
    """'3/4 of the members' are perhaps not those of '3 of the 4 regions'."""
    of_the = _OF_THE.match(sought.behind)
    mine = words_behind(" " + sought.behind[of_the.end() :], 0) if of_the else sought.words
    theirs = words_behind(text, end)
    return not (mine and theirs) or share_a_word(mine, theirs)


def _places(value: Value, index: NumberIndex) -> list[Number]:
    return sorted((*index.by_value.get(value, ()), *index.by_part.get(value, ())), key=_start)


def _start(number: Number) -> int:
    return number.start


def _together(places: list[list[Number]], index: NumberIndex, wanted: Number) -> Match | None:
    """The first place where one number of each list stands closely behind the one before."""
    for first in places[0][:_MOST_PAIRS]:
        last: Number | None = first
        for value, numbers in zip(wanted.parts[1:], places[1:], strict=True):
            last = _next(last, value, numbers, index.text) if last is not None else None
        if last is not None and (wanted.kind is not Kind.PERCENT or last.kind is Kind.PERCENT):
            return Match(How.SAME, first, first.start, last.end)
    return None


def _next(before: Number, value: Value, numbers: list[Number], text: str) -> Number | None:
    """The number closely behind another; '3/5' holds both of its parts."""
    if len(before.parts) > 1 and value == before.parts[-1]:
        return before
    place = bisect_left(numbers, before.start + 1, key=_start)  # '2 Euro 50' are two numbers that share a word
    if place == len(numbers) or numbers[place].start > before.end + _FAR:
        return None
    return numbers[place] if _BETWEEN.fullmatch(text[before.end : numbers[place].start]) else None


def _euros_and_cents(wanted: Number, index: NumberIndex) -> Match | None:
    """'12.50 euros' stands where 'twelve euros and fifty cents' does."""
    if wanted.currency is None or not wanted.readings or not isinstance(wanted.readings[0], Decimal):
        return None
    whole = int(wanted.readings[0])
    cents = int((wanted.readings[0] - whole) * 100)
    for number in index.by_value.get(whole, ())[:_MOST_PAIRS]:
        for other in index.by_value.get(cents, ())[:_MOST_PAIRS]:
            if number.currency and 0 < other.start - number.end <= 6:
                return Match(How.SAME, number, number.start, other.end)
    return None


def _time(wanted: Number, index: NumberIndex) -> Match | None:
    named = _NOON.search(index.text) if 720 in wanted.minutes else None
    if named is not None:
        return Match(How.SAME, None, *named.span())
    for number in index.times if wanted.minutes else ():
        if set(wanted.minutes) & set(number.minutes):
            return hit(How.SAME, number)
    if len(wanted.parts) != 1 or not wanted.minutes:
        return None
    return next((hit(How.SAME, n) for n in _places(wanted.parts[0], index) if _is_bare_hour(n, index.text)), None)


def _is_bare_hour(number: Number, text: str) -> bool:
    """The 3 of '3-5 pm' or of '3 o'clock', which may be any hour."""
    is_plain = number.kind is Kind.QUANTITY and not (number.unit or number.currency or number.scale != 1)
    words = words_behind(text, number.end)
    return is_plain and noun_behind(number, words) is None and not words
