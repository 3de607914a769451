"""Dates around a figure, read to calendar fields.

A date keeps the fields that are written: 'September 2026' has no day, '14 March'
no year. '3/9/2025' has two readings. Knows nothing of sources; called by
`_number_days` with a text and the place of a figure in it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from goldassay.rules._number_tables import read_table

__all__ = ["MONTHS", "DateFields", "agree", "full_year", "month_date", "month_pattern", "numeric_dates", "valid"]


class DateFields(NamedTuple):
    """The fields of a date that are written; None: not written."""

    year: int | None
    month: int
    day: int | None


MONTHS = {
    word: int(number)
    for number, words in (line.split(":") for line in read_table("months.txt"))
    for word in words.split()
}
"""Month by its name or abbreviation, casefolded, in seven languages."""

_DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

# Behind a day: "14 September 2026", "14. September", "14th of September, 2026", "14 de mayo de 2026".
_BEHIND_DAY = re.compile(
    r"(?:st|nd|rd|th|\.|º|er|ª)?[ \-/]{1,2}(?:of |de |d'|day of )?([^\W\d_]{3,10})\.?"
    r"(?:(?:(?: ?,| of| de| del|-|/)? ?(\d{4}|'\d\d)|[-/](\d\d)| (\d\d)(?=\.?\s*(?:$|[\n,;|)\]])))(?![\d,.]?\d))?"
)
# Before a day: "September 14", "Sept. 14", "September the 14th"; before a year: "September 2026", "September, 2026".
_MONTH_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,10})(?:\.?,? (?:the |of |de |del )?|-)$")
_BEHIND_MONTH_DAY = re.compile(r"(?:st|nd|rd|th)?(?: ?,| of|,? de|-)? ?(\d{4}|'\d\d)(?![\d,.]?\d)")
_TO_NEXT_MONTH = re.compile(r"-[^\W\d_]{3,10}\.? [0-9]{1,2}(?!\d|[.']\d)")
_DAY_ENDING = re.compile(r"(?:st|nd|rd|th)\b")
_CJK_DATE = re.compile(r"(?:(\d{4}) ?年 ?)?(\d{1,2}) ?月(?: ?(\d{1,2}) ?[日号])?")


def valid(year: int | None, month: int, day: int | None) -> DateFields | None:
    """The fields as a date, or None where no calendar has it."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= _DAYS_IN_MONTH[month - 1]):
        return None
    return DateFields(year, month, day)


def agree(wanted: DateFields, there: DateFields) -> bool:
    """Whether every field that both dates write is the same, and `there` writes all that `wanted` does."""
    return all(mine is None or mine == theirs for mine, theirs in zip(wanted, there, strict=True))


def month_date(text: str, start: int, end: int) -> tuple[int, int, DateFields] | None:
    """A date with a written-out month around the figure `text[start:end]`.

    Returns:
        Its span and fields, or None where the figure is no part of such a date.
    """
    if end - start == 2 and text.startswith("'", start - 1) and start:
        return _month_short_year(text, start, end)
    if end - start in {4, 5}:
        return _month_year(text, start, start + 4) or (_cjk(text, start) if end - start == 4 else None)
    if end - start > 2:
        return None
    if text.startswith("-", end) and _TO_NEXT_MONTH.match(text, end) and (first := _month_first(text, start, end)):
        return first  # the 28 of 'Dec 28-Jan 3' is one of December
    return _day_first(text, start, end) or _month_first(text, start, end) or _cjk(text, start)


def _day_first(text: str, start: int, end: int) -> tuple[int, int, DateFields] | None:
    match = _BEHIND_DAY.match(text, end)
    month = _month_named(match.group(1)) if match else None
    if match is None or month is None:
        return None
    short = (match.group(3) if text[end] in "-/" else None) or match.group(4)  # '15-Mar-24', '15 Mar 24.'
    fields = valid(_year(match.group(2) or short), month, int(text[start:end]))
    return None if fields is None else (start, match.end() if match.group(2) or short else match.end(1), fields)


def _month_first(text: str, start: int, end: int) -> tuple[int, int, DateFields] | None:
    month = _month_before(text, start)
    if month is None:
        return None
    year = _BEHIND_MONTH_DAY.match(text, end)
    fields = valid(_year(year.group(1)) if year else None, month[1], int(text[start:end]))
    ending = _DAY_ENDING.match(text, end)
    stop = year.end(1) if year else ending.end() if ending else end
    return None if fields is None else (month[0], stop, fields)


def _month_year(text: str, start: int, end: int) -> tuple[int, int, DateFields] | None:
    """'September 2026'; in 'December 20221' a footnote mark sticks to the year."""
    month = _month_before(text, start)
    if month is None or not 1000 <= int(text[start:end]) <= 2999:
        return None
    return month[0], end, DateFields(int(text[start:end]), month[1], None)


def _month_short_year(text: str, start: int, end: int) -> tuple[int, int, DateFields] | None:
    """'May '24'."""
    month = _month_before(text, start - 1)
    return (month[0], end, DateFields(full_year(int(text[start:end])), month[1], None)) if month else None


def _month_before(text: str, start: int) -> tuple[int, int] | None:
    window = max(0, start - 20)
    match = _MONTH_BEFORE.search(text[window:start])
    month = MONTHS.get(match.group(1).casefold()) if match else None
    if match is None or month is None:
        return None
    return window + match.start(1), month


def _month_named(word: str) -> int | None:
    """Month of a word; 'Mars' with a capital is a planet, 'mars' a month."""
    return None if word == "Mars" else MONTHS.get(word.casefold())


_WORDS_TOO = frozenset({"may", "mar", "march", "mars", "ago", "set", "gen", "dec", "mai", "jan"})


@lru_cache(maxsize=12)
def month_pattern(month: int) -> re.Pattern[str]:
    """Finds the name of a month; names that are words too ('may', 'march') only with a capital."""
    names = [name for name, number in MONTHS.items() if number == month]
    forms = {name.capitalize() for name in names} | {name for name in names if name not in _WORDS_TOO}
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(forms))})(?![^\W_])")


def _cjk(text: str, start: int) -> tuple[int, int, DateFields] | None:
    match = _CJK_DATE.match(text, start)
    if match is None:
        return None
    year, month, day = match.groups()
    fields = valid(int(year) if year else None, int(month), int(day) if day else None)
    return None if fields is None or (year is None and day is None) else (start, match.end(), fields)


def _year(written: str | None) -> int | None:
    if written is None:
        return None
    return int(written) if len(written) == 4 else full_year(int(written[-2:]))


def full_year(short: int) -> int:
    """The year that two digits mean: 24 is 2024, 98 is 1998."""
    return 2000 + short if short < 50 else 1900 + short


def numeric_dates(parts: list[str], separator: str) -> tuple[DateFields, ...]:
    """Readings of a date in figures, e.g. 3/9/2025; empty where it is no date.

    Args:
        parts: Three groups of digits.
        separator: '-', '/' or '.'; a dot puts the day first, others leave the order open.
    """
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == 4:
        read = valid(first, second, third)
        return (read,) if read else ()
    if len(parts[2]) not in {2, 4} or (len(parts[2]) == 2 and separator == "."):
        return ()
    year = third if len(parts[2]) == 4 else full_year(third)
    orders = [(second, first)] if separator == "." else [(second, first), (first, second)]
    found = (valid(year, month, day) for month, day in orders)
    return tuple(dict.fromkeys(fields for fields in found if fields is not None))
