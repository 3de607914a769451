"""Do 95 % intervals hold the truth 93 to 97 times in 100? Simulated nights with strata, judge errors and reuse.

Run: python benchmarks/interval_coverage.py [--nights 4000] [--seed 1]
Prints one row a scene; exits 1 when a scene lies outside 93-97 %.

A scene draws a log from a population (the truth is the population's rate), samples it by the
product's own `select_sample`, judges the sample, and asks `weighted_rate` for the interval.
Reuse: questions come again with the very same answer, whose paid verdict is used again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from goldassay.analytics.sampling import Candidate, SamplingConfig, select_sample
from goldassay.analytics.statistics import (
    Cell,
    mcnemar_exact,
    newcombe_paired_difference,
    weighted_rate,
    wilson_interval,
)

LOW, HIGH = 0.93, 0.97
TEN_SIZES = (500, 400, 300, 200, 200, 100, 100, 80, 60, 60)
TEN_RATES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5)


class Scene(NamedTuple):
    """One kind of night."""

    name: str
    sizes: tuple[int, ...]
    """Answers of the log by stratum."""
    rates: tuple[float, ...]
    """Pass rate of the population by stratum."""
    sampled: int
    oversample: Mapping[str, float] = MappingProxyType({})
    error_rate: float = 0.0
    """Share of verdicts nobody can read; they stay in the denominator."""
    repeats: int = 1
    """Times each answer comes in the log, with one verdict for all."""
    floor: int = 2


SCENES = (
    Scene("plain, half pass", (2000,), (0.5,), 200),
    Scene("plain, 90 % pass", (2000,), (0.9,), 200),
    Scene("plain, 97 % pass, 100 judged", (2000,), (0.97,), 100),
    Scene("strata, even chances", (1400, 400, 200), (0.95, 0.85, 0.6), 200),
    Scene("strata, one oversampled 4 times", (1400, 400, 200), (0.95, 0.85, 0.6), 200, {"s=2": 4.0}),
    Scene("strata, rare one oversampled 8 times", (1900, 100), (0.92, 0.3), 200, {"s=1": 8.0}),
    Scene("strata, small sample of 60", (1400, 400, 200), (0.9, 0.8, 0.5), 60, {"s=2": 3.0}),
    Scene(
        "10 strata, 2 to 40 each",
        (500, 400, 300, 200, 200, 100, 100, 80, 60, 60),
        tuple(np.linspace(0.95, 0.5, 10)),
        150,
    ),
    Scene("strata and 8 % judge errors", (1400, 400, 200), (0.95, 0.85, 0.6), 200, {"s=2": 4.0}, 0.08),
    Scene("errors alone, 5 %", (2000,), (0.9,), 200, {}, 0.05),
    Scene("all judged, each answer 5 times (reuse)", (1000,), (0.85,), 1000, {}, 0.0, 5),
    Scene("all judged, 20 times, errors (reuse)", (4000,), (0.85,), 4000, {}, 0.05, 20),
    Scene("sampled, strata, errors, 4 times (reuse)", (1200, 800), (0.9, 0.7), 400, {"s=1": 2.0}, 0.05, 4),
)


def one_night(scene: Scene, night: int, rng: np.random.Generator) -> list[Cell]:
    """Draw a log, choose the sample as the product does, judge it, and sum it up as sql/rates.sql does."""
    candidates, outcomes, clusters = [], {}, {}
    for stratum, (size, rate) in enumerate(zip(scene.sizes, scene.rates, strict=True)):
        originals = max(1, size // scene.repeats)
        passed = rng.random(originals) < rate
        readable = rng.random(originals) >= scene.error_rate
        for i in range(size):
            name = f"{night}-{stratum}-{i}"
            candidates.append(Candidate(name, "app", {"s": str(stratum)}))
            outcomes[name] = bool(passed[i % originals] and readable[i % originals])
            clusters[name] = (stratum, i % originals)
    config = SamplingConfig(
        nightly=scene.sampled,
        stratify=("s",),
        oversample=scene.oversample,
        min_per_stratum=scene.floor,
        salt=str(night),
    )
    sums: dict[tuple[int, int], list[float]] = {}
    for record_id, weight in select_sample(candidates, config):
        found = sums.setdefault(clusters[record_id], [weight, 0.0, 0.0, 0.0])
        found[1] += weight * outcomes[record_id]
        found[2] += weight
        found[3] += weight * weight
    return cells_of(list(sums.values()))


def cells_of(clusters: list[list[float]]) -> list[Cell]:
    """One cell for each distinct weight."""
    table = np.asarray(clusters)
    cells = []
    for weight in np.unique(table[:, 0]):
        _, a, b, w2 = table[table[:, 0] == weight].T
        cells.append(Cell(len(a), a.sum(), b.sum(), (a * a).sum(), (a * b).sum(), (b * b).sum(), w2.sum()))
    return cells


def coverage(scene: Scene, nights: int, seed: int) -> tuple[float, float]:
    """Share of nights whose interval holds the truth, and the mean width of the intervals."""
    rng = np.random.default_rng(seed)
    truth = float(np.average(scene.rates, weights=scene.sizes)) * (1 - scene.error_rate)
    hits, widths = 0, 0.0
    for night in range(nights):
        low, high = weighted_rate(one_night(scene, night, rng)).interval
        hits += low <= truth <= high
        widths += high - low
    return hits / nights, widths / nights


def plain_coverage(draws: int = 200_000) -> list[tuple[str, float]]:
    """Mean coverage of the plain formulas over rates from 2 to 98 %, where single rates oscillate."""
    rng = np.random.default_rng(5)
    rows = []
    for n in (50, 200, 1000):
        truths = rng.uniform(0.02, 0.98, draws // 20)
        passed = rng.binomial(n, truths)
        intervals = [wilson_interval(int(x), n) for x in passed]
        hits = [i.low <= truth <= i.high for i, truth in zip(intervals, truths, strict=True)]
        rows.append((f"Wilson, n = {n}", float(np.mean(hits))))
    table = rng.multinomial(200, [0.8, 0.08, 0.04, 0.08], size=draws // 20)
    hits = [i.low <= -0.04 <= i.high for i in (newcombe_paired_difference(*map(int, row)) for row in table)]
    rows.append(("paired difference, 200 questions", float(np.mean(hits))))
    return rows


def false_alarms(draws: int = 10_000) -> float:
    """How often the paired test calls out a change where there is none (must be below 5 %)."""
    table = np.random.default_rng(6).multinomial(200, [0.8, 0.05, 0.05, 0.1], size=draws)
    return float(np.mean([mcnemar_exact(int(row[1]), int(row[2])) < 0.05 for row in table]))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nights", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started, outside = time.perf_counter(), 0
    print(f"{'scene':45} {'covers':>8} {'width':>7}")
    for scene in SCENES:
        covered, width = coverage(scene, options.nights, options.seed)
        # Three standard errors of the simulation itself.
        slack = 3 * (0.95 * 0.05 / options.nights) ** 0.5
        is_out = not LOW - slack <= covered <= HIGH + slack
        outside += is_out
        print(f"{scene.name:45} {covered:8.4f} {width:7.4f}{'  outside 93-97 %' if is_out else ''}")
    for name, covered in plain_coverage():
        print(f"{name:45} {covered:8.4f}")
    print(f"{'false alarms of the paired test':45} {false_alarms():8.4f}")
    print(f"{options.nights} nights a scene, seed {options.seed}, {time.perf_counter() - started:.0f} s")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
