"""Finds the numbers that are written in digits, with all that stands around them.

One pass from digit to digit; at each the longest sensible token is read: date, time,
fraction, version, identifier, or a figure with sign, currency, scale, percent sign and
unit. Every pattern is bounded, so the time is linear in the text. Number words are
read by `_number_words`; who calls is `_number_index`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from goldassay.rules._number_around import finished
from goldassay.rules._number_behind import is_cjk
from goldassay.rules._number_days import (
    clock_time,
    compact_date,
    date_in_figures,
    dated,
    day_and_month,
    month_and_year,
    with_compact_date,
)
from goldassay.rules._number_measures import is_part_of_unit, unit_end
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_names import (
    grouped,
    is_version,
    name_with_letters_before,
    named,
    phone,
    quarter,
    short_year,
)
from goldassay.rules._number_plain import read_plain
from goldassay.rules._number_spans import span_at
from goldassay.rules._number_values import VULGAR, Style, Worth, figure_worth, fraction_worth, power_of_ten, times

__all__ = ["read_at", "scan_digits"]

_DIGIT = re.compile("[0-9" + "".join(VULGAR) + "]")
_ASCII_DIGIT = re.compile("[0-9]")  # the small set is searched for in half the time
_CORE = re.compile(
    r"""(?P<phone>[0-9]{3}\)?[ .-]{1,2}[0-9]{3}[.-][0-9]{4}(?![0-9])
        |1[ .-]\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}(?![0-9])
        |(?<=\+)[0-9]{1,3}[ 0-9()./-]{6,18}[0-9]
        |0(?:[1-9](?:[ .-][0-9]{2}){4}(?![0-9]|[ .-][0-9]{2})
            |[0-9]{2,4}(?:\)[ ]|[ )/-])(?!(?<=0[0-9]{3}-)[0-2][0-9][0-5][0-9](?![ -]?[0-9]))
                [0-9]{2,8}(?:[ -][0-9]{2,8}){0,4}(?![0-9])))
    |(?P<groups>[0-9]{4}(?:[ -][0-9]{4}){3}(?![0-9])|[0-9]{1,7}(?:-[0-9]{1,7}){3,6}(?:-?X)?(?![0-9]))
    |(?P<date>[0-9]{1,4}(?P<by>[./-])[0-9]{1,2}(?P=by)[0-9]{2,4}(?![0-9])(?!(?P=by)[0-9]))
    |(?P<compact>(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9A-SU-Za-z]|[.,][0-9]))
    |(?P<month>(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])(?![0-9A-Za-z]|-[0-9])
        |0[1-9]\.(?:19|20)[0-9]{2}(?![0-9.,]))
    |(?P<clock>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9]|:[0-9])
        |[0-9]{1,2}[hH][0-5][0-9]m(?:in)?(?![0-9A-Za-z])
        |[0-9]{1,2}(?:[hH]|[ ][hH][ ])[0-5][0-9](?![0-9A-Za-z]|[ ]?min)
        |[0-9]{1,2}[.][0-9]{2}(?=[ ]?(?:[aApP][.]?[mM]|[uU]hr|uur)\b))
    |(?P<dotted>[0-9]{1,9}(?:\.[0-9]{1,9}){2,6}(?:,[0-9]{1,9}(?![0-9]))?)
    |(?P<day>[0-9]{1,2}\.[0-9]{1,2}\.(?![0-9]))
    |(?P<fraction>[0-9]{1,4}/[0-9]{1,4}(?![0-9/]))
    |(?P<figure>[0-9]{1,3}(?:,[0-9]{3}){1,9}(?![0-9])(?:\.[0-9]+)?
        |[0-9]{1,3}\.[0-9]{3},[0-9]{1,9}(?![0-9])
        |[0-9]{1,3}(?:'[0-9]{3}){1,9}(?![0-9])(?:[.,][0-9]{1,9})?
        |[0-9]{1,3}(?:[ ][0-9]{3}){1,9}(?![0-9])(?:[.,][0-9]{1,9})?
        |[0-9]{1,3}(?:[ ]?,[ ][0-9]{3}){1,3}(?![0-9])
        |[0-9]{1,2}(?:,[0-9]{2}){1,6},[0-9]{3}(?![0-9])(?:\.[0-9]{1,9})?
        |[0-9]+\.[0-9]+|(?<![0-9],)[0-9]{1,20},[0-9]{1,20}(?![0-9]|,[0-9])|[0-9]+)
    |(?P<vulgar>.)""",
    re.VERBOSE,
)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,3})(?!\w)| ?[x×*] ?10(?:\^\(?([+-]?[0-9]{1,3})\)?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))")
_POWER = re.compile(r"\^\(?(-?[0-9]{1,2})\)?(?![0-9])|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})(?![⁰¹²³⁴⁵⁶⁷⁸⁹])")
_LARGEST_BASE = 1000
_MIXED = re.compile(r" ?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])|[ -]([1-9]/[1-9][0-9]?)(?![0-9/])")
_BEHIND_DOT = re.compile(r"[0-9]{1,20}(?![0-9]|\.[0-9])")
_TIMES_BEFORE = re.compile(r"(?:(?<![\w.,])[0-9]{1,8}(?:[.,][0-9]{1,3})?|(?:^|[\s(]))x\Z")
"""The x of '1920x1080' is a times sign, so is that of 'x4'; 'X4' and '0x1F' are names."""
_LONGEST_FACTOR = 14
_MAY_LEAD = frozenset(" \t\n([{<>=~≈≤≥±+-/*×|$€£¥\"',;:")
"""What may stand before the dot of '.5'; behind a letter or bracket it ends a sentence or begins an ending."""


def scan_digits(text: str, style: Style, limit: int | None = None) -> list[Number]:
    """All numbers written in digits, in order.

    Args:
        text: A text in normal form.
        style: How the text writes decimals.
        limit: Most numbers read; None: all.
    """
    found: list[Number] = []
    position = 0
    digit = _ASCII_DIGIT if text.isascii() else _DIGIT
    while (limit is None or len(found) < limit) and (match := digit.search(text, position)):
        start = match.start()
        number = read_at(text, start, style)
        position = number.end if number.end > start else start + 1
        if number.unit is not None:
            position = unit_end(text, position, number.unit)
        elif number.kind is Kind.IDENTIFIER and is_part_of_unit(number.written):
            continue
        found.append(number)
    return found


def read_at(text: str, start: int, style: Style) -> Number:
    """The number whose first digit stands at `start`."""
    return read_plain(text, start, style) or _any(text, start, style)


def _any(text: str, start: int, style: Style) -> Number:
    before = text[start - 1] if start else " "
    if before == "x" and _TIMES_BEFORE.search(text, max(0, start - _LONGEST_FACTOR), start) is not None:
        return _by_form(text, start, style)
    if (before.isalnum() or before in "_-") and not is_cjk(before):
        name = name_with_letters_before(text, start)
        if name is not None:
            return name
    return (
        (_led_by_dot(text, start) if before == "." else None)
        or span_at(text, start)
        or quarter(text, start)
        or short_year(text, start)
        or _by_form(text, start, style)
    )


def _led_by_dot(text: str, start: int) -> Number | None:
    """'.5' is a half, not five."""
    match = _BEHIND_DOT.match(text, start)
    if match is None or (start > 1 and text[start - 2] not in _MAY_LEAD):
        return None
    return _with_exponent(text, start - 1, match.end(), Worth((Decimal(f"0.{match.group()}"),)))


def _by_form(text: str, start: int, style: Style) -> Number:
    core = _CORE.match(text, start)
    assert core is not None  # the last alternative takes any character
    kind, end = core.lastgroup, core.end()
    special = _SPECIAL[kind](text, start, end) if kind in _SPECIAL else None
    if special is not None:
        return special
    if kind == "dotted":
        return _quantity(text, start, end, style)
    if kind == "compact":
        return compact_date(text, start, end) or with_compact_date(_quantity(text, start, end, style), text[start:end])
    if kind == "day":
        return _day_or_decimal(text, start, end, style)
    if kind not in {"figure", "vulgar"}:
        end = _first_figure_end(text, start)
    return dated(text, start, end) or _quantity(text, start, end, style)


def _first_figure_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end].isdigit():
        end += 1
    return end


def _day_or_decimal(text: str, start: int, end: int, style: Style) -> Number:
    day = None if is_version(text, start, end) else day_and_month(text, start, end, is_english=style == "dot")
    return day or _quantity(text, start, end - 1, style)


def _dotted(text: str, start: int, end: int) -> Number | None:
    groups = text[start:end].partition(",")[0].split(".")
    if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
        return None  # '1.000.000'
    return named(text, start, end, Kind.VERSION)


def _fraction(text: str, start: int, end: int) -> Number | None:
    if "/" in (text[end - 5], text[end - 3]) and (month := month_and_year(text, start, end)) is not None:
        return month
    worth = fraction_worth(text[start:end])
    if worth is None:
        return named(text, start, end)
    return finished(text, start, end, worth, key=text[start:end])


_SPECIAL = {
    "phone": phone, "groups": grouped, "date": date_in_figures, "month": month_and_year, "clock": clock_time,
    "dotted": _dotted, "fraction": _fraction,
}  # fmt: skip


def _quantity(text: str, start: int, end: int, style: Style) -> Number:
    if is_version(text, start, end):
        return named(text, start, end, Kind.VERSION)
    if text[start] in VULGAR:
        return finished(text, start, start + 1, Worth((VULGAR[text[start]],)))
    worth = figure_worth(text[start:end], style)
    if worth is None:
        return named(text, start, end)
    mixed = _MIXED.match(text, end) if text[start:end].isdigit() else None
    if mixed is not None:
        worth = _with_fraction(worth, mixed)
        end = mixed.end()
    return _with_exponent(text, start, end, worth)


def _with_fraction(worth: Worth, mixed: re.Match[str]) -> Worth:
    part = VULGAR[mixed.group(1)] if mixed.group(1) else Fraction(mixed.group(2))
    return Worth((times(Fraction(worth.readings[0]) + part, 1),), parts=worth.readings)


def _raised(text: str, end: int, worth: Worth) -> tuple[int, Value] | None:
    """Where the power of a figure ends and what it is worth: '10^6', '2^10', '10⁻³'; '5²' may bear a footnote."""
    match = _POWER.match(text, end)
    base = worth.readings[0] if match is not None and len(worth.readings) == 1 else None
    if match is None or not isinstance(base, int) or not 0 < base <= _LARGEST_BASE or (match.group(2) and base != 10):
        return None
    exponent = power_of_ten(match.group(1) or match.group(2))
    return match.end(), times(Fraction(base) ** exponent, 1)


def _with_exponent(text: str, start: int, end: int, worth: Worth) -> Number:
    raised = _raised(text, end, worth)
    if raised is not None:
        return finished(text, start, raised[0], Worth((raised[1],), parts=worth.readings))
    match = _EXPONENT.match(text, end)
    if match is None or not worth.readings:
        return finished(text, start, end, worth)
    power = power_of_ten(match.group(1) or match.group(2) or match.group(3))
    if abs(power) > 300:
        return named(text, start, match.end())
    factor = Decimal(10) ** power
    return finished(text, start, match.end(), Worth(tuple(times(value, factor) for value in worth.readings)))
