"""The short cut for plain figures between plain words, which most numbers are.

Gives exactly what the careful reader in `_number_scan` gives, or None; a property
test holds the two together. Reading whole texts is three times faster with it.
"""

from __future__ import annotations

import re
from decimal import Decimal

from goldassay.rules._number_dates import MONTHS
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import measure_words
from goldassay.rules._number_values import Style

__all__ = ["read_plain"]

_SIMPLE = re.compile(
    r"([0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(\.[0-9]{1,6})?"
    r"(?:(%| percent)(?=[.,;:!?)]?(?:\s(?!point|-)|$))| ([a-z]{2,20})(?![\w'-])|(?=[.;:!?](?:\s|$)|$))"
)
_NOT_SIMPLE_BEHIND = measure_words() | set(MONTHS) | {
    "percent", "percentage", "per", "pct", "prozent", "promille", "pour", "por", "procent", "of", "de", "del", "am",
    "pm", "day", "pp", "bis", "and", "or", "to", "uhr", "uur", "basis", "bps", "vom", "von",
}  # fmt: skip
_NOT_SIMPLE_BEFORE = set(MONTHS) | {
    "version", "versions", "release", "releases", "ver", "rev", "revision", "build", "firmware", "v", "minus", "rs",
    "euro", "the", "of", "de", "del", "am", "vom", "zum", "bis", "seit",
}  # fmt: skip
_PERCENT, _QUANTITY = Kind.PERCENT, Kind.QUANTITY
_PLAIN = Number(Kind.QUANTITY, 0, 0)[4:-1]
"""What a plain figure has besides: no doubt, scale, unit, currency or key. By position, for this is hot."""


def _is_plain_before(text: str, start: int) -> bool:
    """Whether the word before the figure is one that changes nothing."""
    word = text[start - 16 if start > 16 else 0 : start - 1].rpartition(" ")[2].rstrip(",.")
    return not word or (word.isalpha() and not word.isupper() and word.lower() not in _NOT_SIMPLE_BEFORE)


def _may_be_more(figure: str, decimals: str | None, style: Style, behind: str) -> bool:
    """Whether the figure may be a day or date, or its separators may be read in two ways."""
    if decimals is None and figure.isdigit():
        return (len(figure) <= 2 and behind == ".") or len(figure) == 8  # '14. September', '20240315'
    return style != "dot" or (decimals is not None and len(decimals) == 4 and len(figure) <= 3)  # '2.875'


def read_plain(text: str, start: int, style: Style) -> Number | None:
    """A plain figure with nothing beside it that changes it; None: read it with care."""
    match = _SIMPLE.match(text, start) if not start or text[start - 1] == " " else None
    if match is None:
        return None
    figure, decimals, percent, behind = match.groups()
    if behind in _NOT_SIMPLE_BEHIND or (start and not _is_plain_before(text, start)):
        return None
    if _may_be_more(figure, decimals, style, text[match.end() : match.end() + 1]):
        return None
    kind, last = (_PERCENT, 3) if percent else (_QUANTITY, 2 if decimals else 1)
    whole, end = figure.replace(",", ""), match.end(last)
    value = Decimal(whole + decimals) if decimals else int(whole)
    return Number(kind, start, end, (value,), *_PLAIN, text[start:end])
