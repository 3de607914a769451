"""One reader per reply format; each gives a Reading or raises a Fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.judging.reply_contract import Contract, Fault, Reading
from goldassay.judging.reply_fields import fold, read_fields
from goldassay.judging.reply_json import NotJsonError, decode
from goldassay.judging.reply_objects import Found, find_values
from goldassay.judging.reply_rules import decide

__all__ = ["read_contract"]


def read_contract(text: str, contract: Contract, evaluated: Sequence[str]) -> Reading:
    """The reading of a reply that ended normally.

    Raises:
        Fault: If it holds no verdict, or more than one.
    """
    return _json_object(text, contract, evaluated)


def _json_object(text: str, contract: Contract, evaluated: Sequence[str]) -> Reading:
    found = find_values(text, "{")
    readings: list[Reading] = []
    faults: list[Fault] = []
    for candidate in found:
        try:
            readings.append(_meet(candidate, contract, evaluated))
        except Fault as fault:
            faults.append(fault)
    if not readings:
        raise faults[0]
    if any(_verdict(reading) != _verdict(readings[0]) for reading in readings):
        raise Fault("ambiguous")
    return readings[-1]


def _verdict(reading: Reading) -> Any:
    told = {name: value for name, value in reading.values.items() if not isinstance(value, str)}
    return (repr(told), reading.label)


def _meet(found: Found, contract: Contract, evaluated: Sequence[str]) -> Reading:
    repairs = list(found.repairs)
    values = read_fields(_unwrapped(found.value, contract, repairs), contract.fields, contract.required, repairs)
    label = _first(values, contract, {"enum"})
    passed = decide(contract, values, label)
    score = values.get("score", _first(values, contract, {"number", "integer"}))
    suspect = any(found.text in text for text in evaluated)
    return Reading(values, score, passed, label, repairs=tuple(dict.fromkeys(repairs)), suspect=suspect)


def _first(values: Mapping[str, Any], contract: Contract, types: set[str]) -> Any:
    return next((values[name] for name, spec in contract.fields.items() if spec.type in types and name in values), None)


def _unwrapped(value: Any, contract: Contract, repairs: list[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Fault("wrong_type", value=type(value).__name__)
    known = {fold(name) for name in contract.fields}
    if any(fold(key) in known for key in value):
        return value
    inner = {key: nested for key, item in value.items() if (nested := _nested(item)) is not None}
    wanted = {fold(name) for name in contract.required}
    meeting = [key for key, nested in inner.items() if wanted <= {fold(name) for name in nested}]
    if len(meeting) != 1 or not wanted:
        return value
    repairs.append(f"unwrapped:{meeting[0]}")
    return inner[meeting[0]]


def _nested(item: Any) -> dict[str, Any] | None:
    if isinstance(item, str) and item.lstrip().startswith("{"):
        try:
            item = decode(item)
        except NotJsonError:
            return None
    return item if isinstance(item, dict) else None
