"""How many questions of the golden set a golden run answered, and whether that is enough to let a version pass.

A version that answered a third of the questions well has not passed. Called by the gate; where the figures come from
stands in `answered`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from goldassay.analytics.conditions import Finding
from goldassay.analytics.models import GateState

__all__ = ["ANSWERED_CHECK", "WHAT_TO_DO", "Coverage", "coverage_finding"]

ANSWERED_CHECK = "answered"
"""Name of the rows for questions that the assistant was asked and gave no answer to; they grade nothing."""
WHAT_TO_DO = "have the rest asked ([assistant]) or logged, then: goldassay golden --again"
"""What a person does about questions without an answer."""
_ROUNDING = 1e-9
"""A share such as 0.29 of 100 questions is 28.999... in binary; it allows 29 all the same."""


class Coverage(NamedTuple):
    """Questions of the golden set, and how many of them the run has an answer to."""

    answered: int
    asked: int

    def needed(self, most_missing: float) -> int:
        """Answers without which the gate does not open; `most_missing` is the share that may be missing."""
        return self.asked - math.floor(most_missing * self.asked + _ROUNDING)


def coverage_finding(coverage: Coverage, most_missing: float) -> Finding:
    """Hold the number of answered questions against what the gate needs.

    Args:
        coverage: What was answered.
        most_missing: Share of the golden questions that may be missing.
    """
    needed = coverage.needed(most_missing)
    condition = f"golden questions answered >= {needed} of {coverage.asked}"
    if coverage.answered >= needed:
        return Finding(condition, GateState.PASS, f"{coverage.answered} of {coverage.asked}")
    found = f"only {coverage.answered} of {coverage.asked} have an answer of this version; {WHAT_TO_DO}"
    return Finding(condition, GateState.NOT_EVALUABLE, found)
