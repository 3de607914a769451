"""Several verdicts of the same call made one: the majority decides, a tie is an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from goldassay.judging.rows_together import other_replies, reasked_of, totals
from goldassay.verdicts import Category, Outcome, Verdict

__all__ = ["merged"]


def merged(rows: Sequence[Verdict]) -> Verdict:
    """One row of the repeats of a check.

    The winner needs more than half of all the calls: one that brought no verdict agreed with
    nobody. `repeats` and `agreeing` give the flip rate, `other_replies` what was said the other times.
    """
    if len(rows) == 1:
        return rows[0]
    votes = [row for row in rows if row.outcome in {Outcome.PASS, Outcome.FAIL}]
    counts = {outcome: sum(row.outcome is outcome for row in votes) for outcome in (Outcome.PASS, Outcome.FAIL)}
    passed, failed = counts[Outcome.PASS], counts[Outcome.FAIL]
    if not votes:
        return _one_of(rows, rows[0], agreeing=0)
    if max(passed, failed) * 2 <= len(rows):
        return _undecided(rows, votes, passed, failed)
    winner = Outcome.PASS if passed > failed else Outcome.FAIL
    chosen = _middle([row for row in votes if row.outcome is winner])
    return _one_of(rows, chosen, agreeing=max(passed, failed))


def _one_of(rows: Sequence[Verdict], chosen: Verdict, *, agreeing: int, **changes: Any) -> Verdict:
    extra = {**chosen.extra, **reasked_of(rows)}
    together = {**totals(rows), "other_replies": other_replies(rows, chosen, "repeat"), "extra": extra}
    return replace(chosen, repeats=len(rows), agreeing=agreeing, **together, **changes)


def _undecided(rows: Sequence[Verdict], votes: Sequence[Verdict], passed: int, failed: int) -> Verdict:
    """The error row of repeats without a majority; its category is that of the calls without a verdict, if any."""
    broken = next((row for row in rows if row.outcome is Outcome.ERROR), None)
    without = f", {len(rows) - len(votes)} without a verdict" if len(votes) < len(rows) else ""
    return _one_of(
        rows,
        broken or votes[0],
        agreeing=max(passed, failed),
        outcome=Outcome.ERROR,
        score=None,
        category=broken.category if broken else Category.UNREADABLE_REPLY,
        reason=f"the repeats disagree: {passed} passed, {failed} failed{without}",
    )


def _middle(rows: list[Verdict]) -> Verdict:
    """The row of median score, so that its reason and score belong together."""
    return sorted(rows, key=lambda row: row.score if row.score is not None else 0.0)[(len(rows) - 1) // 2]
