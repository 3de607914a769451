"""Whether a number is the sum or difference of two numbers that stand in one source."""

from __future__ import annotations

from collections.abc import Iterable

from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_model import Kind, Number, Value

__all__ = ["derivation"]

_MOST_VALUES = 60  # more numbers than that in one source, and nearly every number is a sum by accident
_MOST_ALIKE = 50  # places of one value that are looked at


def derivation(wanted: Number, indexes: Iterable[NumberIndex]) -> str | None:
    """How the number follows from two numbers of one source, e.g. '12 + 18'; None: it does not, simply."""
    if wanted.kind not in {Kind.QUANTITY, Kind.PERCENT} or not wanted.readings or wanted.readings[0] <= 1:
        return None
    for index in indexes:
        values = _values(wanted, index)
        found = _pair(wanted.readings[0], values) if len(values) <= _MOST_VALUES else None
        if found is not None:
            return found
    return None


def _values(wanted: Number, index: NumberIndex) -> dict[Value, str]:
    """Each value once, as it is written first; one more than the most is as good as all."""
    values: dict[Value, str] = {}
    for value, numbers in index.by_value.items():
        fit = (number for number in numbers[:_MOST_ALIKE] if number.readings[0] == value)
        number = next((number for number in fit if _can_be_summed(number, wanted)), None)
        if value > 0 and number is not None:
            values[value] = number.written
        if len(values) > _MOST_VALUES:
            break
    return values


def _can_be_summed(number: Number, wanted: Number) -> bool:
    """Ranks are not summed, nor euros to dollars, nor days to hours."""
    if number.kind is not wanted.kind or number.currency not in {None, wanted.currency}:
        return False
    return number.unit is None or wanted.unit is None or number.unit == wanted.unit


def _pair(total: Value, values: dict[Value, str]) -> str | None:
    for first, written in values.items():
        second = total - first  # type: ignore[operator]  # a Fraction never meets a Decimal here
        if second in values:
            return f"{written} + {values[second]}"
        other = first - total  # type: ignore[operator]  # same
        if other in values:
            return f"{written} - {values[other]}"
    return None
