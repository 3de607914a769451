"""Numbers that are dates and times of day: from the characters of a date or clock to a number with its fields.

Called by `_number_scan`; the calendar is `_number_dates`, the clock `_number_clock`.
"""

from __future__ import annotations

import re

from goldassay.rules._number_clock import clock_minutes, either_half
from goldassay.rules._number_dates import DateFields, full_year, month_date, numeric_dates, valid
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_names import is_version, named
from goldassay.rules._number_units import unit_of

__all__ = [
    "clock_time",
    "compact_date",
    "date_in_figures",
    "dated",
    "day_and_month",
    "month_and_year",
    "of_dates",
    "with_compact_date",
]

_BEFORE_DAY = re.compile(
    r"(?:\b(?:am|vom|bis|zum|ab|dem|den|der|seit|und|le|du|au|el|al|il|op|em)|[-(,]) ?$", re.IGNORECASE
)


_GERMAN_BEFORE = re.compile(r"\b(?:Am|am|vom|zum|bis|seit) ?$")
_GOES_ON = re.compile(r" (?!and|to)[a-zäöü]")
_HOURS_A_DAY = 24
_AT = re.compile(r"\b(?:à|dès|vers|at|às|las|alle|um|ab|bis|from|de|to|until|jusqu'à) $", re.IGNORECASE)
_HOURS_BEHIND = re.compile(r"[ -]?(?:h|hrs?|hours?|std|stunden?|heures?|horas?|ore|uur)(?!\w)", re.IGNORECASE)
_HOUR_BEHIND = re.compile(r"(?: ?h| heures?| horas?)(?!\w)")  # 'à 19h' is a time of day, '19h' nineteen hours


def of_dates(text: str, start: int, end: int, *dates: DateFields) -> Number:
    """A date as a number; its years and days are parts of it."""
    parts = tuple(dict.fromkeys(part for date in dates for part in (date.year, date.day) if part is not None))
    return Number(Kind.DATE, start, end, dates=dates, parts=parts, written=text[start:end])


def date_in_figures(text: str, start: int, end: int) -> Number | None:
    """'2026-09-14', '14.9.1980', '3/9/2025'; '15.3.24' may be a version as well."""
    written = text[start:end]
    separator = next(character for character in written if not character.isdigit())
    groups = written.split(separator)
    dates = numeric_dates(groups, separator)
    if dates:
        return of_dates(text, start, end, *dates)
    if separator != ".":
        return None
    version = named(text, start, end, Kind.VERSION)
    if len(groups[2]) == 2 and not is_version(text, start, end):
        return version._replace(dates=numeric_dates([*groups[:2], str(full_year(int(groups[2])))], "."))
    return version


def month_and_year(text: str, start: int, end: int) -> Number | None:
    """'03/2024', '03.2024' and '2024-03', but not the years '2010-11'."""
    first, second = (int(group) for group in re.split(r"[/.-]", text[start:end]))
    year, month = (first, second) if first > second else (second, first)
    fields = valid(year, month, None)
    if fields is None or not 1900 <= year <= 2099 or (text[end - 3] in "-/" and month > year % 100):
        return None
    return of_dates(text, start, end, fields)


def compact_date(text: str, start: int, end: int) -> Number | None:
    """The date of '20240315T120000'; without a time behind it may be a plain figure."""
    fields = valid(*_compact_fields(text[start:end]))
    return of_dates(text, start, end, fields) if fields and text.startswith("T", end) else None


def _compact_fields(figure: str) -> tuple[int, int, int]:
    return int(figure[:4]), int(figure[4:6]), int(figure[6:])


def with_compact_date(number: Number, figure: str) -> Number:
    """'20240315' is a date and a plain figure: the number with the date added, where nothing measures it."""
    fields = valid(*_compact_fields(figure))
    if fields is None or number.written != figure or number.unit is not None or number.kind is not Kind.QUANTITY:
        return number
    return number._replace(dates=(fields,))


def day_and_month(text: str, start: int, end: int, *, is_english: bool = False) -> Number | None:
    """'31.12.' after words such as 'am' and 'bis'; elsewhere it may be a decimal at the end of a sentence.

    In a text that is taken for English only where German words stand on both sides: 'Am 1.4. beginnt'.
    """
    day, month = (int(group) for group in text[start : end - 1].split("."))
    fields = valid(None, month, day)
    if fields is None or _BEFORE_DAY.search(text[max(0, start - 6) : start]) is None:
        return None
    if is_english and not (_GERMAN_BEFORE.search(text[max(0, start - 6) : start]) and _GOES_ON.match(text, end)):
        return None
    return of_dates(text, start, end, fields)


def clock_time(text: str, start: int, end: int) -> Number:
    """'15:30', '6.15 pm', '15.30 Uhr', '9h30'; '99:99' is a name, '1:30 h' and '1h30' may also last so long."""
    read = clock_minutes(text, start)
    if read is None:
        return named(text, start, end)
    stop, minutes = read
    parts = tuple(int(part) for part in re.findall("[0-9]+", text[start:end]))
    number = Number(Kind.TIME, start, stop, minutes=minutes, parts=parts, key=text[start:end], written=text[start:stop])
    is_long = stop == end and ("h" in text[start:end].lower() or _HOURS_BEHIND.match(text, end) is not None)
    if not is_long or len(parts) != 2 or _AT.search(text[max(0, start - 6) : start]) is not None:
        return number
    return number._replace(readings=(parts[0] * 60 + parts[1],), unit=unit_of("minute"))


def dated(text: str, start: int, end: int) -> Number | None:
    """A plain figure that belongs to the name of a month ('14 September'), or is an hour ('3 p.m.', '13 Uhr')."""
    if end - start > 5 or not text[start:end].isdigit():
        return None
    read = month_date(text, start, end)
    if read is not None:
        return of_dates(text, *read)
    return _hour(text, start, end) if end - start <= 2 else None


def _hour(text: str, start: int, end: int) -> Number | None:
    hour = int(text[start:end])
    if _HOUR_BEHIND.match(text, end) and _AT.search(text[max(0, start - 6) : start]) and hour <= _HOURS_A_DAY:
        return Number(Kind.TIME, start, end, minutes=either_half(hour), parts=(hour,), written=text[start:end])
    if text[end : end + 3].strip()[:1] not in {"a", "p", "A", "P", "u", "U", "o"}:
        return None
    clock = clock_minutes(text, start)
    if clock is None:
        return None
    return Number(Kind.TIME, start, clock[0], minutes=clock[1], parts=(hour,), written=text[start : clock[0]])
