"""Decides pass or fail from the fields, by every way the contract gives; ways that disagree are no verdict."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from goldassay.judging.reply_contract import Contract, Fault

__all__ = ["decide", "holds"]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
_BARE = re.compile(r"\s*(not\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*")
_TERM = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(>=|<=|==|!=|>|<)\s*(.+?)\s*")
_JOINTS = re.compile(r"\s+(and|or)\s+")
_WORDS: dict[str, Any] = {"true": True, "false": False}


def decide(contract: Contract, values: Mapping[str, Any], label: str | None) -> bool | None:
    """Pass, fail, or None where the contract says nothing about it.

    Raises:
        Fault: 'contradictory' when the judge's own word and the stated rule disagree.
    """
    ways: list[bool] = []
    if isinstance(values.get(contract.pass_field), bool):
        ways.append(values[contract.pass_field])
    if contract.pass_rule:
        ways.append(holds(contract.pass_rule, values if label is None else {"label": label, **values}))
    if contract.pass_value and label is not None:
        ways.append(label in contract.pass_value)
    if len(set(ways)) > 1:
        raise Fault("contradictory")
    return ways[0] if ways else None


def holds(rule: str, values: Mapping[str, Any]) -> bool:
    """Whether a rule such as 'score >= 0.5 and not vague' holds; 'and' binds tighter than 'or'.

    Raises:
        ValueError: If the rule is not of that form: it comes from a contract, not from a reply.
        Fault: If a field it names was not given.
    """
    parts = _JOINTS.split(rule)
    result, group = False, _term(parts[0], values)
    for joint, term in zip(parts[1::2], parts[2::2], strict=True):
        value = _term(term, values)
        result, group = (result or group, value) if joint == "or" else (result, group and value)
    return result or group


def _term(text: str, values: Mapping[str, Any]) -> bool:
    if bare := _BARE.fullmatch(text):
        return _claim(bare[2], values) is not bool(bare[1])
    found = _TERM.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not of the form 'field >= 0.5'")
    name, sign, literal = found.groups()
    if name not in values:
        raise Fault("missing_field", missing=[name])
    try:
        return _COMPARE[sign](values[name], _literal(literal))
    except TypeError as error:
        raise Fault("wrong_type", field=name) from error


def _claim(name: str, values: Mapping[str, Any]) -> bool:
    if name not in values:
        raise Fault("missing_field", missing=[name])
    value = values[name]
    if not isinstance(value, bool):
        raise Fault("wrong_type", field=name)
    return value


def _literal(text: str) -> Any:
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    try:
        return float(text)
    except ValueError:
        return text.strip("'\"")
