"""Makes a number of a figure and of what stands around it: sign, currency, scale, percent sign and unit, or a name.

Called by `_number_scan` once it knows which characters are the figure and what they are worth.
"""

from __future__ import annotations

import re

from goldassay.rules._number_behind import Behind
from goldassay.rules._number_cjk import mixed_numeral
from goldassay.rules._number_model import Kind, Number, Value
from goldassay.rules._number_names import chunk_end, named
from goldassay.rules._number_units import CURRENCY_SIGNS, currency_of, unit_of
from goldassay.rules._number_values import Worth, times

__all__ = ["finished"]

_CURRENCY_BEFORE = re.compile(r"((?:US|A|AU|C|CA|HK|S|R|NZ)?\$|[€£¥₹₩₽₺₪฿₫₴₦₱]|\b[A-Z]{3}|\bRs\.?|\bEuro) ?$")
_CODE_BEHIND = re.compile(r"-([A-Z]{1,4})(?![\w-])")
_LETTER_IN_BRACKETS = re.compile(r"\([a-z]\)")
_SIGN_BEFORE = re.compile(r"(?:^|[\s(\[|~])(?:-|[mM]inus )$")
_UNIT_LIKE = re.compile(r"[a-zμ]{2,8}|[ACFJN]")
"""Letters that may be a unit behind a figure: '20A' may be a seat or amperes, '30pcs' pieces; '3D' is a name."""
_MOST_DIGITS = 15  # longer runs of digits before letters are codes


def finished(text: str, start: int, end: int, worth: Worth, key: str = "") -> Number:
    """Add what stands around a figure: sign and currency before it, scale, percent sign and unit behind it.

    Args:
        text: The text.
        start: Begin of the figure.
        end: End of the figure.
        worth: What the figure is worth.
        key: What it is looked up by as written; '' where by its value only.
    """
    mixed = mixed_numeral(text, start)
    if mixed is not None:
        worth, end = Worth((mixed[0],)), mixed[1]
    in_brackets = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
    if not in_brackets and (name := _code(text, start, end)) is not None:
        return name
    begin, negative, currency = _before(text, start - 1 if in_brackets else start)
    behind = Behind(text, end + 1 if in_brackets else end, money=currency is not None)
    if in_brackets and _claims_nothing(behind, currency):
        behind, begin, in_brackets = Behind(text, end, money=False), start, False
    if behind.is_name:
        return _name(text, start, end, worth)
    number = _number(text, begin, worth, behind, currency, key=key)
    if in_brackets:  # accountants write losses so; others set a figure apart
        return number._replace(readings=(*number.readings, *(-value for value in number.readings)))
    return _negative(number) if negative != behind.below_zero else number


def _claims_nothing(behind: Behind, currency: str | None) -> bool:
    """Whether brackets around a figure are just brackets: no money, scale or percent sign makes them a loss."""
    return not (currency or behind.currency or behind.scale > 1 or behind.kind is Kind.PERCENT)


def _code(text: str, start: int, end: int) -> Number | None:
    """'401(k)' and '4711-AB'."""
    if _LETTER_IN_BRACKETS.match(text, end):
        return named(text, start, end + 3)
    code = _CODE_BEHIND.match(text, end)
    if code is not None and not unit_of(code.group(1)) and not currency_of(code.group(1)):
        return named(text, start, code.end())
    return None


def _name(text: str, start: int, end: int, worth: Worth) -> Number:
    """Letters that touch a figure: a name, and a value too where they may be a unit that no list has."""
    stop = chunk_end(text, end)
    figure, suffix = text[start:end], text[end:stop]
    if not figure.isdigit():
        has_more = any(character.isdigit() for character in suffix)
        return named(text, start, stop, Kind.VERSION) if has_more else _bare(text, start, end, worth)
    number = named(text, start, stop)
    if _UNIT_LIKE.fullmatch(suffix) and len(figure) <= _MOST_DIGITS:
        return number._replace(parts=(int(figure),))
    return number


def _bare(text: str, start: int, end: int, worth: Worth) -> Number:
    return Number(
        Kind.QUANTITY, start, end, worth.readings, worth.doubtful, worth.undecided, parts=worth.parts,
        written=text[start:end],
    )  # fmt: skip


def _number(text: str, begin: int, worth: Worth, behind: Behind, currency: str | None, *, key: str) -> Number:
    if (currency or behind.currency) and behind.scale == 1 and worth.doubtful and isinstance(worth.doubtful[0], int):
        worth = worth._replace(readings=worth.doubtful, doubtful=worth.readings)  # no price has three decimals
    return Number(
        behind.kind,
        begin,
        behind.end,
        _with_millions(tuple(times(value, behind.factor) for value in worth.readings), behind),
        tuple(times(value, behind.factor) for value in worth.doubtful),
        worth.undecided,
        behind.scale,
        unit=behind.unit,
        currency=currency or behind.currency,
        key=key,
        parts=worth.parts if behind.scale == 1 else (),
        written=text[begin : behind.end],
    )


def _with_millions(readings: tuple[Value, ...], behind: Behind) -> tuple[Value, ...]:
    if not behind.million_too:
        return readings
    scaled = tuple(times(value, behind.million_too) for value in readings)
    return (*scaled, *readings) if behind.mostly_millions else (*readings, *scaled)


def _negative(number: Number) -> Number:
    return number._replace(
        readings=tuple(-value for value in number.readings), doubtful=tuple(-value for value in number.doubtful)
    )


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
