"""Whether a rate moved because other questions were asked: Simpson's paradox between the newest two versions.

A version that answers every kind of question worse can still have the better rate, if easier kinds came more often.
Kinds are the strata of the golden set, else whether the sources hold an answer. Called by `history`; a comparison
needs none of this, for it takes the same questions on both sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import duckdb

from goldassay.analytics.models import Notice
from goldassay.analytics.rates import grouped, rate_summary, rates_by
from goldassay.analytics.scope import Scope, VersionColumn, version_column

__all__ = ["Part", "Shift", "mix_notices", "shift_of"]

_KIND = "coalesce(stratum, CASE answerable WHEN TRUE THEN 'answerable' WHEN FALSE THEN 'unanswerable' END, 'other')"
_APART = "\x1f"
"""Between version and kind in a group's name."""
_LEAST_SHIFT = 0.03
"""A mix that moved a rate by less hides no change that matters."""
_LEAST_GRADED = 20
"""Verdicts of a version below which its mix says nothing."""


class Part(NamedTuple):
    """One kind of question under one version."""

    weight: float
    """Answers of the log it stands for."""
    rate: float


class Shift(NamedTuple):
    """The change of a rate, and what of it is left when both versions are asked the same mix."""

    difference: float
    """Newest rate minus the one before."""
    within: float
    """The same at one mix, the mean of both."""
    kind: str
    """Whose part in the answers moved most."""
    shares: tuple[float, float]
    """Its part before and now."""


def shift_of(before: Mapping[str, Part], newest: Mapping[str, Part]) -> Shift | None:
    """Split the change of a rate into what changed within the kinds and what their mix did.

    Args:
        before: Kinds of the version before.
        newest: Kinds of the newest version.

    Returns:
        The change; None when the versions have no kind in common.

    Source: E. M. Kitagawa (1955), J. American Statistical Association 50(272), 1168-1194, components of a difference
    between two rates. Kinds of one version alone have no rate to compare; they count to the mix.
    """
    one, two = _shares(before), _shares(newest)
    common = sorted(one.keys() & two.keys())
    mix = {kind: (one[kind] + two[kind]) / 2 for kind in common}
    if not common or not math.fsum(mix.values()):
        return None
    within = math.fsum(mix[kind] * (newest[kind].rate - before[kind].rate) for kind in common)
    grown = {kind: two.get(kind, 0.0) - one.get(kind, 0.0) for kind in sorted({*one, *two})}
    moved = max(grown, key=lambda kind: (round(abs(grown[kind]), 9), grown[kind]))
    return Shift(
        difference=_rate(newest, two) - _rate(before, one),
        within=within / math.fsum(mix.values()),
        kind=moved,
        shares=(one.get(moved, 0.0), two.get(moved, 0.0)),
    )


def _shares(parts: Mapping[str, Part]) -> dict[str, float]:
    total = math.fsum(part.weight for part in parts.values())
    return {kind: part.weight / total for kind, part in parts.items()}


def _rate(parts: Mapping[str, Part], shares: Mapping[str, float]) -> float:
    return math.fsum(shares[kind] * part.rate for kind, part in parts.items())


def mix_notices(
    connection: duckdb.DuckDBPyConnection, scope: Scope, *, by: VersionColumn, versions: Sequence[str]
) -> Iterator[Notice]:
    """Name the checks whose rate moved by the mix of questions, between the two versions.

    Args:
        connection: Over the store's views.
        scope: Verdicts of these two versions.
        by: Column of the version.
        versions: The version before and the newest; no notice for any other number.
    """
    if len(versions) != 2:
        return
    found: dict[str, dict[str, dict[str, Part]]] = {}
    graded: dict[tuple[str, str], int] = {}
    group = f"{version_column(by)} || '{_APART}' || {_KIND}"
    for (name, check), rows in grouped(rates_by(connection, scope, by=by, group=group)):
        version, _, kind = name.rpartition(_APART)
        rate = rate_summary(rows)
        if rate.weighted is not None:
            part = Part(math.fsum(row.sum_b for row in rows), rate.weighted)
            found.setdefault(check, {}).setdefault(version, {})[kind] = part
            graded[check, version] = graded.get((check, version), 0) + rate.counts.graded
    for check, parts in sorted(found.items()):
        if all(graded.get((check, version), 0) >= _LEAST_GRADED for version in versions):
            shift = shift_of(*(parts[version] for version in versions))
            if shift is not None and abs(shift.difference - shift.within) >= _LEAST_SHIFT:
                yield Notice("mix_changed", "warning", _words(check, shift, versions))


def _words(check: str, shift: Shift, versions: Sequence[str]) -> str:
    before, now = (f"{share * 100:.0f} %" for share in shift.shares)
    return (
        f"{check} {_moved(shift.difference)} from {versions[0] or 'no version'} to {versions[1] or 'no version'}, but "
        f"other questions were asked: {shift.kind} makes {now} of the graded answers, it made {before}. Within the "
        f"kinds of questions it {_moved(shift.within)}. Compare the two on the same questions"
    )


def _moved(difference: float) -> str:
    if round(abs(difference), 2) == 0:
        return "stayed as it was"
    return f"{'rose' if difference > 0 else 'fell'} by {abs(difference):.2f}"
