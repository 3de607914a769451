"""How far a judge agrees with people, with itself, and with the order of the answers; rates corrected for its mistakes.

Pure functions over labels and counts. What is undefined is None with a note, never 0 or 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, NamedTuple

from goldassay.analytics.statistics_rates import UNKNOWN_RATE, Interval, normal_quantile

__all__ = [
    "Agreement",
    "CorrectedRate",
    "PairwiseResult",
    "Repeats",
    "agreement",
    "cohen_kappa",
    "pairwise_result",
    "repeat_stability",
    "rogan_gladen",
]

_ROUNDING = 1e-9
"""Weighted counts are sums of fractions."""
ALWAYS_ONE = "judge never says {}"


class CorrectedRate(NamedTuple):
    """A pass rate corrected for the known mistakes of the judge."""

    rate: float | None
    """None when the judge is no better than chance: its verdicts carry no information."""
    interval: Interval
    outside: float | None = None
    """What the formula gave, where that lies outside [0, 1] and `rate` was cut to the nearer end; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Judge against people on the same answers."""

    n: int
    """Answers with a label on both sides."""
    left_out: int
    """Answers with a label on one side only."""
    agreement: float | None
    """Share of equal labels; None without labels."""
    kappa: float | None
    kappa_note: str
    recall: Mapping[str, float | None]
    """For each label: of the answers people gave it, the share the judge gave it too; None where people never did."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """The same answers judged several times."""

    scores: Mapping[str, float | None]
    """Median of the readable scores (the lower middle of an even number); None when none could be read."""
    unstable: tuple[str, ...]
    """Rows that both passed and failed, in the order given."""
    flip_rate: float | None
    """Unstable rows / rows with at least two readable scores; None without such a row."""


class PairwiseResult(NamedTuple):
    """Which of two answers won, when the judge saw both orders."""

    winner: str | None
    outcome: Literal["win", "tie", "error"]
    position_inconsistent: bool
    """True: each order gave another winner, so position decided."""


def _rated(people: Sequence[str | None], judge: Sequence[str | None]) -> list[tuple[str, str]]:
    """Pairs with a label on both sides: an answer that one side did not label tells nothing of agreement.

    Raises:
        ValueError: If the lists differ in length.
    """
    if len(people) != len(judge):
        raise ValueError(f"{len(people)} labels by people and {len(judge)} by the judge; pair them first")
    return [(one, two) for one, two in zip(people, judge, strict=True) if one is not None and two is not None]


def cohen_kappa(people: Sequence[str | None], judge: Sequence[str | None]) -> float | None:
    """Agreement beyond chance: 0 is what a judge without eyes would reach, 1 is perfect.

    Args:
        people: Labels by people; None where nobody gave one.
        judge: Labels by the judge, in the same order; None for a judge error. Such pairs are left out.

    Returns:
        Kappa in [-1, 1]; None when there is no label, or both used one and the same label only.

    Raises:
        ValueError: If the lists differ in length.

    Source: J. Cohen (1960), Educational and Psychological Measurement 20(1).
    """
    pairs = _rated(people, judge)
    n = len(pairs)
    by_people, by_judge = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    if n == 0 or len(by_people | by_judge) == 1:
        return None
    observed = sum(one == two for one, two in pairs) / n
    expected = sum(by_people[label] * by_judge[label] for label in by_people) / n**2
    return (observed - expected) / (1 - expected)


def agreement(people: Sequence[str | None], judge: Sequence[str | None]) -> Agreement:
    """Agreement with its traps shown: the base rate, and labels the judge never gives.

    Args:
        people: Labels by people; None where nobody gave one.
        judge: Labels by the judge, in the same order; None for a judge error. Such pairs are left out.

    Returns:
        Agreement, kappa, recall per label and warnings.
    """
    pairs = _rated(people, judge)
    kappa = cohen_kappa(people, judge)
    by_people, by_judge = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    hits = Counter(one for one, two in pairs if one == two)
    labels = sorted(by_people | by_judge)
    return Agreement(
        n=len(pairs),
        left_out=len(people) - len(pairs),
        agreement=sum(hits.values()) / len(pairs) if pairs else None,
        kappa=kappa,
        kappa_note=_kappa_note(len(pairs), kappa),
        recall={label: hits[label] / by_people[label] if by_people[label] else None for label in labels},
        warnings=tuple(ALWAYS_ONE.format(label) for label in labels if label not in by_judge),
    )


def _kappa_note(n: int, kappa: float | None) -> str:
    if kappa is not None:
        return ""
    return "undefined: one label only" if n else "undefined: no labels"


def rogan_gladen(
    passed: float,
    total: float,
    *,
    sensitivity: tuple[float, float],
    specificity: tuple[float, float],
    level: float = 0.95,
) -> CorrectedRate:
    """Pass rate people would have given, from the judge's rate and its mistakes on labelled answers.

    The interval carries three uncertainties: of the rate, and of both error rates of the judge.

    Args:
        passed: Answers the judge passed; may be effective counts of a weighted sample.
        total: Answers it judged readable.
        sensitivity: (judge passed too, people passed) on labelled answers; may be effective counts as well.
        specificity: (judge failed too, people failed) on labelled answers.
        level: Coverage in (0, 1).

    Returns:
        The corrected rate, cut to [0, 1] and said to be so: a judge that passes more than its sensitivity allows
        errs otherwise here than on the labelled answers, or by chance. Rate None and (0, 1) when the labels cannot
        tell the judge from a coin (sensitivity + specificity <= 1), or one of the classes has no label. The
        interval holds the rate, also where few labels pull the one of Lang and Reiczigel past it.

    Raises:
        ValueError: If a part is greater than its whole.

    Source: W. J. Rogan, B. Gladen (1978), American J. Epidemiology 107(1); interval: Z. Lang,
    J. Reiczigel (2014), Preventive Veterinary Medicine 113(1), 13-22.
    """
    for part, whole in ((passed, total), sensitivity, specificity):
        if not 0 <= part <= whole * (1 + _ROUNDING):
            raise ValueError(f"{part!r} of {whole!r} is no share; give a part and the whole it is of")
    if min(total, sensitivity[1], specificity[1]) <= 0:
        return CorrectedRate(None, UNKNOWN_RATE)
    power = sensitivity[0] / sensitivity[1] + specificity[0] / specificity[1] - 1
    if power <= 0:
        return CorrectedRate(None, UNKNOWN_RATE)
    found = (passed / total + specificity[0] / specificity[1] - 1) / power
    rate, outside = _cut(found), None if -_ROUNDING <= found <= 1 + _ROUNDING else found
    interval = _lang_reiczigel(passed, total, sensitivity, specificity, normal_quantile(level))
    return CorrectedRate(rate, Interval(min(interval.low, rate), max(interval.high, rate)), outside)


def _lang_reiczigel(
    passed: float, total: float, sensitivity: tuple[float, float], specificity: tuple[float, float], z: float
) -> Interval:
    n, n_sens, n_spec = total + z * z, sensitivity[1] + 2, specificity[1] + 2
    p, sens, spec = (passed + z * z / 2) / n, (sensitivity[0] + 1) / n_sens, (specificity[0] + 1) / n_spec
    if sens + spec <= 1:
        return UNKNOWN_RATE
    centre = (p + spec - 1) / (sens + spec - 1)
    of_sens, of_spec = sens * (1 - sens) / n_sens, spec * (1 - spec) / n_spec
    half = z * math.sqrt(p * (1 - p) / n + of_sens * centre**2 + of_spec * (1 - centre) ** 2) / (sens + spec - 1)
    shift = 2 * z * z * (centre * of_sens - (1 - centre) * of_spec)
    return Interval(_cut(centre + shift - half), _cut(centre + shift + half))


def _cut(rate: float) -> float:
    return min(1.0, max(0.0, rate))


def repeat_stability(scores: Mapping[str, Sequence[float | None]], *, pass_mark: float) -> Repeats:
    """Do repeated judgements of the same answer agree?

    Args:
        scores: For each row its scores, in order; None is a judge error.
        pass_mark: Score from which a row passes.

    Returns:
        Median score per row, the rows whose outcome flips, and their share.
    """
    readable = {row: [s for s in values if s is not None and math.isfinite(s)] for row, values in scores.items()}
    repeated = {row: values for row, values in readable.items() if len(values) > 1}
    unstable = tuple(row for row, values in repeated.items() if len({v >= pass_mark for v in values}) > 1)
    return Repeats(
        scores={row: _lower_median(values) for row, values in readable.items()},
        unstable=unstable,
        flip_rate=len(unstable) / len(repeated) if repeated else None,
    )


def _lower_median(values: Sequence[float]) -> float | None:
    """A score that was really given; of two middle ones the lower, since a doubt is no pass."""
    if not values:
        return None
    return sorted(values)[(len(values) - 1) // 2] if len(values) % 2 == 0 else median(values)


def pairwise_result(verdicts: Iterable[tuple[tuple[str, str], str | None]]) -> PairwiseResult:
    """The winner of a pair judged in both orders: a win counts only when it survives the swap.

    Args:
        verdicts: ((first, second), 'first' | 'second' | 'tie', or None for a judge error), one per order.

    Returns:
        A win, a tie (also when the orders contradict), or an error when either order has no
        verdict or only one order was judged: half a check is no check.
    """
    given = list(verdicts)
    if len({order for order, _ in given}) < 2 or any(said is None for _, said in given):
        return PairwiseResult(None, "error", position_inconsistent=False)
    winners = {_winner(order, said or "tie") for order, said in given}
    if len(winners) == 1 and None not in winners:
        return PairwiseResult(winners.pop(), "win", position_inconsistent=False)
    return PairwiseResult(None, "tie", position_inconsistent=len(winners - {None}) > 1)


def _winner(order: tuple[str, str], said: str) -> str | None:
    return {"first": order[0], "second": order[1]}.get(said)
