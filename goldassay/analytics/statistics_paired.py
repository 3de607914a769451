"""Two versions on the same questions: is the difference real, how large may it be, what would it take to know.

Pure functions over counts. Questions readable on one side only are
left out by the caller; counting them as failures would turn judge trouble into a regression.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist
from typing import Literal

from goldassay.analytics.statistics_rates import (
    UNKNOWN_DIFFERENCE,
    Interval,
    normal_quantile,
    wilson_interval,
)

__all__ = [
    "Claim",
    "adjusted_among_able",
    "benjamini_hochberg",
    "claim_of",
    "mcnemar_exact",
    "more_questions",
    "newcombe_paired_difference",
    "questions_needed",
]

Claim = Literal["regression", "improvement", "no_change", "cannot_tell"]


def mcnemar_exact(broken: int, fixed: int) -> float:
    """Two-sided p-value that as many questions broke as were fixed by chance alone.

    Args:
        broken: Questions that passed in the base and fail in the head.
        fixed: Questions that failed in the base and pass in the head.

    Returns:
        p in (0, 1]; 1 when no question changed.

    Raises:
        ValueError: If a count is negative.

    Source: Q. McNemar (1947), Psychometrika 12(2), exact binomial form.
    """
    if broken < 0 or fixed < 0:
        raise ValueError(f"broken is {broken!r} and fixed is {fixed!r}; counts of questions are not negative")
    changed, fewer = broken + fixed, min(broken, fixed)
    if changed == 0:
        return 1.0
    from scipy.special import bdtr  # noqa: PLC0415 - a third of a second that `goldassay check` must not pay

    return min(1.0, 2.0 * float(bdtr(fewer, changed, 0.5)))


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values adjusted for the number of tests: below 0.05 keeps false alarms under 5 % of the claims.

    Args:
        p_values: One per test, in any order, each in [0, 1]; None for a test that could not be made.

    Returns:
        Adjusted p-values in the order given; an empty list for no test. A test that was not made
        stays None and does not count among the many.

    Raises:
        ValueError: If a p-value is outside [0, 1] or not a number.

    Source: Y. Benjamini, Y. Hochberg (1995), J. Royal Statistical Society B 57(1).
    """
    made = {index: p for index, p in enumerate(p_values) if p is not None}
    if not all(0 <= p <= 1 for p in made.values()):
        raise ValueError(f"p-values are {list(made.values())!r}; each must lie in [0, 1]")
    adjusted: list[float | None] = [None] * len(p_values)
    lowest = 1.0
    for rank, index in enumerate(sorted(made, key=made.__getitem__, reverse=True)):
        lowest = min(lowest, made[index] * len(made) / (len(made) - rank))
        adjusted[index] = lowest
    return adjusted


def adjusted_among_able(tests: Sequence[tuple[float, int]], *, level: float = 0.95) -> list[float]:
    """P-values of many paired tests, adjusted among those that could show anything at all.

    A table with fewer than six changed questions cannot reach 0.05 however they fall. Counting
    such tests among the many would drown a real regression in checks where nothing happened.

    Args:
        tests: (p-value, questions that changed either way) of each check or stratum.
        level: 1 - the share of false claims allowed.

    Returns:
        Adjusted p-values in the order given; a table that cannot reach 1 - level keeps its own p.

    Source: P. B. Gilbert (2005), Applied Statistics 54(1), 143-158, false discovery rate for discrete data;
    the procedure itself as `benjamini_hochberg`.
    """
    p_values = [p_value for p_value, _ in tests]
    able = [index for index, (_, changed) in enumerate(tests) if mcnemar_exact(changed, 0) < 1 - level]
    for index, adjusted in zip(able, benjamini_hochberg([p_values[index] for index in able]), strict=True):
        p_values[index] = p_values[index] if adjusted is None else adjusted
    return p_values


def newcombe_paired_difference(
    both_pass: int, broken: int, fixed: int, both_fail: int, *, level: float = 0.95
) -> Interval:
    """Interval for the change of a pass rate on the *same* questions.

    Args:
        both_pass: Questions that pass on both sides.
        broken: Pass in the base, fail in the head.
        fixed: Fail in the base, pass in the head.
        both_fail: Fail on both sides.
        level: Coverage in (0, 1).

    Returns:
        Interval for head - base in [-1, 1]; (-1, 1) without a question.

    Raises:
        ValueError: If a count is negative.

    Source: R. G. Newcombe (1998), Statistics in Medicine 17(22), 2635-2650, method 10.
    """
    if min(both_pass, broken, fixed, both_fail) < 0:
        raise ValueError(f"counts are {(both_pass, broken, fixed, both_fail)!r}; counts of questions are not negative")
    n = both_pass + broken + fixed + both_fail
    if n == 0:
        return UNKNOWN_DIFFERENCE
    head, base = (both_pass + fixed) / n, (both_pass + broken) / n
    one, two = wilson_interval(both_pass + fixed, n, level=level), wilson_interval(both_pass + broken, n, level=level)
    phi = _paired_correlation(both_pass, broken, fixed, both_fail)
    low = _root(head - one.low, two.high - base, phi)
    high = _root(one.high - head, base - two.low, phi)
    return Interval(head - base - low, head - base + high)


def _root(one: float, two: float, phi: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * phi * one * two + two * two))


def _paired_correlation(both_pass: int, broken: int, fixed: int, both_fail: int) -> float:
    """Correlation of the two sides, with Newcombe's correction for positive association."""
    margins = (both_pass + broken) * (fixed + both_fail) * (both_pass + fixed) * (broken + both_fail)
    if margins == 0:
        return 0.0
    product = both_pass * both_fail - broken * fixed
    if product > 0:
        product = max(product - (both_pass + broken + fixed + both_fail) / 2, 0)  # type: ignore[assignment]  # half an integer
    return product / math.sqrt(margins)


def questions_needed(discordant: float, difference: float, *, level: float = 0.95, power: float = 0.8) -> int | None:
    """Questions a paired comparison needs to show a difference of this size.

    Args:
        discordant: Share of questions that change either way, in [0, 1].
        difference: Change of the pass rate to be seen, |difference| <= discordant.
        level: 1 - the two-sided error of the first kind.
        power: Chance of seeing a difference that is there.

    Returns:
        Number of common questions in all; None when the difference is 0: no number shows it.

    Raises:
        ValueError: If level or power is outside (0, 1).

    Source: R. J. Connor (1987), Biometrics 43(1), 207-211, sample size for McNemar's test.
    """
    if not 0 < power < 1:
        raise ValueError(f"power is {power!r}; give a chance between 0 and 1, such as 0.8")
    if difference == 0:
        return None
    discordant = max(discordant, abs(difference))
    alpha, beta = normal_quantile(level), NormalDist().inv_cdf(power)
    spread = alpha * math.sqrt(discordant) + beta * math.sqrt(discordant - difference**2)
    return math.ceil((spread / difference) ** 2)


def more_questions(
    common: int, broken: int, fixed: int, *, margin: float = 0.05, level: float = 0.95, power: float = 0.8
) -> int:
    """About how many more common questions would settle a comparison that cannot tell.

    Settled is: the difference seen so far is shown to be real, or a change of `margin` is excluded,
    whichever takes fewer. The share of questions that change is taken from the data, with one
    imagined change more, since none seen among few is no proof of none.

    Args:
        common: Questions judged on both sides so far.
        broken: Of these, broken.
        fixed: Of these, fixed.
        margin: Smallest change that matters.
        level: 1 - the error of the first kind.
        power: Chance of seeing what is there.

    Returns:
        At least 1.

    Source: as `questions_needed`; exclusion by the interval that `claim_of` looks at, with one imagined change.
    """
    discordant = (broken + fixed + 1) / (common + 2)
    difference = (fixed - broken) / common if common else 0.0
    ways = [questions_needed(discordant, difference, level=level, power=power)]
    if abs(difference) < margin:
        spread = max(discordant - difference**2, 0.0)
        normal = math.ceil(normal_quantile(level) ** 2 * spread / (margin - abs(difference)) ** 2)
        # With no change seen the normal interval has no width left; the one that decides still has.
        ways.append(max(normal, _unchanged_needed(margin, level)) if broken == fixed == 0 else normal)
    return max(1, min(way for way in ways if way is not None) - common)


@cache
def _unchanged_needed(margin: float, level: float) -> int:
    """Questions of which none changed that exclude a change of `margin`; all of them pass."""
    low, high = 1, 1
    while newcombe_paired_difference(high, 0, 0, 0, level=level).low <= -margin:
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        excluded = newcombe_paired_difference(middle, 0, 0, 0, level=level).low > -margin
        low, high = (low, middle) if excluded else (middle + 1, high)
    return high


def claim_of(difference: float | None, interval: Interval, p_value: float | None, *, margin: float = 0.05) -> Claim:
    """What the data bear out: a change, no change that matters, or neither.

    Args:
        difference: head - base on the common questions; None without one.
        interval: Interval of the difference.
        p_value: Of the paired test, adjusted for the number of tests.
        margin: Smallest drop that matters.

    Returns:
        'regression' or 'improvement' when p < 0.05; else 'no_change' when the interval excludes
        changes of `margin` either way; else 'cannot_tell'.
    """
    if difference is None or p_value is None:
        return "cannot_tell"
    if p_value < 0.05:
        return "regression" if difference < 0 else "improvement"
    return "no_change" if -margin < interval.low and interval.high < margin else "cannot_tell"
