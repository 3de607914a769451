"""Checks the fields of a decoded reply against the contract: type, scale, label. Nothing is clamped or rescaled."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from goldassay.judging.reply_contract import Fault, FieldSpec

__all__ = ["EDGE", "fold", "number_from_text", "read_field", "read_fields", "to_label"]

_FRACTION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:/|out of)\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_NOT_FINITE = frozenset({"nan", "inf", "infinity"})
_LARGEST_SHOWN = 10**18
_ABSTAINS = frozenset(
    {"n/a", "na", "null", "none", "unknown", "abstain", "not applicable", "cannot determine", "undetermined"}
)
EDGE = " \t\r\n.,;:!*_`\"'()[]\u201c\u201d\u2018\u2019\u200b\ufeff\u3002"
"""Stands around a label without changing it: blanks, final punctuation, quotes, brackets, markdown."""


def fold(text: str) -> str:
    """A word without letter case, compatibility forms and outer blanks."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def read_fields(
    found: Mapping[str, Any], specs: Mapping[str, FieldSpec], required: tuple[str, ...], repairs: list[str]
) -> dict[str, Any]:
    """The fields asked for, each checked; fields nobody asked for are left out.

    Raises:
        Fault: If a field is missing, or one is not what was asked for.
    """
    named = _with_known_keys(found, specs, repairs)
    if missing := [name for name in required if name not in named]:
        raise Fault("missing_field", missing=missing)
    values: dict[str, Any] = {}
    for name, spec in specs.items():
        if name not in named:
            continue
        if named[name] is None and name not in required:
            continue
        values[name] = read_field(name, named[name], spec, repairs)
    return values


def _with_known_keys(found: Mapping[str, Any], specs: Mapping[str, FieldSpec], repairs: list[str]) -> dict[str, Any]:
    known = {fold(name): name for name in specs}
    named: dict[str, Any] = {}
    for key, value in found.items():
        name = known.get(fold(key))
        if name is None:
            continue
        if name in named and repr(named[name]) != repr(value):
            raise Fault("ambiguous", field=name)
        if key != name:
            repairs.append("key_case")
        named[name] = value
    return named


def read_field(name: str, value: Any, spec: FieldSpec, repairs: list[str]) -> Any:
    """One value as the contract wants it, or a Fault."""
    if spec.type in {"number", "integer"}:
        return _in_scale(name, _number(name, value, spec, repairs), spec)
    if spec.type in {"boolean", "enum"}:
        return _choice(name, value, spec, repairs)
    if spec.type == "object":
        return _object(name, value, spec, repairs)
    if spec.type == "array":
        return [read_field(name, item, spec.items, repairs) if spec.items else item for item in _array(name, value)]
    return _text(name, value, spec, repairs)


def _choice(name: str, value: Any, spec: FieldSpec, repairs: list[str]) -> Any:
    if value is None:
        raise Fault("abstained", field=name, value=None)
    return _boolean(name, value, repairs) if spec.type == "boolean" else _enum(name, value, spec, repairs)


def _number(name: str, value: Any, spec: FieldSpec, repairs: list[str]) -> int | float:
    if value is None:
        raise Fault("abstained", field=name, value=None)
    if isinstance(value, str):
        value = _number_in_string(name, value, spec, repairs)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Fault("wrong_type", field=name, value=_short(value))
    if isinstance(value, float) and not math.isfinite(value):
        raise Fault("not_finite", field=name)
    if spec.type == "integer" and value != int(value):
        raise Fault("wrong_type", field=name, value=value)
    return int(value) if spec.type == "integer" else value


def _number_in_string(name: str, value: str, spec: FieldSpec, repairs: list[str]) -> int | float:
    if _is_ornate(value):
        raise Fault("wrong_type", field=name, value=_short(value))
    text = fold(value)
    if text.lstrip("+-") in _NOT_FINITE:
        raise Fault("not_finite", field=name, value=_short(value))
    if text in _ABSTAINS:
        raise Fault("abstained", field=name, value=_short(value))
    if (number := number_from_text(text)) is not None:
        repairs.append("string_to_number")
        return number
    if fraction := _FRACTION.fullmatch(text):
        # '4/5' is 4 on a scale up to 5; '4/10' speaks of another scale, and rescaling would be guessing.
        if spec.maximum is None or float(fraction[2]) != spec.maximum:
            raise Fault("out_of_scale", field=name, value=_short(value))
        repairs.append("fraction_to_number")
        return number_from_text(fraction[1]) or 0
    raise Fault("wrong_type", field=name, value=_short(value))


def number_from_text(text: str) -> int | float | None:
    """The number a text is, all of it: '4', '4.5', digits of one other script; None for anything else."""
    if _is_ornate(text):
        return None
    plain = _western(unicodedata.normalize("NFKC", text).strip())
    if plain is None or not _PLAIN_NUMBER.fullmatch(plain):
        return None
    return int(plain) if plain.lstrip("+-").isdigit() else float(plain)


def _is_ornate(text: str) -> bool:
    """Whether signs stand there that only look like digits when folded: a superscript, a circled or a Roman number."""
    return not text.isascii() and any(sign.isnumeric() and not sign.isdecimal() for sign in text)


def _western(text: str) -> str | None:
    """The text with digits of another script as 0-9; None where digits of two scripts are mixed."""
    zeros = {ord(sign) - unicodedata.decimal(sign) for sign in text if sign.isdecimal()}
    if len(zeros) > 1:
        return None
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)


def _in_scale(name: str, value: float, spec: FieldSpec) -> int | float:
    low = -math.inf if spec.minimum is None else spec.minimum
    high = math.inf if spec.maximum is None else spec.maximum
    if not low <= value <= high:
        raise Fault("out_of_scale", field=name, value=_short(value))
    return value


def _boolean(name: str, value: Any, repairs: list[str]) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and fold(value) in {"true", "false"}:
        repairs.append("bool_from_string")
        return fold(value) == "true"
    raise Fault("wrong_type", field=name, value=_short(value))


def _enum(name: str, value: Any, spec: FieldSpec, repairs: list[str]) -> str | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Fault("wrong_type", field=name, value=_short(value))
    if isinstance(value, str):
        labels = tuple(label for label in spec.values if isinstance(label, str))
        if (label := to_label(value, labels, {}, repairs)) is not None:
            return label
        number = number_from_text(value)
        if number is None or number not in spec.values:
            raise Fault("unknown_label", field=name, value=_short(value))
        repairs.append("string_to_number")
        return number
    if value not in spec.values:
        raise Fault("unknown_label", field=name, value=_short(value))
    return value


def to_label(text: str, labels: tuple[str, ...], synonyms: Mapping[str, str], repairs: list[str]) -> str | None:
    """The label that a text is, all of it; None where it is none, or could be two.

    Letter case and final punctuation are forgiven; a label inside a longer word never counts.
    """
    for form in (text.strip(), text.strip(EDGE)):
        if form in labels:
            return form
    if _is_ornate(text):
        return None
    folded = fold(text.strip(EDGE)).strip(EDGE)
    near = {label for label in labels if fold(label).strip(EDGE) == folded}
    near |= {label for word, label in synonyms.items() if fold(word) == folded}
    if len(near) != 1:
        return None
    repairs.append("label_case")
    return near.pop()


def _object(name: str, value: Any, spec: FieldSpec, repairs: list[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Fault("wrong_type", field=name, value=_short(value))
    return read_fields(value, spec.fields, spec.required, repairs)


def _array(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Fault("wrong_type", field=name, value=_short(value))
    return value


def _text(name: str, value: Any, spec: FieldSpec, repairs: list[str]) -> str:
    if isinstance(value, str):
        return value
    if spec.type != "remark":
        raise Fault("wrong_type", field=name, value=_short(value))
    repairs.append(f"unwrapped:{name}")
    parts = value if isinstance(value, list) else [value]
    texts = [part if isinstance(part, str) else "" if part is None else json.dumps(part) for part in parts]
    return " ".join(text for text in texts if text)


def _short(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LARGEST_SHOWN:
        return f"a number of {len(str(abs(value)))} digits"
    return value if isinstance(value, bool | int | float) or value is None else str(value)[:80]
