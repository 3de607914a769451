"""What stands beside a number: scales, percent signs, currencies and units, as tables.

Look-ups over the word lists in `data/`; knows nothing of texts. Called by `_number_scan`. Words are
casefolded; several languages share one table where their words do not clash.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from goldassay.rules._number_tables import read_table

__all__ = [
    "CURRENCY_SIGNS",
    "ORDINAL_ENDINGS",
    "POINT_WORDS",
    "SCALES",
    "Unit",
    "currency_of",
    "measure_words",
    "scale_of",
    "speed_of",
    "unit_of",
]


class Unit(NamedTuple):
    """One unit of measure."""

    name: str
    """Canonical name, e.g. 'day', 'USD'."""
    dimension: str
    """'time', 'length', 'mass', 'data', 'money', ...; only units of one dimension convert."""
    factor: Decimal
    """How many base units of its dimension it holds."""


def _scales() -> dict[str, int]:
    table: dict[str, int] = {}
    for line in read_table("scales.txt"):
        power, words = line.split(":")
        table.update(dict.fromkeys(words.split(), 10 ** int(power)))
    return table


SCALES = _scales()
"""Scale words and their factors; those that need a look at the text are in `scale_of`."""

_SUFFIX_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12, "G": 10**9}
_MONEY_SUFFIX_SCALES = {"m": 10**6, "b": 10**9, "t": 10**12, "mm": 10**6}


def scale_of(word: str, *, attached: bool, money: bool) -> int | None:
    """Factor of a scale word or suffix behind a number.

    Args:
        word: As written, without a full stop.
        attached: Whether it touches the number: '5M' is a scale, '5 M' is not known to be one.
        money: Whether a currency stands before the number: '$5m' are millions, '5m' are metres.
    """
    found = SCALES.get(word.casefold())
    if found is not None:
        return found
    if (attached or money) and word in _SUFFIX_SCALES and (word != "G" or money):
        return _SUFFIX_SCALES[word]
    return _MONEY_SUFFIX_SCALES.get(word.lower()) if money else None


ORDINAL_ENDINGS = frozenset(
    {"st", "nd", "rd", "th", "re", "er", "ère", "ème", "eme", "e", "º", "ª", "ste", "de", "ter"}
)
POINT_WORDS = frozenset(
    {"point", "points", "punkte", "punkten", "pp", "pps", "ppt", "ppts", "puntos", "punti", "pontos"}
)

CURRENCY_SIGNS = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS",
    "฿": "THB", "₫": "VND", "₴": "UAH", "₦": "NGN", "₱": "PHP", "¢": "cent",
}  # fmt: skip
_CURRENCIES = {
    word: name for name, words in (line.split(":") for line in read_table("currencies.txt")) for word in words.split()
}


def currency_of(word: str) -> str | None:
    """Code of a currency word or sign, e.g. 'Franken' -> 'CHF'; None: it is none."""
    return CURRENCY_SIGNS.get(word) or _CURRENCIES.get(word.casefold())


def _units() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for line in read_table("units.txt"):
        head, words = line.split(":")
        dimension, name, factor = head.split()
        table.update(dict.fromkeys(words.split(), Unit(name, dimension, Decimal(factor))))
    return table


_UNITS = _units()
_ONLY_ATTACHED = frozenset({"in", "mo", "yo"})
"""Units that are words of their own where a space stands before them: '5 in', '18 mo'."""


def unit_of(word: str, *, attached: bool = True) -> Unit | None:
    """The unit a word names, e.g. 'megabytes' -> megabyte; None: it is none.

    One-letter units are read as written: '5 M' is no length; so are 'Nm' and 'nm', 'mW' and 'MW'.

    Args:
        word: As written.
        attached: Whether it touches its number: '5in' are inches, '5 in' may be '5 in the end'.
    """
    if not attached and word in _ONLY_ATTACHED:
        return None
    return _UNITS.get(word) or (_UNITS.get(word.casefold()) if len(word) > 1 else None)


_PER_TIME = {"h": 1, "hr": 1, "hour": 1, "s": 3600, "sec": 3600, "second": 3600}


def speed_of(length: Unit, time: str) -> Unit:
    """The unit of speed of a length in a time: 'km' and 'h' make km/h.

    Args:
        length: The unit of the way.
        time: One of 'h', 'hr', 'hour', 's', 'sec', 'second'.
    """
    return Unit(f"{length.name}_per_{time}", "speed", length.factor * _PER_TIME[time])


def measure_words() -> frozenset[str]:
    """Every word that changes or names what a number counts: scales, currencies, units."""
    return frozenset({*SCALES, *_CURRENCIES, *_UNITS, *POINT_WORDS, *(suffix.lower() for suffix in _SUFFIX_SCALES)})
