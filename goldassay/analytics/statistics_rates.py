"""Pass rates with honest intervals: plain, with judge errors, and weighted for sampling and repeats.

Pure functions over counts; nothing here knows runs, files or reports. Errors stay in the
denominator of the headline rate; what the truth may be beside them is told by `rate_bounds`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

__all__ = [
    "NO_COUNTS",
    "UNKNOWN_DIFFERENCE",
    "UNKNOWN_RATE",
    "Cell",
    "Counts",
    "Interval",
    "WeightedRate",
    "composite_score",
    "mean_bounds",
    "normal_quantile",
    "rate_bounds",
    "share_difference_p",
    "trials_for_gate",
    "weighted_rate",
    "wilson_from_rate",
    "wilson_interval",
]


class Interval(NamedTuple):
    """A closed interval; for rates inside [0, 1], for differences inside [-1, 1]."""

    low: float
    high: float


class Counts(NamedTuple):
    """How many verdicts ended how."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    unsure: int = 0

    @property
    def graded(self) -> int:
        """Denominator of the headline rate: an error is never a pass, a skip does not apply."""
        return self.passed + self.failed + self.errors

    @property
    def readable(self) -> int:
        """Verdicts that say pass or fail."""
        return self.passed + self.failed


class Cell(NamedTuple):
    """What is known of verdicts of equal weight: sums over clusters of answers that are not independent.

    A cluster is what repeats: the same question asked again under the same version, or a verdict
    reused because the very same request was paid for before. With a = weight of the cluster's
    passes and b = weight of all its graded verdicts:
    """

    clusters: int
    passed: float
    """Sum of a."""
    graded: float
    """Sum of b."""
    passed_sq: float
    """Sum of a^2."""
    cross: float
    """Sum of a * b."""
    graded_sq: float
    """Sum of b^2."""
    verdicts_sq: float
    """Sum over single verdicts of their weight squared; equals graded_sq when nothing repeats."""
    graded_share: float = 1.0
    """Of the verdicts drawn, the share that was graded: a check that does not apply to all answers meets as many of
    each stratum as chance gives it."""


class WeightedRate(NamedTuple):
    """A rate of the whole log, from a sample of it."""

    rate: float | None
    """None when nothing was graded."""
    interval: Interval
    effective_n: float
    """Independent, evenly drawn verdicts that would tell as much."""


UNKNOWN_RATE = Interval(0.0, 1.0)
"""Nothing is known of a rate."""
UNKNOWN_DIFFERENCE = Interval(-1.0, 1.0)
"""Nothing is known of a difference of rates."""
NO_COUNTS = Counts()
_MIN_CLUSTERS = 10
"""Below this the variance between clusters is itself too uncertain to shrink an interval with."""


def normal_quantile(level: float) -> float:
    """Two-sided normal quantile: 1.959964 for a level of 0.95.

    Args:
        level: Coverage in the open interval (0, 1).

    Returns:
        z such that a standard normal lies in [-z, z] with probability `level`.

    Raises:
        ValueError: If level is outside (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}; give a coverage between 0 and 1, such as 0.95")
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson_interval(passed: int, total: int, *, level: float = 0.95) -> Interval:
    """Score interval for a pass rate; honest for small counts and rates near 0 or 1.

    Args:
        passed: Verdicts with outcome PASS; 0 <= passed <= total.
        total: Judged answers, judge errors among them: an error is never a pass.
        level: Coverage in the open interval (0, 1).

    Returns:
        Bounds in [0, 1]; (0, 1) when total is 0, because nothing is known.

    Raises:
        ValueError: If passed > total or level is outside (0, 1).

    Source: E. B. Wilson (1927), JASA 22(158), equation for the score interval.
    """
    if not 0 <= passed <= total:
        raise ValueError(f"passed is {passed!r} of total {total!r}; a rate needs 0 <= passed <= total")
    return wilson_from_rate(passed / total if total else 0.0, total, level=level)


def wilson_from_rate(rate: float, n: float, *, level: float = 0.95) -> Interval:
    """Score interval for a rate known from `n` independent verdicts; `n` may be an effective size.

    Args:
        rate: Observed rate in [0, 1].
        n: Number of verdicts, or effective sample size; not negative.
        level: Coverage in the open interval (0, 1).

    Returns:
        Bounds in [0, 1]; (0, 1) when n is 0.

    Source: as `wilson_interval`; with an effective size as in Franco, Little, Louis, Slud (2019),
    J. Survey Statistics and Methodology 7(3), which finds it to cover best among simple choices.
    """
    z = normal_quantile(level)
    if n <= 0:
        return UNKNOWN_RATE
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # At 0 and 1 the bound is the rate itself; rounding must not leave 1e-17 or 0.9999999.
    low = 0.0 if rate <= 0 else max(0.0, centre - half)
    high = 1.0 if rate >= 1 else min(1.0, centre + half)
    return Interval(low, high)


def rate_bounds(passed: float, failed: float, errors: float) -> Interval:
    """Where the pass rate would lie had every judge error been readable.

    Args:
        passed: Verdicts (or their weight) that passed.
        failed: Verdicts that failed.
        errors: Verdicts that could not be read.

    Returns:
        (all errors failed, all errors passed); (0, 1) when nothing was graded.

    Source: C. F. Manski (1989), J. Human Resources 24(3): worst-case bounds under missing outcomes.
    """
    total = passed + failed + errors
    if total <= 0:
        return UNKNOWN_RATE
    return Interval(passed / total, (passed + errors) / total)


def share_difference_p(one: tuple[float, float], two: tuple[float, float]) -> float:
    """Chance of two shares lying so far apart although nothing changed; two-sided.

    Args:
        one: (share in [0, 1], number of verdicts); the number may be an effective size.
        two: As `one`, of other verdicts.

    Returns:
        The p-value; 1 when a side is empty or the shares are equal.

    Source: I. Campbell (2007), Statistics in Medicine 26(19), 3661-3675, the "N - 1" chi-squared test.
    """
    (share_one, n_one), (share_two, n_two) = one, two
    total = n_one + n_two
    if n_one <= 0 or n_two <= 0 or share_one == share_two:
        return 1.0
    pooled = (share_one * n_one + share_two * n_two) / total
    variance = pooled * (1 - pooled) * (1 / n_one + 1 / n_two) * total / max(total - 1, 1)
    return math.erfc(abs(share_one - share_two) / math.sqrt(2 * variance))


def mean_bounds(scores: Sequence[float], errors: int, *, scale: tuple[float, float] = (0.0, 1.0)) -> Interval:
    """Where the mean score would lie had every judge error been readable.

    Args:
        scores: Readable scores on the scale; one that is NaN or infinite could not be read either.
        errors: Number of scores that could not be read.
        scale: Lowest and highest score.

    Returns:
        (all errors at the bottom, all at the top); the whole scale when there is nothing.

    Source: as `rate_bounds`.
    """
    readable = [score for score in scores if math.isfinite(score)]
    total = len(scores) + errors
    if total == 0:
        return Interval(*scale)
    known, missing = math.fsum(readable), total - len(readable)
    return Interval((known + missing * scale[0]) / total, (known + missing * scale[1]) / total)


def composite_score(parts: Iterable[tuple[float, float | None]]) -> float | None:
    """Weighted mean of several checks' scores, or None as soon as one that counts is missing.

    Leaving the missing part out would let an answer pass on its rules alone; taking it as zero
    would fail an answer for the judge's trouble.

    Args:
        parts: (weight, score) pairs; score None when the check broke or was left out.

    Returns:
        The mean, or None when a part with weight above 0 has no (finite) score or no part counts.
    """
    counted = [(weight, score) for weight, score in parts if weight > 0]
    if not counted or any(score is None or not math.isfinite(score) for _, score in counted):
        return None
    total = math.fsum(weight for weight, _ in counted)
    return math.fsum(weight * score for weight, score in counted if score is not None) / total


def trials_for_gate(min_rate: float, *, level: float = 0.95) -> int:
    """How many answers are needed before a perfect result can clear a gate on the interval's lower bound.

    Args:
        min_rate: The gate in [0, 1).
        level: Coverage of the Wilson interval.

    Returns:
        The smallest n with wilson_interval(n, n).low >= min_rate: 35 for a gate of 0.9.

    Raises:
        ValueError: If min_rate is outside [0, 1): no number of answers proves a rate of 1.
    """
    if not 0 <= min_rate < 1:
        raise ValueError(f"min_rate is {min_rate!r}; a gate on a lower bound needs a rate from 0 up to, not at, 1")
    # The lower bound of n passes of n is n / (n + z^2); the nudge forgives rounding at whole numbers.
    return max(1, math.ceil(min_rate / (1 - min_rate) * normal_quantile(level) ** 2 - 1e-9))


def weighted_rate(cells: Iterable[Cell], *, level: float = 0.95) -> WeightedRate:
    """Pass rate of the whole log from a sample with unequal chances, strata and repeats.

    The rate is the ratio of weights (Hajek). Its variance is linearised within cells of equal
    weight, over clusters; the Wilson interval then runs on the effective sample size this variance
    amounts to. Of a check that skips answers, the cells' parts in the whole are chance as well.
    Where a cell shows no variation (all passed, or a single cluster), its variance is filled in
    from the pooled rate, since a cell of three passes is no proof of certainty.

    Args:
        cells: One per distinct weight (strata with equal chances may be merged).
        level: Coverage in the open interval (0, 1).

    Returns:
        Rate, interval and effective size; with weight 1 throughout and no repeats exactly
        the plain rate, Wilson interval and count.

    Source: J. Hajek (1971), comment in Foundations of Statistical Inference; variance: Sarndal,
    Swensson, Wretman (1992), Model Assisted Survey Sampling, ch. 5.6, 4.4 and 5.8 (ratio, clusters, domains);
    interval: Franco et al. (2019), see `wilson_from_rate`.
    """
    known = [cell for cell in cells if cell.graded > 0]
    graded = math.fsum(cell.graded for cell in known)
    if graded <= 0:
        return WeightedRate(None, UNKNOWN_RATE, 0.0)
    rate = min(1.0, max(0.0, math.fsum(cell.passed for cell in known) / graded))
    effective = _effective_size(known, graded)
    return WeightedRate(rate, wilson_from_rate(rate, effective, level=level), effective)


def _effective_size(cells: Sequence[Cell], graded: float) -> float:
    """p(1 - p) / variance, both from cell rates pulled a little towards the pooled rate."""
    pooled = _pulled(math.fsum(c.passed / (c.graded / c.clusters) for c in cells), sum(c.clusters for c in cells), 0.5)
    locals_ = [_pulled(cell.passed / (cell.graded / cell.clusters), cell.clusters, pooled) for cell in cells]
    centre = math.fsum(cell.graded / graded * local for cell, local in zip(cells, locals_, strict=True))
    variance = 0.0
    for cell, local in zip(cells, locals_, strict=True):
        within = _repeat_factor(cell) * local * (1 - local)
        variance += (within + _left_to_chance(cell) * (local - centre) ** 2) * cell.graded_sq / graded**2
    return centre * (1 - centre) / variance


def _left_to_chance(cell: Cell) -> float:
    """How far the cell's part in the graded verdicts is chance: not where all were graded, nor where all were drawn."""
    weight = cell.verdicts_sq / cell.graded
    return max(0.0, 1 - cell.graded_share) * max(0.0, 1 - 1 / weight)


def _pulled(passes: float, n: int, towards: float) -> float:
    """A rate with two extra observations (Agresti and Coull 1998), so it is never exactly 0 or 1."""
    return (passes + 2 * towards) / (n + 2)


def _repeat_factor(cell: Cell) -> float:
    """Variance between clusters, where 1 means that the verdicts of each cluster all agree.

    About 1 when each cluster holds one verdict; smaller when repeats disagree, but never less
    than what wholly independent verdicts would give.
    """
    rate = cell.passed / cell.graded
    within = rate * (1 - rate) * cell.graded_sq
    if within <= 0 or cell.clusters < _MIN_CLUSTERS:
        return 1.0
    between = cell.passed_sq - 2 * rate * cell.cross + rate * rate * cell.graded_sq
    return max(between / within, cell.verdicts_sq / cell.graded_sq)
