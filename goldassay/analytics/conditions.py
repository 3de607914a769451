"""Conditions a user writes for the gate: a name, a comparison, a number, held against named figures.

Read by a small parser of our own; nothing a user writes is ever evaluated as code.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from goldassay.analytics.models import GateState
from goldassay.errors import ConfigError
from goldassay.verdicts import Category

__all__ = ["Condition", "Finding", "condition_findings", "parse_condition"]

_CONDITION = re.compile(
    r"([A-Za-z_][\w.-]{0,99})\s{0,9}(>=|<=|==|!=|>|<|=)\s{0,9}(-?\d{1,12}(?:\.\d{1,12})?)\s{0,9}(%?)"
)
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
}


class Condition(NamedTuple):
    """One parsed condition."""

    text: str
    name: str
    compare: str
    value: float


class Finding(NamedTuple):
    """What one condition of a gate came to."""

    condition: str
    state: GateState
    found: str
    doubt: str = ""
    """What fell, where the condition holds only because that may be chance."""


def parse_condition(text: str) -> Condition:
    """Read 'name > number'; a number may be a percentage.

    Args:
        text: As the user wrote it.

    Returns:
        The parts; '5%' is 0.05.

    Raises:
        ConfigError: If it is anything else.
    """
    match = _CONDITION.fullmatch(text.strip())
    if match is None:
        raise ConfigError(
            f"cannot read the condition {text[:80]!r}; write a name, one of > >= < <= == != and a number, "
            "e.g. 'wrong_number>0' or 'faithful<0.9'."
        )
    name, compare, number, percent = match.groups()
    return Condition(text.strip(), name, compare, float(number) / (100 if percent else 1))


def condition_findings(conditions: Sequence[str], metrics: Mapping[str, float]) -> list[Finding]:
    """Hold conditions against figures; each fails when it holds.

    Args:
        conditions: As the user wrote them.
        metrics: Named figures; a category that never came up counts 0.

    Raises:
        ConfigError: If one is unreadable, or names nothing that is known.
    """
    return [_condition_finding(parse_condition(text), metrics) for text in conditions]


def _condition_finding(condition: Condition, metrics: Mapping[str, float]) -> Finding:
    value = metrics.get(condition.name)
    if value is None:
        if condition.name not in set(Category) and condition.name.rpartition(".")[2] not in set(Category):
            raise ConfigError(_unknown_name(condition, metrics))
        value = 0.0
    if math.isnan(value):
        return Finding(f"not {condition.text}", GateState.NOT_EVALUABLE, f"nothing of {condition.name} was graded")
    holds = _COMPARE[condition.compare](value, condition.value)
    state = GateState.FAIL if holds else GateState.PASS
    return Finding(f"not {condition.text}", state, f"{condition.name} = {value:g}")


def _unknown_name(condition: Condition, metrics: Mapping[str, float]) -> str:
    known = sorted({*metrics, *Category})
    near = difflib.get_close_matches(condition.name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known[:12])}, ..."
    return f"condition {condition.text!r} names {condition.name!r}, which is no category, check or figure; {hint}"
