"""Units of several words or signs: 'square metres', 'm^2', 'mètres cubes', 'degrees Celsius', 'km per hour'.

A length with a power is an area or a volume, a length in a time a speed. Knows single units from `_number_units`;
called by `_number_behind` for what stands behind a figure, by `_number_scan` and `key_fact` for where that ends.
"""

from __future__ import annotations

import re

from goldassay.rules._number_units import AREA_WORDS, DEGREE_WORDS, VOLUME_WORDS, Unit, raised, speed_of, unit_of

__all__ = ["is_below_zero", "is_part_of_unit", "unit_behind", "unit_end"]

_LENGTH_BEHIND = re.compile(r"\.?[ -]([^\W\d_]{1,24})")
_POWER_BEHIND = re.compile(r"\^?([23²³])(?!\w)| ([^\W\d_]{4,10})")
_SPEED = re.compile(r"(?: ?/ ?| per | an )(h|hr|hour|s|sec|second)\b")
_SCALE_OF_DEGREES = re.compile(r" ?(celsius|fahrenheit|centigrade|kelvin|[CFK])(?!\w)", re.IGNORECASE)
_BELOW_ZERO = re.compile(
    r"[ -]?(?:degrees?|grad|degrés?|grados|gradi|graus|graden|°)?(?: ?(?:celsius|fahrenheit|centigrade|[CF]))?"
    r" (?:below (?:zero|freezing)|unter null|sous zéro|bajo cero|sotto zero|abaixo de zero|onder nul)\b",
    re.IGNORECASE,
)
_POWERS = {"2": 2, "3": 3, "²": 2, "³": 3} | dict.fromkeys(AREA_WORDS, 2) | dict.fromkeys(VOLUME_WORDS, 3)
_ENGLISH_POWERS = frozenset({"square", "sq", "cubic", "cu", "cube", "cubes"})
"""Words that English puts before the length: 'a 2 metre cube' is no volume of 2 m³."""
_TIME_WITH_POWER = frozenset({"s2", "s3"})
_FIRST_WORD = re.compile(r"[ -]?([^\W\d_]{1,24}[²³]|[^\W\d_]{1,3}[23](?!\w)|[^\W\d_]{1,24}|°[CFcf]?)")


def unit_behind(text: str, word: str, end: int, *, attached: bool) -> tuple[Unit | None, int]:
    """The unit that begins with a word, and where it ends.

    Args:
        text: The text.
        word: The word behind a figure, as written.
        end: Its end.
        attached: Whether it touches the figure.
    """
    folded = word.casefold()
    if folded in _POWERS:
        return _powered_length(text, end, _POWERS[folded])
    if folded in DEGREE_WORDS:
        return _degrees(text, end)
    unit = unit_of(word, attached=attached)
    if unit is None or unit.dimension != "length":
        return unit, end
    return _length(text, unit, end)


def _powered_length(text: str, end: int, power: int) -> tuple[Unit | None, int]:
    """'square metres', 'sq. ft'; a square of something else is no unit."""
    match = _LENGTH_BEHIND.match(text, end)
    unit = unit_of(match.group(1)) if match else None
    if match is None or unit is None or unit.dimension != "length":
        return None, end
    return raised(unit, power), match.end()


def _degrees(text: str, end: int) -> tuple[Unit | None, int]:
    """'degrees Celsius', '° C'; degrees alone may be those of an angle."""
    match = _SCALE_OF_DEGREES.match(text, end)
    return (unit_of(f"°{match.group(1)[0].lower()}"), match.end()) if match else (None, end)


def _length(text: str, unit: Unit, end: int) -> tuple[Unit, int]:
    """A length, or with a power or a time behind it an area, a volume or a speed."""
    power = _POWER_BEHIND.match(text, end)
    sign = (power.group(1) or power.group(2)).casefold() if power else ""
    exponent = None if sign in _ENGLISH_POWERS and not text.endswith(("mètre", "mètres"), 0, end) else _POWERS.get(sign)
    if power is not None and exponent is not None:
        return raised(unit, exponent), power.end()
    speed = _SPEED.match(text, end)
    return (speed_of(unit, speed.group(1)), speed.end()) if speed else (unit, end)


def unit_end(text: str, end: int, unit: Unit) -> int:
    """Where the unit behind a figure ends; where the figure does, if it stands elsewhere."""
    match = _FIRST_WORD.match(text, end)
    if match is None:
        return end
    found, stop = unit_behind(text, match.group(1), match.end(), attached=True)
    return stop if found == unit else end


def is_part_of_unit(name: str) -> bool:
    """Whether a name with a figure is a unit: the 'm2' of 'per m2', 'kg/m3', 'm/s2'; 'M2' is something else."""
    last = name.rpartition("/")[2]
    return name.islower() and (unit_of(last) is not None or (last != name and last in _TIME_WITH_POWER))


def is_below_zero(text: str, end: int) -> bool:
    """Whether a temperature goes on with 'degrees below zero'."""
    return _BELOW_ZERO.match(text, end) is not None
