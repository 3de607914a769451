"""One reader per reply format; each gives a Reading or raises a Fault."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from goldassay.judging.reply_contract import Contract, Fault, FieldSpec, Reading
from goldassay.judging.reply_echo import Evaluated, check_echo
from goldassay.judging.reply_fields import fold, read_field, read_fields
from goldassay.judging.reply_json import NotJsonError, decode
from goldassay.judging.reply_labels import Said, find_said
from goldassay.judging.reply_lines import joined
from goldassay.judging.reply_objects import Found, find_values
from goldassay.judging.reply_rules import decide

__all__ = ["read_contract"]

_JSON_FORMATS = frozenset({"json_object", "json_array", "tool_call"})


def read_contract(text: str, contract: Contract, evaluated: Sequence[str]) -> Reading:
    """The reading of a reply that ended normally.

    Raises:
        Fault: If it holds no verdict, or more than one.
    """
    if contract.format not in _JSON_FORMATS:
        return _labelled(find_said(text, contract), contract)
    wanted = contract.item_fields if contract.format == "json_array" else contract.required or contract.fields
    texts = Evaluated(evaluated)
    found = _candidates(find_values(text, tuple(wanted)), contract)
    readings, faults = _read_each(found, contract, texts)
    if not readings and (whole := joined(found, contract)) is not None:
        readings, faults = _read_each([whole], contract, texts)
    return _one(readings, faults)


def _read_each(found: Sequence[Found], contract: Contract, texts: Evaluated) -> tuple[list[Reading], list[Fault]]:
    meet = _meet_array if contract.format == "json_array" else _meet_object
    readings: list[Reading] = []
    faults: list[Fault] = []
    for one in found:
        try:
            readings.append(_checked_for_echo(meet(one, contract), one, texts))
        except Fault as fault:
            faults.append(fault)
    return readings, faults


def _candidates(found: list[Found], contract: Contract) -> list[Found]:
    """Objects where an object was asked for: an array around them is one wrapper more."""
    if contract.format == "json_array":
        return found
    candidates: list[Found] = []
    for one in found:
        if isinstance(one.value, list) and any(isinstance(item, dict) for item in one.value):
            candidates += [
                one._replace(value=item, repairs=(*one.repairs, f"unwrapped:{position}"))
                for position, item in enumerate(one.value)
            ]
        else:
            candidates.append(one)
    return candidates


def _one(readings: list[Reading], faults: list[Fault]) -> Reading:
    if not readings:
        # The candidate that came nearest to a verdict says best what is wrong.
        raise next((fault for fault in faults if fault.kind != "missing_field"), faults[0])
    if len({_verdict(reading) for reading in readings}) > 1:
        raise Fault("ambiguous")
    return readings[-1]


def _verdict(reading: Reading) -> str:
    told = {name: value for name, value in reading.values.items() if not isinstance(value, str)}
    return repr((told, reading.label, reading.items))


def _checked_for_echo(reading: Reading, found: Found, evaluated: Evaluated) -> Reading:
    """Marks a verdict that stands in the text under evaluation.

    Raises:
        Fault: 'ambiguous' when it is quoted in prose.
    """
    suspect = check_echo(reading, found.value, evaluated, around=found.around, is_sure=found.is_sure)
    return replace(reading, suspect=True) if suspect else reading


def _meet_object(found: Found, contract: Contract) -> Reading:
    repairs = list(found.repairs)
    values = read_fields(_unwrapped(found.value, contract, repairs), contract.fields, contract.required, repairs)
    label = _first(values, contract, {"enum"})
    return Reading(
        values,
        score=values.get("score", _first(values, contract, {"number", "integer"})),
        passed=decide(contract, values, label),
        label=label,
        repairs=tuple(dict.fromkeys(repairs)),
    )


def _first(values: Mapping[str, Any], contract: Contract, types: set[str]) -> Any:
    return next((values[name] for name, spec in contract.fields.items() if spec.type in types and name in values), None)


def _unwrapped(value: Any, contract: Contract, repairs: list[str]) -> Mapping[str, Any]:
    """The object that has the contract's keys: this one, or the only one inside it that has all of them."""
    if not isinstance(value, dict):
        raise Fault("not_json", value=type(value).__name__)  # JSON, but not the object that was asked for
    known = {fold(name) for name in contract.fields}
    wanted = {fold(name) for name in contract.required}
    if not wanted or any(fold(key) in known for key in value):
        return value
    inner = {key: nested for key, item in value.items() if (nested := _nested(item)) is not None}
    having = [key for key, nested in inner.items() if wanted <= {fold(name) for name in nested}]
    if len(having) != 1:
        return value
    repairs.append(f"unwrapped:{having[0]}")
    return inner[having[0]]


def _nested(item: Any) -> dict[str, Any] | None:
    if isinstance(item, str) and item.lstrip().startswith("{"):
        try:
            item = decode(item)
        except NotJsonError:
            return None
    return item if isinstance(item, dict) else None


def _meet_array(found: Found, contract: Contract) -> Reading:
    repairs = list(found.repairs)
    item_spec = FieldSpec("object", fields=contract.item_fields, required=tuple(contract.item_fields))
    spec = FieldSpec("array", items=item_spec)
    items: dict[str, Mapping[str, Any]] = {}
    for item in read_field("items", _list_in(found.value, repairs), spec, repairs):
        key = str(item[contract.item_key])
        if key in items and items[key] != item:
            raise Fault("ambiguous", field=key)
        items[key] = item
    if missing := [key for key in contract.required_items if key not in items]:
        raise Fault("missing_field", missing=missing)
    return Reading({}, items=items, repairs=tuple(dict.fromkeys(repairs)))


def _list_in(value: Any, repairs: list[str]) -> Any:
    if isinstance(value, dict):
        lists = [key for key, item in value.items() if isinstance(item, list)]
        if len(lists) == 1:
            repairs.append(f"unwrapped:{lists[0]}")
            return value[lists[0]]
    return value


def _labelled(said: Said, contract: Contract) -> Reading:
    repairs = list(said.repairs)
    if not contract.values:
        return _numbered(said, contract)
    score = contract.scores.get(said.text)
    if said.text in contract.scores and score is None:
        raise Fault("abstained", value=said.text)
    values = {"score": score} if score is not None else {}
    passed = decide(contract, values, said.text)
    return Reading(values, score=score, passed=passed, label=said.text, repairs=tuple(repairs))


def _numbered(said: Said, contract: Contract) -> Reading:
    """A reply whose verdict is a number, or a word that the first required field can be."""
    name = next(iter(contract.required or contract.fields), "score")
    spec = contract.fields.get(name, FieldSpec("string"))
    repairs = list(said.repairs)
    value = read_field(name, said.text, spec, repairs)
    # In a line of text a number is always a string: that is the form that was asked for, and no repair.
    kept = tuple(repair for repair in dict.fromkeys(repairs) if repair != "string_to_number")
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    values = {name: value}
    label = value if isinstance(value, str) else None
    return Reading(
        values,
        score=value if is_number else None,
        passed=decide(contract, values, label),
        label=label,
        repairs=kept,
    )
