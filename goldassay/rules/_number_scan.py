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

from goldassay.rules._number_behind import Behind, is_cjk
from goldassay.rules._number_dates import clock_minutes, month_date, numeric_dates
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_plain import read_plain
from goldassay.rules._number_units import CURRENCY_SIGNS, currency_of, unit_of
from goldassay.rules._number_values import VULGAR, Style, Worth, figure_worth, fraction_worth, power_of_ten, times

__all__ = ["read_at", "scan_digits"]

_DIGIT = re.compile("[0-9" + "".join(VULGAR) + "]")
_CORE = re.compile(
    r"""(?P<phone>[0-9]{3}\)?[ .-]{1,2}[0-9]{3}[.-][0-9]{4}(?![0-9])|[0-9][ -][0-9]{3}-[0-9]{3}-[0-9]{4}(?![0-9])
        |(?<=\+)[0-9]{1,3}[ 0-9().-]{6,18}[0-9])
    |(?P<date>[0-9]{1,4}(?P<by>[./-])[0-9]{1,2}(?P=by)[0-9]{2,4}(?![0-9])(?!(?P=by)[0-9]))
    |(?P<clock>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9:])|[0-9]{1,2}[.][0-9]{2}(?=[ ]?[aApP][.]?[mM]\b))
    |(?P<dotted>[0-9]{1,9}(?:\.[0-9]{1,9}){2,6}(?:,[0-9]{1,9}(?![0-9]))?)
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
_POWER = re.compile(r"\^([0-9]{1,2})(?![0-9])")
_MIXED = re.compile(r" ?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])| ([1-9]/[1-9][0-9]?)(?![0-9/])")
# Letters of alphabets: a CJK sentence has no spaces, its characters belong to no name.
_LETTER = r"[^\W\u2e80-\u9fff\uac00-\ud7af]"
_LETTERS_BEFORE = re.compile(rf"(?:{_LETTER}|&)(?:{_LETTER}|[&'/]|(?<=[A-Za-z])-){{0,24}}-?$")
_CHUNK = re.compile(rf"{_LETTER}{{0,40}}(?:[-./:](?={_LETTER}{{0,20}}[0-9]){_LETTER}{{1,20}}){{0,5}}")
_VERSION_BEFORE = re.compile(r"\b(?:versions?|releases?|ver|rev|revision|build|firmware|v)\.? ?$", re.IGNORECASE)
_CURRENCY_BEFORE = re.compile(r"((?:US|A|AU|C|CA|HK|S|R|NZ)?\$|[€£¥₹₩₽₺₪฿₫₴₦₱]|\b[A-Z]{3}|\bRs\.?|\bEuro) ?$")
_LOWER_PREFIX_WORDS = (
    "mid pre post non sub top over under early late since around about approximately ca circa age aged ages up to till"
    " until from by for of and or the a an in on at per all number twenty thirty forty fifty sixty seventy eighty"
    " ninety"
)
_LOWER_PREFIXES = frozenset(_LOWER_PREFIX_WORDS.split())
_CODE_BEHIND = re.compile(r"-([A-Z]{1,4})(?![\w-])")
_LETTER_IN_BRACKETS = re.compile(r"\([a-z]\)")
_SIGN_BEFORE = re.compile(r"(?:^|[\s(\[|~])(?:-|[mM]inus )$")
_LONGEST_LOOK_BACK = 28


def scan_digits(text: str, style: Style, limit: int | None = None) -> list[Number]:
    """All numbers written in digits, in order.

    Args:
        text: A text in normal form.
        style: How the text writes decimals.
        limit: Most numbers read; None: all.
    """
    found: list[Number] = []
    position = 0
    while (limit is None or len(found) < limit) and (match := _DIGIT.search(text, position)):
        number = read_at(text, match.start(), style)
        found.append(number)
        position = max(number.end, match.end())
    return found


def read_at(text: str, start: int, style: Style) -> Number:
    """The number whose first digit stands at `start`."""
    return read_plain(text, start, style) or _any(text, start, style)


def _any(text: str, start: int, style: Style) -> Number:
    before = text[start - 1] if start else " "
    if (before.isalnum() or before in "_-") and not is_cjk(before):
        named = _identifier(text, start)
        if named is not None:
            return named
    core = _CORE.match(text, start)
    assert core is not None  # the last alternative takes any character
    kind, end = core.lastgroup, core.end()
    if kind == "by":
        kind = "date"
    special = _SPECIAL[kind](text, start, end, style) if kind in _SPECIAL else None
    if special is not None:
        return special
    if kind not in {"figure", "vulgar"}:
        end = _first_figure_end(text, start)
    return _dated(text, start, end) or _quantity(text, start, end, style)


def _first_figure_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end].isdigit():
        end += 1
    return end


def _identifier(text: str, start: int) -> Number | None:
    """Letters before the digits make a name: COVID-19, Q3, B12; 'mid-1990s' and '$5' do not."""
    window = max(0, start - _LONGEST_LOOK_BACK)
    match = _LETTERS_BEFORE.search(text[window:start])
    if match is None:
        return None
    prefix = match.group().rstrip("-")
    if not any(character.isalpha() for character in prefix) or prefix.casefold() in _LOWER_PREFIXES:
        return None
    if prefix.casefold().rpartition("-")[2] in _LOWER_PREFIXES or currency_of(prefix):
        return None
    if prefix[0].isdigit() or prefix.lower() in {"v", "fy", "cy"}:
        return None  # '1970s-1980s' is a range, 'v2.1' a version, 'FY2020' a year
    end = _CHUNK.match(text, start).end()  # type: ignore[union-attr]  # the pattern takes the empty string too
    return _named(text, window + match.start(), end)


def _named(text: str, start: int, end: int, kind: Kind = Kind.IDENTIFIER) -> Number:
    end = end if end > start else start + 1
    written = text[start:end].rstrip(".-:/ ")
    key = "".join(character for character in written.casefold() if character.isalnum() or character == ".")
    return Number(kind, start, start + len(written), key=key, written=written)


def _phone(text: str, start: int, end: int, style: Style) -> Number | None:
    del style
    number = _named(text, start, end)
    return number._replace(key="".join(c for c in number.written if c.isdigit()))


def _date(text: str, start: int, end: int, style: Style) -> Number | None:
    del style
    written = text[start:end]
    separator = next(character for character in written if not character.isdigit())
    dates = numeric_dates(written.split(separator), separator)
    if not dates:
        return _named(text, start, end, Kind.VERSION) if separator == "." else None
    parts = tuple(dict.fromkeys(part for date in dates for part in (date.year, date.day) if part is not None))
    return Number(Kind.DATE, start, end, dates=dates, parts=parts, written=written)


def _clock(text: str, start: int, end: int, style: Style) -> Number | None:
    del style
    read = clock_minutes(text, start)
    if read is None:
        return _named(text, start, end)
    stop, minutes = read
    parts = tuple(int(part) for part in text[start:end].replace(".", ":").split(":"))
    return Number(Kind.TIME, start, stop, minutes=minutes, parts=parts, key=text[start:end], written=text[start:stop])


def _dotted(text: str, start: int, end: int, style: Style) -> Number | None:
    groups = text[start:end].partition(",")[0].split(".")
    if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
        return _quantity(text, start, end, style)
    return _named(text, start, end, Kind.VERSION)


def _fraction(text: str, start: int, end: int, style: Style) -> Number | None:
    del style
    worth = fraction_worth(text[start:end])
    if worth is None:
        return _named(text, start, end)
    return _finished(text, start, end, worth, key=text[start:end])


_SPECIAL = {"phone": _phone, "date": _date, "clock": _clock, "dotted": _dotted, "fraction": _fraction}


def _dated(text: str, start: int, end: int) -> Number | None:
    if end - start > 5 or not text[start:end].isdigit():
        return None
    read = month_date(text, start, end)
    if read is not None:
        begin, stop, fields = read
        parts = tuple(part for part in (fields.year, fields.day) if part is not None)
        return Number(Kind.DATE, begin, stop, dates=(fields,), parts=parts, written=text[begin:stop])
    if end - start <= 2 and text[end : end + 3].strip()[:1] in {"a", "p", "A", "P"}:
        clock = clock_minutes(text, start)
        if clock is not None:
            value = int(text[start:end])
            return Number(Kind.TIME, start, clock[0], minutes=clock[1], parts=(value,), written=text[start : clock[0]])
    return None


def _quantity(text: str, start: int, end: int, style: Style) -> Number:
    if _is_version(text, start, end):
        return _named(text, start, end, Kind.VERSION)
    if text[start] in VULGAR:
        return _finished(text, start, start + 1, Worth((VULGAR[text[start]],)))
    worth = figure_worth(text[start:end], style)
    if worth is None:
        return _named(text, start, end)
    mixed = _MIXED.match(text, end) if text[start:end].isdigit() else None
    if mixed is not None:
        worth = _with_fraction(worth, mixed)
        end = mixed.end()
    return _with_exponent(text, start, end, worth)


def _with_fraction(worth: Worth, mixed: re.Match[str]) -> Worth:
    part = VULGAR[mixed.group(1)] if mixed.group(1) else Fraction(mixed.group(2))
    return Worth((times(Fraction(worth.readings[0]) + part, 1),), parts=worth.readings)


def _with_exponent(text: str, start: int, end: int, worth: Worth) -> Number:
    bare = _POWER.match(text, end) if worth.readings == (10,) else None
    if bare is not None:
        return _finished(text, start, bare.end(), Worth((10 ** int(bare.group(1)),)))
    match = _EXPONENT.match(text, end)
    if match is None or not worth.readings:
        return _finished(text, start, end, worth)
    power = power_of_ten(match.group(1) or match.group(2) or match.group(3))
    if abs(power) > 300:
        return _named(text, start, match.end())
    factor = Decimal(10) ** power
    return _finished(text, start, match.end(), Worth(tuple(times(value, factor) for value in worth.readings)))


def _is_version(text: str, start: int, end: int) -> bool:
    return "." in text[start:end] and _VERSION_BEFORE.search(text[max(0, start - 12) : start]) is not None


def _finished(text: str, start: int, end: int, worth: Worth, key: str = "") -> Number:
    """Add what stands around a figure: sign and currency before it, scale, percent sign and unit behind it."""
    begin, negative, currency = _before(text, start)
    if _LETTER_IN_BRACKETS.match(text, end):
        return _named(text, start, end + 3)
    code = _CODE_BEHIND.match(text, end)
    if code is not None and not unit_of(code.group(1)) and not currency_of(code.group(1)):
        return _named(text, start, code.end())
    behind = Behind(text, end, money=currency is not None)
    if behind.is_name:
        return _named(text, start, _CHUNK.match(text, start).end())  # type: ignore[union-attr]  # takes '' too
    if (currency or behind.currency) and worth.doubtful and isinstance(worth.doubtful[0], int):
        worth = worth._replace(readings=worth.doubtful, doubtful=worth.readings)  # no price has three decimals
    factor = -behind.scale if negative else behind.scale
    return Number(
        behind.kind,
        begin,
        behind.end,
        tuple(times(value, factor) for value in worth.readings),
        tuple(times(value, factor) for value in worth.doubtful),
        worth.undecided,
        behind.scale,
        unit=behind.unit,
        currency=currency or behind.currency,
        key=key,
        parts=_scaled_parts(worth, behind.scale),
        written=text[begin : behind.end],
    )


def _scaled_parts(worth: Worth, scale: int) -> tuple[Value, ...]:
    return worth.parts if scale == 1 else ()


def _before(text: str, start: int) -> tuple[int, bool, str | None]:
    """Begin of the span, whether a minus stands there, and the currency."""
    window = text[max(0, start - 8) : start]
    begin, currency = start, None
    match = _CURRENCY_BEFORE.search(window) if window else None
    if match is not None:
        currency = currency_of(match.group(1).rstrip(".")) or CURRENCY_SIGNS.get(match.group(1)[-1])
        begin = start - (len(window) - match.start()) if currency else start
    sign = _SIGN_BEFORE.search(text[max(0, begin - 8) : begin])
    if sign is None:
        return begin, False, currency
    return begin - (1 if text[begin - 1] == "-" else len("minus ")), True, currency
