"""What single people said, and how far two of them agree: the ceiling of every judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from goldassay.analytics.calibration_models import JudgeKey, PeopleAgreement
from goldassay.analytics.statistics_agreement import cohen_kappa
from goldassay.analytics.statistics_rates import wilson_interval

__all__ = ["Word", "pairs_of_people"]


class Word(NamedTuple):
    """One person on one verdict."""

    key: JudgeKey
    run_id: str
    record_id: str
    outcome: str
    weight: float
    flagged: bool
    labeller: str
    said: str
    blind: bool


def pairs_of_people(words: Sequence[Word]) -> tuple[PeopleAgreement, ...]:
    """How far each two people agree, on the answers that both labelled blind."""
    said: dict[tuple[str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    for word in words:
        if word.blind and word.said in {"pass", "fail"}:
            said[word.key.check, word.labeller][word.run_id, word.record_id] = word.said
    pairs = [
        _pair(one[0], one[1], other[1], said[one], said[other])
        for one, other in combinations(sorted(said), 2)
        if one[0] == other[0] and said[one].keys() & said[other].keys()
    ]
    return tuple(sorted(pairs, key=lambda pair: (pair.check, -pair.answers)))


def _pair(
    check: str, first: str, second: str, one: Mapping[tuple[str, str], str], other: Mapping[tuple[str, str], str]
) -> PeopleAgreement:
    both = sorted(one.keys() & other.keys())
    agreed = sum(one[answer] == other[answer] for answer in both)
    return PeopleAgreement(
        check=check,
        first=first,
        second=second,
        answers=len(both),
        agreed=agreed,
        interval=wilson_interval(agreed, len(both)),
        kappa=cohen_kappa([one[answer] for answer in both], [other[answer] for answer in both]),
    )
