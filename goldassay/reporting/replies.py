"""Counts how well a judge's replies could be read, row by row, for reports that are made of rows alone."""

from __future__ import annotations

from dataclasses import dataclass

from goldassay.verdicts import Category, Outcome, Verdict

__all__ = ["ReplyTally"]

_UNREADABLE = frozenset({Category.UNREADABLE_REPLY, Category.OUT_OF_SCALE, Category.CUT_OFF, Category.JUDGE_REFUSED})


@dataclass(slots=True)
class ReplyTally:
    """The replies about one check; the same figures as in `JudgeUse`."""

    replies: int = 0
    unreadable: int = 0
    readable: int = 0
    repaired: int = 0
    repeats: int = 0
    flipped: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count one row; what was taken from the store, or needed no judge, is no reply."""
        if verdict.reused or verdict.judge_model is None:
            return
        asked_again = int(verdict.extra.get("reasked", 0))
        graded = verdict.outcome in {Outcome.PASS, Outcome.FAIL}
        self.readable += graded
        self.repaired += graded and bool(verdict.repairs)
        self.unreadable += (verdict.outcome is Outcome.ERROR and verdict.category in _UNREADABLE) + asked_again
        self.replies += (verdict.reply is not None or verdict.outcome is not Outcome.ERROR) + asked_again
        if graded and verdict.repeats:
            self.repeats += verdict.repeats
            self.flipped += verdict.repeats - (verdict.agreeing or 0)

    def properties(self) -> dict[str, str]:
        """By name, for a machine: shares in 0..1, only those that are known."""
        told = {"judge.replies": str(self.replies)}
        shares = {
            "judge.unreadable_share": (self.unreadable, self.replies),
            "judge.repaired_share": (self.repaired, self.readable),
            "judge.flip_share": (self.flipped, self.repeats),
        }
        return told | {name: f"{part / whole:.4f}" for name, (part, whole) in shares.items() if whole}
