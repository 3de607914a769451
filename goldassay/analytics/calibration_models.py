"""The shapes of a calibration: judges against people, and people among each other. No computing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from goldassay.analytics.statistics_agreement import CorrectedRate
from goldassay.analytics.statistics_calibration import Estimate, JudgeErrors
from goldassay.analytics.statistics_rates import Counts, Interval

__all__ = ["CalibrationReport", "Confusion", "JudgeCalibration", "JudgeKey", "PeopleAgreement"]


class JudgeKey(NamedTuple):
    """Whose verdicts."""

    check: str
    judge: str
    """Model as asked for; '' for a rule."""
    rubric: str
    version: str
    """Of the rubric, or of the rule."""


class Confusion(NamedTuple):
    """Labelled answers by what people and the judge said; an answer on which people differ counts by halves."""

    both_pass: float = 0.0
    judge_only: float = 0.0
    """The judge passed what people fail."""
    people_only: float = 0.0
    """The judge failed what people pass."""
    both_fail: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCalibration:
    """One judge on one criterion against people."""

    key: JudgeKey
    verdicts: Counts
    """Its verdicts in the runs that labels were drawn from; errors stand apart and are in no figure below."""
    labels: int
    """Answers that people labelled blind, and on which the judge has a verdict."""
    people: tuple[str, ...]
    confusion: Confusion
    errors: JudgeErrors
    raw: Estimate
    """The judge's own pass rate among its readable verdicts, weighted to the log."""
    corrected: CorrectedRate
    """The rate people would have given."""
    needed: int
    """Answers still to be labelled before the figures may be trusted; 0: enough."""
    errors_labelled: int = 0
    """Labelled answers the judge could not grade."""
    not_blind: int = 0
    """Answers left out because their newest label was given after the verdict was seen."""

    @property
    def enough(self) -> bool:
        """Whether this judge counts as calibrated on this criterion."""
        return self.needed == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleAgreement:
    """Two people on the same answers: no judge can be asked to agree more than they do."""

    check: str
    first: str
    second: str
    answers: int
    agreed: int
    interval: Interval
    kappa: float | None
    """None when both used one and the same label only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationReport:
    """All judges and criteria that people labelled, and all pairs of people."""

    app: str
    judges: tuple[JudgeCalibration, ...]
    people: tuple[PeopleAgreement, ...]
