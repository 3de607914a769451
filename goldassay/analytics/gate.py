"""The gate: may this version pass? Answers pass, fail or not evaluable, each with its reason.

Whole answers are held to it as well as single checks: breaks spread thinly over several checks
prove nothing in any of them, and yet the answers got worse. A gate that cannot know does not open.
Knows nothing of where the figures come from, nor of the words of reports (`gate_words`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, field_validator

from goldassay.analytics.conditions import Finding, condition_findings, parse_condition
from goldassay.analytics.coverage import Coverage, coverage_finding
from goldassay.analytics.models import Change, GateResult, GateState, RateSummary
from goldassay.analytics.models_reports import CheckComparison
from goldassay.analytics.sentences import counted, flips_text, p_words
from goldassay.analytics.statistics import trials_for_gate

__all__ = ["WHOLE", "GateConfig", "gate_of", "rate_finding"]

WHOLE = "whole answers"
"""Name of the condition on answers that pass every gate check."""

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
    """Share of judge errors in the head above which a check is not evaluable: they leave the pairs unseen. Of a golden
    run, also the share of golden questions without an answer above which the whole gate is not."""

    @field_validator("fail_on")
    @classmethod
    def _readable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            parse_condition(text)
        return value


def rate_finding(rate: RateSummary, min_rate: float, name: str) -> Finding:
    """Hold a pass rate against a minimum by the lower bound of the interval that reports show.

    Args:
        rate: The rate; verdicts that repeat each other, or stand for different numbers of answers, prove less.
        min_rate: Rate the lower bound must reach.
        name: What the rate is of.

    Returns:
        Not evaluable when even a perfect result of so few answers could not pass.
    """
    condition = f"{name} >= {min_rate:g} at the lower bound"
    passed, total = rate.counts.passed, rate.counts.graded
    if rate.shown is None:
        return Finding(condition, GateState.NOT_EVALUABLE, "no answer was graded; 0 of 0 is no rate")
    if min_rate >= 1:
        # A lower bound never reaches 1, so a perfect result proves nothing, and any other disproves it.
        state = GateState.NOT_EVALUABLE if passed == total else GateState.FAIL
        return Finding(condition, state, f"{passed} of {total}; no number of answers proves a rate of 1")
    needed, low = trials_for_gate(min_rate), rate.shown_interval.low
    found = f"{passed} of {total}{_worth(rate)}, lower bound {low:.4f}"
    if low >= min_rate:
        return Finding(condition, GateState.PASS, found)
    is_small = round(rate.effective_n, 6) < needed
    if is_small and passed == total:
        small = f"n too small for this gate (needs about {needed} of {needed}){_worth(rate)}"
        return Finding(condition, GateState.NOT_EVALUABLE, small)
    # With a failure among few answers more of them might still clear the gate; the rate itself tells which.
    if is_small and rate.shown >= min_rate:
        return Finding(condition, GateState.NOT_EVALUABLE, f"{found}; n too small for this gate")
    return Finding(condition, GateState.FAIL, found)


def _worth(rate: RateSummary) -> str:
    """How many even, independent verdicts would tell as much, where it is another number."""
    worth = round(rate.effective_n)
    return "" if worth == rate.counts.graded else f"; worth {worth} independent ones"


def gate_of(
    config: GateConfig,
    checks: Sequence[CheckComparison],
    metrics: Mapping[str, float],
    *,
    answers: Change | None = None,
    other_measure: Collection[str] = (),
    coverage: Coverage | None = None,
) -> GateResult:
    """Answer for a whole comparison.

    Args:
        config: What the version must not do.
        checks: Checks of the comparison; those that only warn are not held against it.
        metrics: Named figures for `fail_on`, see `metrics_of`.
        answers: The change of answers that pass every gate check; its p-value stands alone.
        other_measure: Checks graded on the two sides by different judges, rubrics or rule versions: no change
            of theirs can be told from the measure's own.
        coverage: Golden questions that the head was put and has answered; None: it is no golden run.

    Returns:
        The worst of all findings, with the reasons; whole answers first, or the golden questions where too few of
        them were answered to tell.
    """
    gates = [check for check in checks if check.severity == "gate"]
    rare = [check for check in gates if _is_rare(config, check)]
    if len(rare) == len(gates):
        rare = []  # with nothing else to go by, too few questions are no pass
    findings = [] if answers is None else [_whole_finding(config, answers, gates, other_measure)]
    findings += [_rare_finding(config, c) if c in rare else _check_finding(config, c, other_measure) for c in gates]
    findings += [_errors_finding(config, check) for check in gates if check.head_rate is not None]
    findings += _rate_findings(config, gates)
    findings += condition_findings(config.fail_on, metrics)
    if not gates:
        findings.append(Finding("common questions", GateState.NOT_EVALUABLE, "no gate check has a common question"))
    return _result(findings) if coverage is None else _covered(config, findings, coverage)


def _covered(config: GateConfig, findings: Sequence[Finding], coverage: Coverage) -> GateResult:
    """The golden questions come first where they decide; what failed on a few questions has failed all the same."""
    finding = coverage_finding(coverage, config.max_error_share)
    has_failed = any(one.state is GateState.FAIL for one in findings)
    if finding.state is GateState.PASS or has_failed:
        return _result([*findings, finding])
    needed = coverage.needed(config.max_error_share)
    words = f"only {coverage.answered} of {counted(coverage.asked, 'golden question')} answered, {needed} needed"
    return replace(_result([finding, *findings]), unanswered=words)


def _whole_finding(
    config: GateConfig, answers: Change, gates: Sequence[CheckComparison], other_measure: Collection[str]
) -> Finding:
    names = [gate.overall.check for gate in gates if gate.overall.check in other_measure and gate.overall.common]
    if names:
        return _measure_finding(config, WHOLE, f"{', '.join(names)}: graded")
    return _change_finding(config, answers, name=WHOLE)


def _check_finding(config: GateConfig, check: CheckComparison, other_measure: Collection[str]) -> Finding:
    if check.overall.check in other_measure and check.overall.common:
        return _measure_finding(config, check.overall.check, "graded")
    return _change_finding(config, check.overall)


def _measure_finding(config: GateConfig, name: str, graded: str) -> Finding:
    found = f"{graded} otherwise in the base (another judge, rubric or rule version); grade both sides alike first"
    return Finding(_allowed(config, name), GateState.NOT_EVALUABLE, found)


def _rate_findings(config: GateConfig, gates: Sequence[CheckComparison]) -> list[Finding]:
    if config.min_rate is None:
        return []
    return [
        rate_finding(check.head_rate, config.min_rate, check.overall.check)
        for check in gates
        if check.head_rate is not None
    ]


def _is_rare(config: GateConfig, check: CheckComparison) -> bool:
    """Whether no side has enough questions with it: one reference in a golden set must not shut the gate."""
    rates = [rate for rate in (check.base_rate, check.head_rate) if rate is not None]
    return bool(rates) and all(rate.counts.graded < max(config.min_questions, 1) for rate in rates)


def _rare_finding(config: GateConfig, check: CheckComparison) -> Finding:
    graded = max(rate.counts.graded for rate in (check.base_rate, check.head_rate) if rate is not None)
    found = f"left out: {counted(graded, 'question')} with it, needs {max(config.min_questions, 1)}"
    return Finding(f"{check.overall.check} is too rare to judge by", GateState.PASS, found)


def _allowed(config: GateConfig, name: str) -> str:
    return f"{name} may not fall" if config.max_drop is None else f"{name} may fall by {config.max_drop:g} at most"


def _change_finding(config: GateConfig, change: Change, *, name: str | None = None) -> Finding:
    condition = _allowed(config, name or change.check)
    if change.common < max(config.min_questions, 1):
        found = f"{counted(change.common, 'common question')}, needs {max(config.min_questions, 1)}"
        if not change.common:
            found = "a gate check of the base that graded no answer of the head as one"
        return Finding(condition, GateState.NOT_EVALUABLE, found)
    if change.is_looked_up:
        found = "every common question was judged for what was known of it, none drawn by chance; judge all of them"
        return Finding(condition, GateState.NOT_EVALUABLE, found)
    difference = change.difference or 0.0
    found = f"{_moved(change)}, {p_words(change)}"
    if difference >= -(config.max_drop or 0.0):
        return Finding(condition, GateState.PASS, found)
    if _is_proven(change):
        return Finding(condition, GateState.FAIL, found)
    if config.max_drop is None:
        return Finding(condition, GateState.PASS, f"{found}: may be chance", doubt=name or change.check)
    more = f"; needs about {counted(change.needed, 'more question')}" if change.needed else ""
    return Finding(condition, GateState.NOT_EVALUABLE, f"{found}: more than allowed, but may be chance{more}")


def _moved(change: Change) -> str:
    difference = change.difference or 0.0
    if not difference:
        return f"it stayed as it was on {counted(change.common, 'common question')}"
    moved = f"it {'fell' if difference < 0 else 'rose'} by {abs(difference):.2g}"
    return f"{moved} on {counted(change.common, 'common question')} ({flips_text(change)})"


def _is_proven(change: Change) -> bool:
    p_value = change.p_adjusted if change.p_adjusted is not None else change.p_value
    return p_value is not None and p_value < SIGNIFICANT


def _errors_finding(config: GateConfig, check: CheckComparison) -> Finding:
    counts = check.head_rate.counts if check.head_rate is not None else None
    errors, graded = (counts.errors, counts.graded) if counts is not None else (0, 0)
    condition = f"{check.overall.check} errors <= {config.max_error_share:.0%}"
    too_many = graded > 0 and errors / graded > config.max_error_share
    return Finding(condition, GateState.NOT_EVALUABLE if too_many else GateState.PASS, f"{errors} of {graded}")


def _result(findings: Sequence[Finding]) -> GateResult:
    states = {finding.state for finding in findings}
    return GateResult(
        state=next((state for state in _ORDER if state in states), GateState.PASS),
        reasons=tuple(f"{f.condition}: {f.found}" for f in findings if f.state is not GateState.PASS),
        conditions=tuple((f.condition, f.state, f.found) for f in findings),
        doubts=tuple(f.doubt for f in findings if f.doubt),
    )
