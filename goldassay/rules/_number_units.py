"""What stands beside a number: scales, percent signs, currencies and units, as tables.

Pure data and look-ups; knows nothing of texts. Called by `_number_scan`. Words are
casefolded; several languages share one table where their words do not clash.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

__all__ = [
    "CURRENCY_SIGNS",
    "ORDINAL_ENDINGS",
    "POINT_WORDS",
    "SCALES",
    "Unit",
    "currency_of",
    "measure_words",
    "scale_of",
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


def _table(text: str) -> dict[str, int]:
    table: dict[str, int] = {}
    for line in text.strip().splitlines():
        power, words = line.split(":")
        table.update(dict.fromkeys(words.split(), 10 ** int(power)))
    return table


SCALES = _table("""
2: hundred hundreds hundert 百
3: thousand thousands tausend tsd mille mila mil duizend thsd 千
4: 万 萬
5: lakh lakhs lac
6: million millions mio mln mn millionen millón millones milione milioni milhão milhões miljoen mill 百万
7: crore crores 千万
8: 亿 億
9: billion billions bn bln mrd mia milliard milliards milliarde milliarden miliardo miliardi miljard bilhão bilhões
12: trillion trillions tn trn billionen billones trilhão trilhões 兆 万亿
""")
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
_CURRENCY_WORDS = """
USD: usd us$ dollar dollars bucks dólares dollari dólar dollaro 美元
EUR: eur euro euros euri 欧元
GBP: gbp pound pounds pfund sterling
CHF: chf franken sfr
JPY: jpy yen 日元
CNY: cny rmb yuan renminbi 人民币
INR: inr rs rupee rupees rupien
cent: cents ¢
BRL: r$ brl reais
CAD: cad c$ ca$
AUD: aud a$ au$
SEK: sek kronor
MXN: mxn pesos peso
HKD: hk$
SGD: s$
"""
_CURRENCIES = {
    word: name
    for name, words in (line.split(":") for line in _CURRENCY_WORDS.strip().splitlines())
    for word in words.split()
}


def currency_of(word: str) -> str | None:
    """Code of a currency word or sign, e.g. 'Franken' -> 'CHF'; None: it is none."""
    return CURRENCY_SIGNS.get(word) or _CURRENCIES.get(word.casefold())


_UNIT_WORDS = """
time second 1: s sec secs second seconds sekunde sekunden seconde secondes segundos secondi
time millisecond 0.001: ms millisecond milliseconds
time minute 60: min mins minute minutes minuten minuto minutos minuti 分钟
time hour 3600: h hr hrs hour hours stunde stunden std heure heures hora horas ora ore uur 小时
time day 86400: day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen 天 日
time week 604800: week weeks woche wochen semaine semaines semana semanas settimana settimane weken 周
time month 2629800: month months monat monate monaten mois mes meses mese mesi maand maanden 个月
time year 31557600: year years yr yrs jahr jahre jahren an ans année années año años ano anos anno anni jaar jaren 年
time decade 315576000: decade decades jahrzehnt jahrzehnte décennie décennies década décadas
time century 3155760000: century centuries jahrhundert jahrhunderts siècle siècles siglo secolo século eeuw 世纪
length metre 1: m metre metres meter meters
length kilometre 1000: km kilometre kilometres kilometer kilometers kms
length centimetre 0.01: cm centimetre centimetres centimeter centimeters
length millimetre 0.001: mm millimetre millimetres millimeter millimeters
length mile 1609.344: mile miles mi
length foot 0.3048: ft foot feet
length inch 0.0254: inch inches
length yard 0.9144: yd yard yards
mass kilogram 1000: kg kilogram kilograms kilo kilos kilogramm
mass gram 1: g gram grams gramm grammes gramme
mass milligram 0.001: mg milligram milligrams milligramm
mass microgram 0.000001: µg μg mcg microgram micrograms
mass tonne 1000000: t tonne tonnes tonnen
mass pound 453.59237: lb lbs
mass ounce 28.349523125: oz ounce ounces
data byte 1: byte bytes
data kilobyte 1000: kb kilobyte kilobytes
data megabyte 1000000: mb megabyte megabytes
data gigabyte 1000000000: gb gigabyte gigabytes
data terabyte 1000000000000: tb terabyte terabytes
volume litre 1: l litre litres liter liters
volume millilitre 0.001: ml millilitre millilitres milliliter milliliters
power watt 1: w watt watts
power kilowatt 1000: kw kilowatt kilowatts
power megawatt 1000000: mw megawatt megawatts
power gigawatt 1000000000: gw gigawatt gigawatts
temperature celsius 1: °c celsius
temperature fahrenheit 1: °f fahrenheit
area hectare 10000: ha hectare hectares hektar
area square_metre 1: m² m2 sqm quadratmeter
area square_kilometre 1000000: km² km2 sqkm
area acre 4046.8564224: acre acres
frequency hertz 1: hz hertz
frequency megahertz 1000000: mhz megahertz
frequency gigahertz 1000000000: ghz gigahertz
"""


def _units() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for line in _UNIT_WORDS.strip().splitlines():
        head, words = line.split(":")
        dimension, name, factor = head.split()
        table.update(dict.fromkeys(words.split(), Unit(name, dimension, Decimal(factor))))
    return table


_UNITS = _units()


def unit_of(word: str) -> Unit | None:
    """The unit a word names, e.g. 'megabytes' -> megabyte; None: it is none.

    One-letter units are read as written: '5 M' is no length.
    """
    return _UNITS.get(word if len(word) == 1 else word.casefold())


def measure_words() -> frozenset[str]:
    """Every word that changes or names what a number counts: scales, currencies, units."""
    return frozenset({*SCALES, *_CURRENCIES, *_UNITS, *POINT_WORDS, *(suffix.lower() for suffix in _SUFFIX_SCALES)})
