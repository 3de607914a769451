"""Which answers a person is asked to label: drawn by hash, half of them from each outcome of the judge.

A judge that passes nearly everything fails so little that labels drawn evenly would hardly meet a failure; so each
outcome is drawn separately, and `goldassay calibrate` weights every label back to the answers it stands for.
The draw is the same for everyone, and a larger one holds the smaller one. Knows no store and no page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

__all__ = ["Candidate", "First", "draw_sample"]

First = Literal["mixed", "flagged"]
"""'flagged': half of the answers are what somebody should look at anyway (flags, errors, unsure), and come first."""
_DECIDED = ("pass", "fail")


class Candidate(NamedTuple):
    """A verdict that may be labelled."""

    record_id: str
    outcome: str
    """What the judge said."""
    flagged: bool
    """It carries a flag somebody should look at, such as `possible_injection`."""


def draw_sample(candidates: Iterable[Candidate], number: int, *, salt: str, first: First = "mixed") -> list[str]:
    """Draw answers and put them in the order they are shown.

    Args:
        candidates: All verdicts of one check in one run.
        number: Answers wanted; all there are where there are fewer.
        salt: What the draw belongs to (app and check).
        first: 'mixed': the order tells nothing; 'flagged': flagged, unsure and broken ones before the others.

    Returns:
        Record ids. The order within a part is by hash and not by outcome, or it would give the judge away.
    """
    found = sorted(candidates, key=lambda one: _place(salt, one.record_id))
    plain = [one for one in found if one.outcome in _DECIDED]
    leading: list[Candidate] = []
    if first == "flagged":
        plain = [one for one in plain if not one.flagged]
        leading = [one for one in found if one.flagged or one.outcome not in _DECIDED]
        leading = leading[: max(number // 2, number - len(plain))]
    drawn = _by_halves(plain, number - len(leading))
    return [one.record_id for part in (leading, drawn) for one in _shown(part, salt)]


def _by_halves(found: Sequence[Candidate], number: int) -> list[Candidate]:
    """As many of each outcome, and more of one where the other has too few."""
    passed, failed = ([one for one in found if one.outcome == outcome] for outcome in _DECIDED)
    of_failed = min(len(failed), max(number // 2, number - len(passed)))
    of_passed = min(len(passed), number - of_failed)
    return [*passed[:of_passed], *failed[:of_failed]]


def _shown(part: Iterable[Candidate], salt: str) -> list[Candidate]:
    return sorted(part, key=lambda one: _place(f"shown {salt}", one.record_id))


def _place(salt: str, record_id: str) -> bytes:
    return hashlib.blake2b(f"{salt}\0{record_id}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
