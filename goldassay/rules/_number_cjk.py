"""Chinese, Japanese and Korean numerals: '二十五', '百分之三十', '1万2千', '1兆2,345億'.

Numerals of characters only are found by `scan_cjk` (called by `_number_words`); figures among them are read by
`mixed_numeral` (called by `_number_around`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from goldassay.rules._number_model import Value
from goldassay.rules._number_values import times

__all__ = ["cjk_value", "mixed_numeral"]

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "백": 100, "천": 1000}
_MYRIADS = {
    "万": 10**4, "萬": 10**4, "만": 10**4, "亿": 10**8, "億": 10**8, "억": 10**8, "兆": 10**12, "조": 10**12,
}  # fmt: skip
_SIGNS = "".join((*_POWERS, *_MYRIADS))
_FIGURE = r"[0-9][0-9,]{0,9}(?:\.[0-9]{1,4})?"
_MIXED = re.compile(rf"{_FIGURE}[{_SIGNS}]{{1,2}}(?: ?{_FIGURE}[{_SIGNS}]{{1,2}}){{0,5}}(?:[0-9]{{1,4}}(?![0-9,.]))?")
_PIECE = re.compile(rf"({_FIGURE})|([{_SIGNS}])")


def cjk_value(numeral: str) -> int | None:
    """'二十五' -> 25, '一千三百' -> 1300, '二〇二六' -> 2026; None where it is no number."""
    if numeral and all(character in _DIGITS for character in numeral):
        return int("".join(str(_DIGITS[character]) for character in numeral))
    return int(_summed(_DIGITS.get(character, character) for character in numeral)) if numeral else None


def _summed(pieces: Iterable[int | Decimal | str]) -> Decimal:
    """Digits and powers, read left to right: powers up to a thousand within a myriad, myriads over all."""
    total, section, digit = Decimal(0), Decimal(0), Decimal(0)
    for piece in pieces:
        if not isinstance(piece, str):
            digit = Decimal(piece)
        elif piece in _POWERS:
            section, digit = section + (digit or 1) * _POWERS[piece], Decimal(0)
        else:
            total, section, digit = total + (section + digit or 1) * _MYRIADS[piece], Decimal(0), Decimal(0)
    return total + section + digit


def mixed_numeral(text: str, start: int) -> tuple[Value, int] | None:
    """A numeral of several figures and signs that begins at `text[start]`: '1万2千' is 12,000.

    Returns:
        Its value and end; None where there is none, or only one figure, which is read as others are.
    """
    match = None if text.isascii() else _MIXED.match(text, start)
    if match is None:
        return None
    pieces = [(figure, sign) for figure, sign in _PIECE.findall(match.group())]
    myriads = [_MYRIADS[sign] for _, sign in pieces if sign in _MYRIADS]
    if sum(bool(figure) for figure, _ in pieces) < 2 or myriads != sorted(set(myriads), reverse=True):
        return None
    value = _summed(Decimal(figure.replace(",", "")) if figure else sign for figure, sign in pieces)
    return times(value, 1), match.end()
