"""Judge against people, from labels drawn separately among the answers it passed and those it failed.

People's labels say, for each of the judge's two outcomes, how often people agree with it. Every figure of a
calibration follows from three numbers: these two shares, and how often the judge passes. Each is known with its
own uncertainty, which is carried into every figure by the delta method. Pure functions; what cannot be known is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from goldassay.analytics.statistics_agreement import CorrectedRate, rogan_gladen
from goldassay.analytics.statistics_rates import UNKNOWN_RATE, Interval, normal_quantile, wilson_from_rate

__all__ = ["AGREEMENT_UNKNOWN", "Estimate", "JudgeErrors", "JudgedClass", "corrected_by", "judge_errors"]

AGREEMENT_UNKNOWN = Interval(-1.0, 1.0)
_STEP = 1e-6
_Figure = Callable[[float, float, float], float | None]


class JudgedClass(NamedTuple):
    """Answers with one outcome of the judge, and what people said of some of them."""

    verdicts: int
    """Verdicts with this outcome in the runs that labels were drawn from."""
    weight: float
    """Answers of the log they stand for: the sum of their sampling weights."""
    people_pass: float | None
    """Share of the labelled ones that people pass, weighted; None without labels."""
    effective: float
    """Size of an evenly drawn set of labels that would know as much: (sum w)^2 / sum w^2."""


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float | None
    """None when the labels cannot tell."""
    interval: Interval
    effective: float = 0.0
    """Number of evenly drawn labels that would know as much; 0 when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeErrors:
    """How a judge errs, over all answers it stood before."""

    agreement: Estimate
    kappa: Estimate
    sensitivity: Estimate
    """Of the answers people pass, the share the judge passes."""
    specificity: Estimate
    """Of the answers people fail, the share the judge fails."""
    people: Estimate
    """Share of all these answers that people would pass."""


def judge_errors(passed: JudgedClass, failed: JudgedClass, *, level: float = 0.95) -> JudgeErrors:
    """Agreement, kappa, sensitivity and specificity of a judge over the whole log, not over the labels alone.

    Labels are drawn by the judge's outcome, so that its rare failures are seen often enough; counted as they
    come they would flatter one error rate and blacken the other. Each class is therefore weighted to its size.

    Args:
        passed: Answers the judge passed.
        failed: Answers the judge failed.
        level: Coverage in (0, 1).

    Returns:
        The figures; all unknown when a class that has verdicts has no label.

    Source: two-phase estimate: A. Tenenbein (1970), JASA 65(331); correction of error rates for what was chosen
    to be verified: C. B. Begg, R. A. Greenes (1983), Biometrics 39(1); interval of shares: Wilson on the effective
    size, as in `wilson_from_rate`; kappa: normal, which for evenly drawn labels is the variance of J. L. Fleiss,
    J. Cohen, B. S. Everitt (1969), Psychological Bulletin 72(5).
    """
    point = _point(passed, failed)
    if point is None:
        unknown = Estimate(None, UNKNOWN_RATE)
        kappa = Estimate(None, AGREEMENT_UNKNOWN)
        return JudgeErrors(agreement=unknown, kappa=kappa, sensitivity=unknown, specificity=unknown, people=unknown)
    sizes = (passed.effective, failed.effective, float(passed.verdicts + failed.verdicts))
    return JudgeErrors(
        agreement=_share(_agreement, point, sizes, level),
        kappa=_kappa_estimate(point, sizes, level),
        sensitivity=_share(_sensitivity, point, sizes, level),
        specificity=_share(_specificity, point, sizes, level),
        people=_share(_people, point, sizes, level),
    )


def corrected_by(passed: float, readable: float, errors: JudgeErrors, *, level: float = 0.95) -> CorrectedRate:
    """Pass rate people would have given, from a judge's rate and its known errors (see `rogan_gladen`).

    Args:
        passed: Answers the judge passed, effective counts of a weighted sample.
        readable: Answers it judged readable.
        errors: Its error rates, from labels.
        level: Coverage in (0, 1).
    """
    sensitivity, specificity = errors.sensitivity, errors.specificity
    if sensitivity.value is None or specificity.value is None:
        return CorrectedRate(None, UNKNOWN_RATE)
    return rogan_gladen(
        passed, readable, sensitivity=_counts(sensitivity), specificity=_counts(specificity), level=level
    )


def _counts(share: Estimate) -> tuple[float, float]:
    return (share.value or 0.0) * share.effective, share.effective


def _point(passed: JudgedClass, failed: JudgedClass) -> tuple[float, float, float] | None:
    """(people pass among passed, people pass among failed, the judge passes); None when it cannot be known."""
    for one in (passed, failed):
        if one.verdicts and one.people_pass is None:
            return None
    total = passed.weight + failed.weight
    if total <= 0:
        return None
    # A class without verdicts has weight zero, so any share will do for it.
    return passed.people_pass or 0.0, failed.people_pass or 0.0, passed.weight / total


def _agreement(by_pass: float, by_fail: float, judge: float) -> float:
    return judge * by_pass + (1 - judge) * (1 - by_fail)


def _people(by_pass: float, by_fail: float, judge: float) -> float:
    return judge * by_pass + (1 - judge) * by_fail


def _sensitivity(by_pass: float, by_fail: float, judge: float) -> float | None:
    people = _people(by_pass, by_fail, judge)
    return judge * by_pass / people if people > 0 else None


def _specificity(by_pass: float, by_fail: float, judge: float) -> float | None:
    people = 1 - _people(by_pass, by_fail, judge)
    return (1 - judge) * (1 - by_fail) / people if people > 0 else None


def _kappa(by_pass: float, by_fail: float, judge: float) -> float | None:
    people = _people(by_pass, by_fail, judge)
    chance = judge * people + (1 - judge) * (1 - people)
    return (_agreement(by_pass, by_fail, judge) - chance) / (1 - chance) if chance < 1 else None


def _share(figure: _Figure, point: tuple[float, float, float], sizes: Sequence[float], level: float) -> Estimate:
    value = figure(*point)
    if value is None:
        return Estimate(None, UNKNOWN_RATE)
    pulled = _pulled(point, sizes)
    at, variance = figure(*pulled), _variance(figure, pulled, sizes)
    if at is None or variance <= 0:
        return Estimate(value, Interval(value, value), sizes[2])  # it follows from the judge alone
    effective = at * (1 - at) / variance
    value = min(1.0, max(0.0, value))
    return Estimate(value, wilson_from_rate(value, effective, level=level), effective)


def _kappa_estimate(point: tuple[float, float, float], sizes: Sequence[float], level: float) -> Estimate:
    value = _kappa(*point)
    if value is None:
        return Estimate(None, AGREEMENT_UNKNOWN)
    half = normal_quantile(level) * math.sqrt(_variance(_kappa, _pulled(point, sizes), sizes))
    return Estimate(value, Interval(max(-1.0, value - half), min(1.0, value + half)))


def _pulled(point: Sequence[float], sizes: Sequence[float]) -> tuple[float, float, float]:
    """Shares of 0 and 1 moved inwards by half a label: three agreements of three are no proof of certainty."""
    first, second, third = (
        (share * size + 0.5) / (size + 1) if share in {0.0, 1.0} and size > 0 else share
        for share, size in zip(point, sizes, strict=True)
    )
    return first, second, third


def _variance(figure: _Figure, point: Sequence[float], sizes: Sequence[float]) -> float:
    """Delta method: squared slopes times the variances of the three independent shares."""
    total = 0.0
    for place, (share, size) in enumerate(zip(point, sizes, strict=True)):
        if size > 0:
            total += _slope(figure, point, place) ** 2 * share * (1 - share) / size
    return total


def _slope(figure: _Figure, point: Sequence[float], place: int) -> float:
    low, high = list(point), list(point)
    low[place] = max(0.0, point[place] - _STEP)
    high[place] = min(1.0, point[place] + _STEP)
    below, above = figure(*low), figure(*high)
    return 0.0 if below is None or above is None else (above - below) / (high[place] - low[place])
