"""What stands beside a number: scales, percent signs, currencies and units, as tables.

Look-ups over the word lists in `data/`; knows nothing of texts. Called by `_number_scan`. Words are
casefolded; several languages share one table where their words do not clash.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_tables import read_table

__all__ = [
    "AREA_WORDS",
    "CURRENCY_SIGNS",
    "DEGREE_WORDS",
    "ORDINAL_ENDINGS",
    "POINT_WORDS",
    "SCALES",
    "VOLUME_WORDS",
    "Unit",
    "base_amount",
    "currency_of",
    "measure_words",
    "raised",
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


_AREA = "square sq carré carrés cuadrado cuadrados quadrato quadrati quadrado quadrados vierkante"
_VOLUME = "cubic cu cube cubes cúbico cúbicos cubo cubi kubieke"
_DEGREES = "degree degrees deg grad degré degrés grado grados gradi grau graus graden °"
AREA_WORDS = frozenset(_AREA.split())
VOLUME_WORDS = frozenset(_VOLUME.split())
"""Words before or behind a length that make it an area or a volume."""
DEGREE_WORDS = frozenset(_DEGREES.split())
_LITRES_A_CUBIC_METRE = 1000
_LONGEST_SIGN = 2  # letters of a unit that may bear a power: 'm²', 'ft3', 'km2'


def raised(length: Unit, power: int) -> Unit:
    """The area or volume of a length.

    Args:
        length: The unit of the side.
        power: 2 or 3.
    """
    if power == 2:
        return Unit(f"square_{length.name}", "area", length.factor**2)
    return Unit(f"cubic_{length.name}", "volume", length.factor**3 * _LITRES_A_CUBIC_METRE)


def _units() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for line in read_table("units.txt"):
        head, words = line.split(":")
        dimension, name, factor = head.split()
        table.update(dict.fromkeys(words.split(), Unit(name, dimension, Decimal(factor))))
    lengths = [(word, unit) for word, unit in table.items() if unit.dimension == "length"]
    for word, unit in lengths:
        if len(word) <= _LONGEST_SIGN:
            table |= {f"{word}{sign}": raised(unit, power) for sign, power in {"2": 2, "²": 2, "3": 3, "³": 3}.items()}
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


_ZERO_IN_CELSIUS = {"fahrenheit": Fraction(-160, 9), "kelvin": Fraction(-27315, 100)}


def base_amount(value: int | Decimal | Fraction, unit: Unit) -> Fraction:
    """A value in the base unit of its dimension: 2 hours are 7,200 seconds, 68 °F are 20 °C."""
    return Fraction(value) * Fraction(unit.factor) + _ZERO_IN_CELSIUS.get(unit.name, 0)


def measure_words() -> frozenset[str]:
    """Every word that changes or names what a number counts: scales, currencies, units."""
    several = AREA_WORDS | VOLUME_WORDS | DEGREE_WORDS
    suffixes = {suffix.lower() for suffix in _SUFFIX_SCALES}
    return frozenset({*SCALES, *_CURRENCIES, *_UNITS, *POINT_WORDS, *suffixes, *several})
