"""Two versions on the same questions: is the difference real, how large may it be, what would it take to know.

Pure functions over counts and score differences. Questions readable on one side only are
left out by the caller; counting them as failures would turn judge trouble into a regression.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.special import bdtr

from goldassay.analytics.statistics_rates import (
    UNKNOWN_DIFFERENCE,
    Interval,
    normal_quantile,
    wilson_interval,
)

__all__ = [
    "Claim",
    "benjamini_hochberg",
    "claim_of",
    "mcnemar_exact",
    "newcombe_difference",
    "newcombe_paired_difference",
    "paired_bootstrap",
    "questions_needed",
]

Claim = Literal["regression", "improvement", "no_change", "cannot_tell"]

BOOTSTRAP_DRAWS = 2000
"""Enough for 95 % limits that repeat to about 2 % of their width (Efron and Tibshirani 1993, ch. 14)."""
_DRAWS_AT_ONCE = 1 << 22
"""Random indices held at once: 32 MB."""


def mcnemar_exact(broken: int, fixed: int, *, mid_p: bool = False) -> float:
    """Two-sided p-value that as many questions broke as were fixed by chance alone.

    Args:
        broken: Questions that passed in the base and fail in the head.
        fixed: Questions that failed in the base and pass in the head.
        mid_p: Count the observed table half: less cautious, closer to the nominal level.

    Returns:
        p in (0, 1]; 1 when no question changed.

    Raises:
        ValueError: If a count is negative.

    Source: Q. McNemar (1947), Psychometrika 12(2), exact binomial form; mid-p: Fagerland, Lydersen,
    Laake (2013), BMC Medical Research Methodology 13:91.
    """
    if broken < 0 or fixed < 0:
        raise ValueError(f"broken is {broken!r} and fixed is {fixed!r}; counts of questions are not negative")
    changed, fewer = broken + fixed, min(broken, fixed)
    if changed == 0:
        return 1.0
    p = min(1.0, 2.0 * float(bdtr(fewer, changed, 0.5)))
    return p - _binomial_half(fewer, changed) if mid_p else p


def _binomial_half(k: int, n: int) -> float:
    """P(X = k) for n fair coins, without overflow for large n."""
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for the number of tests: below 0.05 keeps false alarms under 5 % of the claims.

    Args:
        p_values: One per test, in any order, each in [0, 1].

    Returns:
        Adjusted p-values in the order given; an empty list for no test.

    Source: Y. Benjamini, Y. Hochberg (1995), J. Royal Statistical Society B 57(1).
    """
    adjusted = [0.0] * len(p_values)
    lowest = 1.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i], reverse=True)):
        lowest = min(lowest, p_values[index] * len(p_values) / (len(p_values) - rank))
        adjusted[index] = lowest
    return adjusted


def newcombe_difference(head: tuple[int, int], base: tuple[int, int], *, level: float = 0.95) -> Interval:
    """Interval for the difference of two rates on *different* questions.

    Args:
        head: (passed, total) of the head.
        base: (passed, total) of the base.
        level: Coverage in (0, 1).

    Returns:
        Interval for head - base in [-1, 1]; (-1, 1) when a side is empty.

    Source: R. G. Newcombe (1998), Statistics in Medicine 17(8), 873-890, method 10.
    """
    if head[1] == 0 or base[1] == 0:
        return UNKNOWN_DIFFERENCE
    p1, p2 = head[0] / head[1], base[0] / base[1]
    one, two = wilson_interval(*head, level=level), wilson_interval(*base, level=level)
    low = p1 - p2 - math.hypot(p1 - one.low, two.high - p2)
    high = p1 - p2 + math.hypot(one.high - p1, p2 - two.low)
    return Interval(low, high)


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

    Source: R. G. Newcombe (1998), Statistics in Medicine 17(22), 2635-2650, method 10.
    """
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


def paired_bootstrap(
    differences: Sequence[float], *, seed: int = 0, draws: int = BOOTSTRAP_DRAWS, level: float = 0.95
) -> Interval | None:
    """Percentile interval for the mean of per-question score differences, with a fixed seed.

    Args:
        differences: head - base for each common question.
        seed: Seed of the generator: the same data give the same interval.
        draws: Bootstrap samples.
        level: Coverage in (0, 1).

    Returns:
        Interval of the mean difference; None below two questions, where nothing can be resampled.

    Source: B. Efron, R. Tibshirani (1993), An Introduction to the Bootstrap, ch. 13.
    """
    if len(differences) < 2:
        return None
    values = np.asarray(differences, dtype=np.float64)
    generator = np.random.default_rng(seed)
    means = np.concatenate(
        [
            values[generator.integers(0, len(values), size=(size, len(values)))].mean(axis=1)
            for size in _batches(draws, len(values))
        ]
    )
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))


def _batches(draws: int, n: int) -> list[int]:
    """Sizes of the batches that keep memory flat whatever the number of questions."""
    size = max(1, min(draws, _DRAWS_AT_ONCE // n))
    return [min(size, draws - start) for start in range(0, draws, size)]


def questions_needed(discordant: float, difference: float, *, level: float = 0.95, power: float = 0.8) -> int | None:
    """Questions a paired comparison needs to show a difference of this size.

    Args:
        discordant: Share of questions that change either way, in [0, 1].
        difference: Change of the pass rate to be seen, |difference| <= discordant.
        level: 1 - the two-sided error of the first kind.
        power: Chance of seeing a difference that is there.

    Returns:
        Number of common questions in all; None when the difference is 0: no number shows it.

    Source: R. J. Connor (1987), Biometrics 43(1), 207-211, sample size for McNemar's test.
    """
    if difference == 0:
        return None
    discordant = max(discordant, abs(difference))
    # normal_quantile is two-sided: the one-sided quantile of `power` is that of level 2 * power - 1.
    alpha, beta = normal_quantile(level), normal_quantile(2 * power - 1)
    spread = alpha * math.sqrt(discordant) + beta * math.sqrt(discordant - difference**2)
    return math.ceil((spread / difference) ** 2)


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
