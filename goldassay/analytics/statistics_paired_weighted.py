"""Two versions on the same questions when these were sampled with unequal chances.

Questions that failed last night are judged again for certain, the others by chance. Counted one by one, the pairs
then hold nearly every question that was fixed and few of those that broke: a night in which nothing changed looks
like progress. Each pair therefore stands for as many questions of the log as the inverse of its chance to be seen.
Pure functions over counts; with even chances they give the exact test and interval of `statistics_paired`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from goldassay.analytics.statistics_paired import mcnemar_exact, newcombe_paired_difference
from goldassay.analytics.statistics_rates import Interval, normal_quantile

__all__ = ["PairTable", "PairedChange", "paired_change"]

_MOST_Z = 6.0
"""Deviates beyond which a p-value (2e-9) is only ever shown as 'below 0.001'."""
_HALVINGS = 24
"""Of the interval that holds the deviate: 4e-7 is finer than any figure shown."""


class PairTable(NamedTuple):
    """Questions by their outcome on both sides."""

    both_pass: int
    broken: int
    fixed: int
    both_fail: int

    @property
    def common(self) -> int:
        """Questions judged readable on both sides."""
        return sum(self)

    @property
    def difference(self) -> float:
        """Rate of the head minus rate of the base."""
        return (self.fixed - self.broken) / self.common


class PairedChange(NamedTuple):
    """A change of the pass rate on common questions."""

    base_rate: float
    head_rate: float
    difference: float
    """head - base."""
    interval: Interval
    p_value: float
    discordant: float
    """Share of the questions that changed either way."""


def paired_change(
    cells: Mapping[float, PairTable], *, rules: PairTable | None = None, level: float = 0.95
) -> PairedChange:
    """Change of the pass rate among the questions that the pairs stand for, with its interval and p-value.

    The interval adds up those of the cells (their differences are independent) and what chance does to their sizes;
    the p-value belongs to the level at which it would just hold zero. Fewer than six changed questions prove nothing
    here either: p is no smaller than the exact test could give for so many.

    Args:
        cells: Table by weight, the inverse of the chance that such a pair is seen; at least one question in all.
        rules: Of whole answers, what the rules alone say of every common question. The cells then tell which answers
            the judge alone failed, and both changes add up to that of the answers; p is the better one of the whole's
            and the rules' own, doubled.
        level: Coverage in (0, 1).

    Returns:
        The change; with one weight for all exactly McNemar's test and Newcombe's interval.

    Source: G. Y. Zou, W. Huang, X. Zhang (2009), Computational Statistics and Data Analysis 53(4), 1080-1085, method
    of variance estimates recovery for a sum of differences; within a cell as `newcombe_paired_difference`. Sizes of
    the cells: linearised ratio as in Sarndal, Swensson, Wretman (1992), ch. 5.6, with (1 - 1/weight) for what is
    drawn by chance. Rules beside a sample: the difference estimator, ibid. ch. 6.
    """
    known = {weight: table for weight, table in cells.items() if table.common}
    if len(known) == 1 and rules is None:
        return _even(next(iter(known.values())), level)
    groups = [known] if rules is None else [known, {1.0: rules}]
    sums = [_rates(group) for group in groups]
    base, head = (sum(rates[side] for rates in sums) - (len(sums) - 1) for side in (0, 1))
    p_value = _p_value(groups) if rules is None else _either(_p_value(groups), rules, head - base)
    discordant = sum(rates[2] for rates in sums)
    return PairedChange(base, head, head - base, _interval(groups, normal_quantile(level)), p_value, discordant)


def _either(whole: float, rules: PairTable, difference: float) -> float:
    """Of two tests, of the whole and of the rules that saw every question, the smaller p times two (Bonferroni).

    A sample knows little of the judge's part; that must not hide what the rules prove, where the whole moved with them.
    """
    alone = mcnemar_exact(rules.broken, rules.fixed) if rules.common and rules.difference * difference > 0 else 1.0
    return min(1.0, 2 * min(whole, alone))


def _even(table: PairTable, level: float) -> PairedChange:
    base, head, discordant = _rates({1.0: table})
    interval = newcombe_paired_difference(*table, level=level)
    return PairedChange(base, head, table.difference, interval, mcnemar_exact(table.broken, table.fixed), discordant)


def _rates(cells: Mapping[float, PairTable]) -> tuple[float, float, float]:
    """Weighted shares that pass in the base, pass in the head, and changed."""
    total = math.fsum(weight * table.common for weight, table in cells.items())

    def share(one: int, two: int) -> float:
        return math.fsum(weight * (table[one] + table[two]) for weight, table in cells.items()) / total

    return share(0, 1), share(0, 2), share(1, 2)


def _interval(groups: Sequence[Mapping[float, PairTable]], z: float) -> Interval:
    level = math.erf(z / math.sqrt(2))
    whole = below = above = 0.0
    for cells in groups:
        total = math.fsum(weight * table.common for weight, table in cells.items())
        difference = math.fsum(weight * (table.fixed - table.broken) for weight, table in cells.items()) / total
        whole += difference
        for weight, table in cells.items():
            share, own = weight * table.common / total, newcombe_paired_difference(*table, level=level)
            sizes = (z * share * (table.difference - difference)) ** 2 * max(0.0, 1 - 1 / weight) / table.common
            below += (share * (table.difference - own.low)) ** 2 + sizes
            above += (share * (own.high - table.difference)) ** 2 + sizes
    return Interval(max(-1.0, whole - math.sqrt(below)), min(1.0, whole + math.sqrt(above)))


def _p_value(groups: Sequence[Mapping[float, PairTable]]) -> float:
    changed = sum(table.broken + table.fixed for cells in groups for table in cells.values())
    low, high = 0.0, _MOST_Z
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        interval = _interval(groups, middle)
        low, high = (low, middle) if interval.low <= 0 <= interval.high else (middle, high)
    return max(math.erfc(low / math.sqrt(2)), mcnemar_exact(changed, 0))
