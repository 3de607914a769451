"""Figures to values: what '1.234,5', '12,34,567', '3/4' or '1.5e6' is worth, and where that is in doubt.

Pure functions on the characters of one figure. A `style` says how its text writes
decimals: 'dot' (English), 'comma' (continental), '' where nobody can tell.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from goldassay.rules._number_model import Value

__all__ = ["VULGAR", "Style", "Worth", "figure_worth", "fraction_worth", "power_of_ten"]

Style = Literal["dot", "comma", ""]

_MOST_DIGITS = 40  # longer runs of digits are no quantity, and Python converts them in quadratic time


class Worth(NamedTuple):
    """What a figure may be worth."""

    readings: tuple[Value, ...]
    doubtful: tuple[Value, ...] = ()
    """Readings against the habit of the text."""
    undecided: bool = False
    """The text shows no habit: the doubtful reading is as good as the other."""
    parts: tuple[Value, ...] = ()
    """Its pieces, where it may be several figures: '12 500', '10, 200', '3/5'."""


VULGAR = {
    "½": Fraction(1, 2), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3), "¼": Fraction(1, 4), "¾": Fraction(3, 4),
    "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5), "⅘": Fraction(4, 5), "⅙": Fraction(1, 6),
    "⅚": Fraction(5, 6), "⅛": Fraction(1, 8), "⅜": Fraction(3, 8), "⅝": Fraction(5, 8), "⅞": Fraction(7, 8),
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_MOST_EXACT = Decimal(10) ** 30
_NOT_DIGIT = re.compile(r"[^0-9]+")


def figure_worth(figure: str, style: Style) -> Worth | None:
    """Read a figure with its separators.

    Args:
        figure: Digits with separators between them, e.g. '1,234.50', '12 500', '40, 000'.
        style: The habit of its text.

    Returns:
        Its worth; None where it is too long to be a quantity.
    """
    if len(figure) > _MOST_DIGITS:
        return None
    if figure.isdigit():
        return Worth((int(figure),))
    separators = _NOT_DIGIT.findall(figure)
    groups = _NOT_DIGIT.split(figure)
    if len(set(separators)) == 1:
        return _one_kind(groups, separators[0], style)
    if len(set(separators[:-1])) == 1 and separators[-1] in {".", ","}:
        return Worth((_decimal("".join(groups[:-1]), groups[-1]),))
    return Worth((), parts=tuple(int(group) for group in groups))


def _one_kind(groups: list[str], separator: str, style: Style) -> Worth:
    whole = int("".join(groups))
    parts = tuple(int(group) for group in groups)
    if separator in {"'", " "}:
        return Worth((whole,), parts=parts if separator == " " else ())
    if separator.endswith(", "):
        return Worth((whole,), parts=parts)
    if len(groups) > 2:
        return Worth((whole,))
    return _two_groups(groups, separator, style, whole)


def _two_groups(groups: list[str], separator: str, style: Style, whole: int) -> Worth:
    """One full stop or comma: a decimal, unless three digits follow one to three."""
    decimal = _decimal(*groups)
    may_group = len(groups[1]) == 3 and len(groups[0]) <= 3 and not groups[0].startswith("0")
    if not may_group:
        parts = (int(groups[0]), int(groups[1])) if separator == "," else ()
        return Worth((decimal,), parts=parts)
    groups_by = {"dot": ",", "comma": "."}.get(style)
    if groups_by is None:
        first, second = (whole, decimal) if separator == "," else (decimal, whole)
        return Worth((first,), (second,), undecided=True)
    if separator == groups_by:
        return Worth((whole,)) if style == "dot" else Worth((whole,), (decimal,))
    return Worth((decimal,), (whole,))


def _decimal(whole: str, fraction: str) -> Decimal:
    return Decimal(f"{whole}.{fraction}")


def fraction_worth(figure: str) -> Worth | None:
    """'3/4' is 0.75, and perhaps '3 of 4'; '2020/21' are two years; None where the lower side is zero."""
    upper, lower = (int(side) for side in figure.split("/"))
    if 1000 <= upper <= 2999 and figure[-3] == "/":
        return Worth((), parts=(upper, upper // 100 * 100 + lower))  # the season 2020/21
    if lower == 0:
        return None
    return Worth((tidy(Fraction(upper, lower)),), parts=(upper, lower))


def tidy(value: Fraction) -> Value:
    """The fraction as an integer or decimal where that is exact and short."""
    if value.denominator == 1:
        return value.numerator
    for digits in range(1, 5):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            return Decimal(scaled.numerator).scaleb(-digits)
    return value


def times(value: Value, factor: int | Decimal) -> Value:
    """`value * factor`, exact."""
    if isinstance(value, Fraction):
        return tidy(value * Fraction(factor))
    if isinstance(value, int) and isinstance(factor, int):
        return value * factor
    product = Decimal(value) * factor
    return int(product) if abs(product) < _MOST_EXACT and product == int(product) else product


def power_of_ten(written: str) -> int:
    """The exponent '6', '-3' or '⁻³' as a number."""
    return int(written.translate(_SUPERSCRIPTS))
