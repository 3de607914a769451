"""Shares of verdicts that failed for one cause, and whether a share moved by more than chance.

Knows versions and weights, no files: a share is the weight of the failures over the weight of
all graded verdicts of the same checks, so that a sample stands for its log.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from goldassay.analytics.rates import RateRow, grouped, rate_summary
from goldassay.analytics.statistics import benjamini_hochberg, share_difference_p

__all__ = ["Graded", "ShareChange", "adjusted", "change_of_share", "graded_by_version"]


class Graded(NamedTuple):
    """What was graded of some checks under one version."""

    weight: float
    """Answers of the log that the verdicts stand for."""
    effective_n: float
    """Independent, evenly drawn verdicts that would know as much."""


class ShareChange(NamedTuple):
    """A share under the newest version minus that under the one before."""

    difference: float
    p_value: float


def graded_by_version(rows: Sequence[RateRow]) -> dict[str, dict[str, Graded]]:
    """What was graded, by check and version; versions in which nothing of a check was graded are left out.

    Args:
        rows: Sums by version, check and weight.
    """
    found: dict[str, dict[str, Graded]] = {}
    for (version, check), cells in grouped(rows):
        weight = math.fsum(cell.sum_b for cell in cells)
        if weight > 0:
            found.setdefault(check, {})[version] = Graded(weight, rate_summary(cells).effective_n)
    return found


def change_of_share(
    failed: Mapping[str, float], graded: Sequence[Mapping[str, Graded]], versions: Sequence[str]
) -> ShareChange | None:
    """Compare the newest two versions in which the checks graded anything.

    Args:
        failed: Weight of the failures by version.
        graded: For each check they come from, what was graded by version.
        versions: Oldest first.

    Returns:
        The change; None with fewer than two such versions.
    """
    seen = [version for version in versions if any(version in check for check in graded)]
    if len(seen) < 2:
        return None
    (before, n_before), (newest, n_newest) = (_share(failed, graded, version) for version in seen[-2:])
    return ShareChange(newest - before, share_difference_p((newest, n_newest), (before, n_before)))


def _share(failed: Mapping[str, float], graded: Sequence[Mapping[str, Graded]], version: str) -> tuple[float, float]:
    found = [check[version] for check in graded if version in check]
    weight = math.fsum(each.weight for each in found)
    return min(1.0, failed.get(version, 0.0) / weight), math.fsum(each.effective_n for each in found)


def adjusted(changes: Iterable[ShareChange | None]) -> list[float | None]:
    """P-values adjusted for the number of changes looked at; None where there is no change."""
    kept = list(changes)
    found = iter(benjamini_hochberg([change.p_value for change in kept if change is not None]))
    return [None if change is None else next(found) for change in kept]
