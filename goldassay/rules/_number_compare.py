"""Whether a number of the answer stands in a text: by value, scale and kind, never by its characters alone.

`find_number` gives the first place where it stands, and how: just so, converted,
rounded, or only if an ambiguous separator or date is read one way. Knows nothing of
citations, settings or findings.
"""

from __future__ import annotations

import re

from goldassay.rules._number_compounds import may_be_part
from goldassay.rules._number_counted import Sought
from goldassay.rules._number_dates import agree, month_pattern
from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_keys import find_as_version, find_beside_word, find_by_key, find_paragraph
from goldassay.rules._number_lasting import find_lasting
from goldassay.rules._number_match import How, Match, agreement, compatible, hit, may_be_year
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_near import find_nearly
from goldassay.rules._number_parts import find_in_parts
from goldassay.rules._number_scan import read_at
from goldassay.rules._number_units import DEGREE_WORDS
from goldassay.rules._number_values import Style

__all__ = ["find_as_written", "find_month_and_day", "find_number", "holds_year", "names_years"]


_FIRST_DIGIT = re.compile(r"[0-9]")
_BEFORE = 30  # characters
_LOSS_BEFORE = re.compile(
    r"\b(?:f[ae]ll(?:en|ing|s)?|down|drop(?:ped|s)?|declin(?:ed|es?)|decreas(?:ed|es?)|loss(?:es)?|los[et]s?|lower|sank|shrank"
    r"|contract(?:ed|s)|minus|fiel|sank|gesunken|Rückgang|Verlust|baisse|perte|bajó|pérdida|calo|perdita)\b[^.;0-9]*$",
    re.IGNORECASE,
)
_MOST_ALIKE = 100  # numbers of one value looked at in one text
_MOST_PLACES = 8  # places tried before the whole text is read


def find_as_written(sought: Sought, text: str, style: Style) -> Match | None:
    """A place where the number stands just as the answer writes it; the quick look before a text is read.

    The text is searched for the characters and read only there, by the same reader, so
    that '20' in '2020' and '40' in '40 million' are not taken for 20 and 40.

    Args:
        sought: A number of the answer.
        text: A source in normal form.
        style: How the answer writes decimals; the text is taken to write them likewise if it is English too.
    """
    wanted = sought.number
    first = _FIRST_DIGIT.search(wanted.written)
    if first is None or not wanted.readings or wanted.doubtful or (style != "dot" and not wanted.written.isdigit()):
        return None
    figure = wanted.written[first.start() :]
    if not figure.isdigit() and " the " not in text:
        return None
    position = text.find(figure)
    for _ in range(_MOST_PLACES):
        if position < 0:
            return None
        if _starts_figure(text, position):
            there = read_at(text, position, style)
            is_same = there.readings[:1] == wanted.readings[:1] and not there.doubtful
            if is_same and compatible(sought, there, text) and not may_be_part(there, text):
                return hit(How.SAME, there)
        position = text.find(figure, position + 1)
    return None


def _starts_figure(text: str, position: int) -> bool:
    """Whether no figure goes on into this place: '20' in '2020' or '1,200' starts none."""
    if position == 0:
        return True
    before = text[position - 1]
    if before == "^":  # the power of 'cm^3' counts nothing
        return False
    return not before.isdigit() and not (before in ".,' /" and position > 1 and text[position - 2].isdigit())


def find_number(sought: Sought, index: NumberIndex) -> Match | None:
    """The best agreement of a number with those of a text.

    Args:
        sought: A number of the answer.
        index: The numbers of one source, question or turn.

    Returns:
        The match, or None where the text does not hold the number.
    """
    wanted = sought.number
    if wanted.kind in {Kind.IDENTIFIER, Kind.VERSION}:
        return find_by_key(wanted, index) or (_by_date(wanted, index) if wanted.dates else None)
    dated = _by_date(wanted, index) if wanted.dates else None
    if dated is not None or wanted.kind is Kind.DATE:
        return dated
    return (
        _same(sought, index)
        or find_as_version(wanted, index)
        or find_in_parts(sought, index)
        or find_lasting(sought, index)
        or find_beside_word(sought, index)
        or find_paragraph(wanted, index)
        or find_nearly(sought, index)
        or _same_figure(sought, index)
    )


# --- dates -------------------------------------------------------------------------------------


def _by_date(wanted: Number, index: NumberIndex) -> Match | None:
    for number in index.dates:
        if any(agree(mine, theirs) for mine in wanted.dates for theirs in number.dates):
            how = How.SAME if len(wanted.dates) == len(number.dates) == 1 else How.AMBIGUOUS_DATE
            return hit(how, number)
    return None


def find_month_and_day(wanted: Number, index: NumberIndex) -> Match | None:
    """A date of the text without a year that agrees with the wanted one but for its year; for a month, its name."""
    fields = wanted.dates[0]
    for number in index.dates:
        if number.dates[0].year is None and agree(fields._replace(year=None), number.dates[0]):
            return hit(How.SAME, number)
    if fields.day is None:
        month = month_pattern(fields.month).search(index.text)
        return Match(How.SAME, None, *month.span()) if month else None
    return None


def holds_year(year: int, index: NumberIndex) -> bool:
    """Whether the text names the year, alone or in a date."""
    return _holds(year, index)


def _holds(value: Value, index: NumberIndex) -> bool:
    return value in index.by_value or value in index.by_part


def names_years(index: NumberIndex) -> bool:
    """Whether the text names any year, alone or in a date."""
    return any(number.dates and number.dates[0].year is not None for number in index.dates) or any(
        may_be_year(number) and 1000 <= number.readings[0] <= 2100 for number in index.numbers if number.readings
    )


# --- values ------------------------------------------------------------------------------------


def _same(sought: Sought, index: NumberIndex) -> Match | None:
    signed: Match | None = None
    for value in sought.number.readings:
        for number in index.by_value.get(value, ())[:_MOST_ALIKE]:
            if compatible(sought, number, index.text):
                return hit(How.SAME, number)
        for number in index.by_value.get(-value, ())[:_MOST_ALIKE] if value else ():
            if signed is None and compatible(sought, number, index.text):
                is_amount = (value > 0 or _fell(number, index.text)) and not _is_temperature(sought, number)
                signed = hit(How.SAME if is_amount else How.SIGN, number)
    return signed or _span_of_years(sought.number, index)


def _fell(there: Number, text: str) -> bool:
    """Whether the words before say a loss: 'fell 5 %' is -5 %."""
    return _LOSS_BEFORE.search(text, max(0, there.start - _BEFORE), there.start) is not None


def _is_temperature(sought: Sought, there: Number) -> bool:
    """Whether the sign matters even where one side has none: 5 degrees are no -5 °C, though a fall by 5 % is -5 %."""
    units = (sought.number.unit, there.unit)
    is_measured = any(unit is not None and unit.dimension == "temperature" for unit in units)
    return is_measured or (bool(sought.words) and sought.words[0].casefold() in DEGREE_WORDS)


def _same_figure(sought: Sought, index: NumberIndex) -> Match | None:
    """A number of the same value of which a rule cannot know whether it is the same."""
    for value in sought.number.readings:
        for number in index.by_value.get(value, ())[:_MOST_ALIKE]:
            how = agreement(sought, number, index.text)
            if how is not None:
                return hit(how, number)
    return None


def _span_of_years(wanted: Number, index: NumberIndex) -> Match | None:
    """'the 1990s' or 'the 15th century', where the text names a year of it."""
    if wanted.kind is Kind.DECADE:
        start = int(wanted.readings[0])
        years = {*range(start, start + 10), *(range(start + 1900, start + 1910) if start < 100 else ())}  # 'the 80s'
        century = _century(start // 100 + 1, index) if start % 100 == 0 and start >= 1000 else None
        if century is not None:
            return century
    elif wanted.unit is not None and wanted.unit.name == "century" and 1 <= wanted.readings[0] <= 21:
        last = int(wanted.readings[0]) * 100
        years = set(range(last - 100, last + 1))
    else:
        return None
    for value in (*index.by_value, *index.by_part):
        if value in years:
            return hit(How.SAME, (index.by_value.get(value) or index.by_part[value])[0])
    return None


def _century(number: int, index: NumberIndex) -> Match | None:
    """'the 1800s' where 'the 19th century' stands."""
    for there in index.by_value.get(number, ())[:_MOST_ALIKE]:
        if there.unit is not None and there.unit.name == "century":
            return hit(How.SAME, there)
    return None
