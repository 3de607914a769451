"""The gate: may this version pass? Answers pass, fail or not evaluable, each with its reason.

Conditions are read by a small parser of our own: a name, a comparison, a number. Nothing a
user writes is ever evaluated as code. A gate that cannot know does not open.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, field_validator

from goldassay.analytics.models import Change, GateResult, GateState
from goldassay.analytics.models_reports import CheckComparison
from goldassay.analytics.sentences import counted, p_text
from goldassay.analytics.statistics import trials_for_gate, wilson_interval
from goldassay.errors import ConfigError
from goldassay.verdicts import Category

__all__ = [
    "Condition",
    "GateConfig",
    "evaluate_changes",
    "evaluate_conditions",
    "gate_of",
    "parse_condition",
    "rate_gate",
]

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
_ORDER = (GateState.FAIL, GateState.NOT_EVALUABLE, GateState.PASS)
SIGNIFICANT = 0.05
MIN_COMMON = 6
"""With fewer common questions even a break of every one is no evidence: two-sided p = 2 / 2^5 = 0.0625."""


class GateConfig(BaseModel):
    """What a version must not do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_drop: Annotated[float, Field(ge=0, le=1)] | None = None
    """Largest fall of a gate check's rate that is let through, e.g. 0.02; None: any proven regression fails."""
    fail_on: tuple[str, ...] = ()
    """Conditions that fail the gate, e.g. 'wrong_number>0', 'faithful<0.9', 'cites.broken>=3', 'errors>5%'."""
    min_questions: NonNegativeInt = MIN_COMMON
    """Common questions below which a check is not evaluable."""
    min_rate: Annotated[float, Field(ge=0, lt=1)] | None = None
    """Rate that the lower bound of the 95 % interval of every gate check must reach."""
    max_error_share: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Share of judge errors in the head above which a check is not evaluable: they leave the pairs unseen."""

    @field_validator("fail_on")
    @classmethod
    def _readable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            parse_condition(text)
        return value


class Condition(NamedTuple):
    """One parsed condition."""

    text: str
    name: str
    compare: str
    value: float


class _Finding(NamedTuple):
    condition: str
    state: GateState
    found: str


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


def rate_gate(passed: int, total: int, min_rate: float, *, name: str = "rate") -> GateResult:
    """Hold a pass rate against a minimum by the lower bound of its interval.

    Args:
        passed: Answers that passed.
        total: Answers graded, judge errors among them.
        min_rate: Rate the lower bound must reach.
        name: What the rate is of.

    Returns:
        Not evaluable when even a perfect result of so few answers could not pass.
    """
    return _result([_rate_finding(passed, total, min_rate, name)])


def _rate_finding(passed: int, total: int, min_rate: float, name: str) -> _Finding:
    condition, needed = f"{name} >= {min_rate:g} at the lower bound", trials_for_gate(min_rate)
    low = wilson_interval(passed, total).low
    found = f"{passed} of {total}, lower bound {low:.4f}"
    if low >= min_rate:
        return _Finding(condition, GateState.PASS, found)
    if total < needed and passed == total:
        return _Finding(
            condition, GateState.NOT_EVALUABLE, f"n too small for this gate (needs about {needed} of {needed})"
        )
    # With a failure among few answers more of them might still clear the gate; the rate itself tells which.
    if total < needed and passed >= min_rate * total:
        return _Finding(condition, GateState.NOT_EVALUABLE, f"{found}; n too small for this gate")
    return _Finding(condition, GateState.FAIL, found)


def gate_of(config: GateConfig, checks: Sequence[CheckComparison], metrics: Mapping[str, float]) -> GateResult:
    """Answer for a whole comparison.

    Args:
        config: What the version must not do.
        checks: Checks of the comparison; those that only warn are not held against it.
        metrics: Named figures for `fail_on`, see `evaluate_conditions`.

    Returns:
        The worst of all findings, with the reasons.
    """
    gates = [check for check in checks if check.severity == "gate"]
    rare = [check for check in gates if _is_rare(config, check)]
    if len(rare) == len(gates):
        rare = []  # with nothing else to go by, too few questions are no pass
    findings = [_rare_finding(config, c) if c in rare else _change_finding(config, c.overall) for c in gates]
    findings += [_errors_finding(config, check) for check in gates if check.head_rate is not None]
    if config.min_rate is not None:
        findings += [
            _rate_finding(c.head_rate.counts.passed, c.head_rate.counts.graded, config.min_rate, c.overall.check)
            for c in gates
            if c.head_rate is not None
        ]
    findings += _condition_findings(config.fail_on, metrics)
    if not gates:
        findings.append(_Finding("common questions", GateState.NOT_EVALUABLE, "no gate check has a common question"))
    return _result(findings)


def _is_rare(config: GateConfig, check: CheckComparison) -> bool:
    """Whether neither side has enough questions with it: one reference in a golden set must not shut the gate."""
    rates = (check.base_rate, check.head_rate)
    return all(rate is not None and rate.counts.graded < max(config.min_questions, 1) for rate in rates)


def _rare_finding(config: GateConfig, check: CheckComparison) -> _Finding:
    graded = max(rate.counts.graded for rate in (check.base_rate, check.head_rate) if rate is not None)
    found = f"left out: {counted(graded, 'question')} with it, needs {max(config.min_questions, 1)}"
    return _Finding(f"{check.overall.check} is too rare to judge by", GateState.PASS, found)


def evaluate_changes(config: GateConfig, changes: Iterable[Change]) -> GateResult:
    """Answer for tested changes alone, each taken as a gate check."""
    return _result([_change_finding(config, change) for change in changes])


def evaluate_conditions(conditions: Sequence[str], metrics: Mapping[str, float]) -> GateResult:
    """Answer for `fail_on` conditions alone, e.g. over one run.

    Args:
        conditions: As the user wrote them; each fails the gate when it holds.
        metrics: Named figures; a category that never came up counts 0.

    Returns:
        Fail when a condition holds.

    Raises:
        ConfigError: If a condition is unreadable, or names nothing that is known.
    """
    return _result(_condition_findings(conditions, metrics))


def _change_finding(config: GateConfig, change: Change) -> _Finding:
    allowed = config.max_drop
    condition = f"{change.check} may not fall" if allowed is None else f"{change.check} may fall by {allowed:g} at most"
    if change.common < max(config.min_questions, 1):
        found = f"{counted(change.common, 'common question')}, needs {max(config.min_questions, 1)}"
        return _Finding(condition, GateState.NOT_EVALUABLE, found)
    difference = change.difference or 0.0
    found = f"{_moved(difference)} on {counted(change.common, 'common question')}, p {p_text(change.p_adjusted)}"
    if difference >= -(allowed or 0.0):
        return _Finding(condition, GateState.PASS, found)
    if _is_proven(change):
        return _Finding(condition, GateState.FAIL, found)
    if allowed is None:
        return _Finding(condition, GateState.PASS, f"{found}: may be chance")
    more = f"; needs about {counted(change.needed, 'more question')}" if change.needed else ""
    return _Finding(condition, GateState.NOT_EVALUABLE, f"{found}: more than allowed, but may be chance{more}")


def _moved(difference: float) -> str:
    if not difference:
        return "it stayed as it was"
    return f"it {'fell' if difference < 0 else 'rose'} by {abs(difference):.2g}"


def _is_proven(change: Change) -> bool:
    p_value = change.p_adjusted if change.p_adjusted is not None else change.p_value
    return p_value is not None and p_value < SIGNIFICANT


def _errors_finding(config: GateConfig, check: CheckComparison) -> _Finding:
    counts = check.head_rate.counts if check.head_rate is not None else None
    errors, graded = (counts.errors, counts.graded) if counts is not None else (0, 0)
    condition = f"{check.overall.check} errors <= {config.max_error_share:.0%}"
    too_many = graded > 0 and errors / graded > config.max_error_share
    return _Finding(condition, GateState.NOT_EVALUABLE if too_many else GateState.PASS, f"{errors} of {graded}")


def _condition_findings(conditions: Sequence[str], metrics: Mapping[str, float]) -> list[_Finding]:
    return [_condition_finding(parse_condition(text), metrics) for text in conditions]


def _condition_finding(condition: Condition, metrics: Mapping[str, float]) -> _Finding:
    value = metrics.get(condition.name)
    if value is None:
        if condition.name not in set(Category) and condition.name.rpartition(".")[2] not in set(Category):
            raise ConfigError(_unknown_name(condition, metrics))
        value = 0.0
    if math.isnan(value):
        return _Finding(f"not {condition.text}", GateState.NOT_EVALUABLE, f"nothing of {condition.name} was graded")
    holds = _COMPARE[condition.compare](value, condition.value)
    state = GateState.FAIL if holds else GateState.PASS
    return _Finding(f"not {condition.text}", state, f"{condition.name} = {value:g}")


def _unknown_name(condition: Condition, metrics: Mapping[str, float]) -> str:
    known = sorted({*metrics, *Category})
    near = difflib.get_close_matches(condition.name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known[:12])}, ..."
    return f"condition {condition.text!r} names {condition.name!r}, which is no category, check or figure; {hint}"


def _result(findings: Sequence[_Finding]) -> GateResult:
    states = {finding.state for finding in findings}
    return GateResult(
        state=next((state for state in _ORDER if state in states), GateState.PASS),
        reasons=tuple(f"{f.condition}: {f.found}" for f in findings if f.state is not GateState.PASS),
        conditions=tuple((f.condition, f.state, f.found) for f in findings),
    )
