"""Times of day: '3 p.m.', '15:30', '15.30 Uhr', '9h30', "nine o'clock", 'quarter past nine', 'halb zehn'.

A time is its minutes after midnight; where neither half of the day is said, both are possible. Knows nothing of
sources; `clock_minutes` is called by `_number_days`, `spoken_times` by `_number_index`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldassay.rules._number_model import Kind, Number

__all__ = ["clock_minutes", "either_half", "spoken_times"]

_DAY = 24 * 60
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:"
    r"(?:[:.h](?P<half_minute>\d{2})(?::\d{2})?)? ?(?P<half>[ap])\.?m\b\.?"
    r"|(?:[:.](?P<uhr_minute>\d{2}))? ?(?:uhr|uur|o'clock)\b"
    r"| ?h ?(?P<h_minute>\d{2})(?:m(?:in)?)?(?![0-9A-Za-z])"
    r"|:(?P<minute>\d{2})(?::\d{2})?(?!\d))",
    re.IGNORECASE,
)


def clock_minutes(text: str, start: int) -> tuple[int, tuple[int, ...]] | None:
    """A time of day at `text[start:]`.

    Returns:
        Its end and its possible minutes after midnight (two where a.m. or p.m. is not said), or None.
    """
    match = _CLOCK.match(text, start)
    if match is None:
        return None
    hour, half = int(match["hour"]), match["half"]
    minute = int(match["half_minute"] or match["uhr_minute"] or match["h_minute"] or match["minute"] or 0)
    if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
        return None
    if half:
        return match.end(), ((hour % 12 + (12 if half in "pP" else 0)) * 60 + minute,)
    return match.end(), either_half(hour, minute)


def either_half(hour: int, minute: int = 0) -> tuple[int, ...]:
    """Minutes after midnight of a time that does not say which half of the day it is in: 9:15 may be 21:15."""
    first = (hour * 60 + minute) % _DAY
    return (first, (first + _DAY // 2) % _DAY) if 1 <= hour <= 12 else (first,)


_HOURS = {
    word: hour
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    )
    for hour, word in enumerate(words.split(), start=1)
}
_PAST = {"quarter past": 15, "half past": 30, "quarter to": -15, "viertel nach": 15, "viertel vor": -15, "halb": -30}
_HOUR = "|".join(sorted(_HOURS, key=len, reverse=True))
_SPOKEN = re.compile(rf"\b(?:(?:a )?({'|'.join(_PAST)}) )({_HOUR}|1[0-2]|[1-9])(?![\w:])", re.IGNORECASE)


_MINUTES = {"fifteen": 15, "thirty": 30, "forty-five": 45}
_HOUR_AND_MINUTES = re.compile(rf"\b(?:at|by|until|till|from) ({_HOUR}) ({'|'.join(_MINUTES)})(?![\w-])", re.IGNORECASE)


def spoken_times(text: str) -> Iterator[Number]:
    """Times told from the hour: 'quarter past nine' is 9:15, 'halb zehn' and 'at nine thirty' 9:30."""
    if " thirty" in text or " fifteen" in text or " forty-five" in text:
        for match in _HOUR_AND_MINUTES.finditer(text):
            minutes = either_half(_HOURS[match.group(1).lower()], _MINUTES[match.group(2).lower()])
            start, end = match.start(1), match.end()
            yield Number(Kind.TIME, start, end, minutes=minutes, word=True, written=text[start:end])
    if not ("uarter " in text or "alf past " in text or "iertel " in text or "alb " in text):
        return
    for match in _SPOKEN.finditer(text):
        hour = _HOURS.get(match.group(2).lower()) or int(match.group(2))
        shifted = (hour * 60 + _PAST[match.group(1).lower()]) % (_DAY // 2)
        minutes = (shifted, shifted + _DAY // 2)
        yield Number(Kind.TIME, *match.span(), minutes=minutes, word=True, written=match.group())
