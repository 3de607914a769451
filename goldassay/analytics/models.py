"""The parts that reports are made of: frozen rows of numbers, no rendering and no computing.

Every rate comes with its counts, its interval and its bounds, so that a renderer
never has to do statistics. `None` always means "cannot be known", never zero.
Lists are ordered the way they are meant to be shown (worst or largest first).
The reports themselves are in `models_reports`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, NamedTuple

from goldassay.analytics.statistics_rates import NO_COUNTS, UNKNOWN_DIFFERENCE, UNKNOWN_RATE, Counts, Interval
from goldassay.verdicts import Evidence

__all__ = [
    "NO_COUNTS",
    "UNKNOWN_DIFFERENCE",
    "UNKNOWN_RATE",
    "CategoryCount",
    "Change",
    "CheckSummary",
    "Citation",
    "Counts",
    "CriterionTrust",
    "Example",
    "GateResult",
    "GateState",
    "Interval",
    "JudgeUse",
    "Notice",
    "QuestionChange",
    "RateSummary",
    "ReasonGroup",
    "RejectedLine",
]


_OUTAGE_ERRORS, _OUTAGE_SHARE = 3, 0.15
"""A few lost replies are a judge's daily bread; every seventh lost moves a rate further than most changes do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateSummary:
    """One pass rate with everything needed to judge how far to trust it."""

    counts: Counts
    headline: float | None
    """passed / (passed + failed + errors); None when nothing was graded."""
    interval: Interval
    """Wilson interval of the headline (on the effective number where verdicts repeat); (0, 1) without any."""
    readable: float | None
    """passed / (passed + failed); None when no verdict could be read."""
    readable_interval: Interval
    bounds: Interval
    """Low: all errors failed. High: all errors passed. (0, 1) when nothing was graded."""
    weighted: float | None = None
    """Headline over all answers of the log, corrected for sampling; None when nothing was graded."""
    weighted_interval: Interval = UNKNOWN_RATE
    weighted_bounds: Interval = UNKNOWN_RATE
    effective_n: float = 0.0
    """Independent, evenly drawn verdicts that would know as much: p(1 - p) / variance."""
    weighted_readable: float | None = None
    """As `readable`, corrected for sampling."""
    weights_matter: bool = False
    """True when verdicts stand for different numbers of answers, so the weighted rate is the one to show."""

    @property
    def shown(self) -> float | None:
        """The rate every report shows: of the whole log where the sample was uneven, else the plain one."""
        return self.weighted if self.weights_matter else self.headline

    @property
    def shown_interval(self) -> Interval:
        """The interval of `shown`."""
        return self.weighted_interval if self.weights_matter else self.interval

    @property
    def shown_bounds(self) -> Interval:
        """`shown` had all errors failed, and had all passed."""
        return self.weighted_bounds if self.weights_matter else self.bounds

    @property
    def shown_readable(self) -> float | None:
        """`shown` among the verdicts that could be read."""
        return self.weighted_readable if self.weights_matter else self.readable

    @property
    def is_outage(self) -> bool:
        """Whether so many verdicts could not be read that the rate tells of the judge, not of the assistant."""
        return self.counts.errors >= _OUTAGE_ERRORS and self.counts.errors >= _OUTAGE_SHARE * self.counts.graded


class CategoryCount(NamedTuple):
    """How often one category was given."""

    category: str
    times: int
    share: float
    """Of all graded verdicts of the same check (or version), in [0, 1]."""


class Citation(NamedTuple):
    """One source an answer cites."""

    marker: str
    """The citation as it stands in the answer, e.g. '[2]'."""
    source_id: str | None
    """None: it points to no source that was sent."""
    number: int | None
    """Position of the source among those sent, from 1; None when it was not sent."""
    title: str | None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One answer that shows a failure."""

    record_id: str
    question_id: str | None
    question: str
    answer: str
    """The answer as given; cut to 600 characters, never rewritten."""
    answer_cut: bool = False
    check: str
    outcome: str
    category: str | None
    reason: str
    score: float | None = None
    evidence: tuple[Evidence, ...] = ()
    citations: tuple[Citation, ...] = ()
    sources_sent: int = 0
    app_version: str = ""
    run_id: str = ""
    reply: str | None = None
    """Raw reply of the judge, cut; None for rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One check in two sets of answers, compared on the questions readable in both."""

    check: str
    stratum: str | None = None
    """None: over all strata."""
    common: int = 0
    """Questions judged readable on both sides."""
    base_rate: float | None = None
    head_rate: float | None = None
    """Rates among the common questions, not the headline rates; None where the pairs cannot tell."""
    difference: float | None = None
    """head - base."""
    interval: Interval = UNKNOWN_DIFFERENCE
    """Of the paired difference (Newcombe; over a sample the sum of its parts, Zou)."""
    broken: int = 0
    fixed: int = 0
    still_failing: int = 0
    p_value: float | None = None
    """Exact McNemar, two-sided; over a sample from its interval. None where the pairs cannot tell."""
    p_adjusted: float | None = None
    """Benjamini-Hochberg over all checks and strata of the report."""
    claim: Literal["regression", "improvement", "no_change", "cannot_tell"] = "cannot_tell"
    """What the data bear out at 5 %; `no_change`: the interval excludes a drop that would matter."""
    needed: int | None = None
    """With `cannot_tell`: about how many more questions would be needed to know."""
    mean_difference: float | None = None
    """head - base of the mean scores, for checks with a scale; None for rules without a score."""
    mean_interval: Interval | None = None
    """Paired bootstrap, 95 %."""
    base_errors: int = 0
    head_errors: int = 0
    """Judge errors on each side: they leave the pairs, so many of them can hide a change."""
    is_weighted: bool = False
    """True: rates, interval and p are those of the log's common questions, of which a sample was judged; the counts
    are of the pairs seen."""
    is_looked_up: bool = False
    """True: all pairs are questions taken for what is known of them (those that failed last night), none was drawn by
    chance: they tell nothing of the others."""
    sentence: str = ""
    """The finding in plain English, without markup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSummary:
    """One check of one run."""

    check: str
    kind: Literal["rule", "judge"]
    version: str
    """Version of the rule, or of the rubric; several are joined by ', '."""
    severity: Literal["gate", "warn"]
    rate: RateSummary
    errors: tuple[CategoryCount, ...] = ()
    """Judge errors by category, most first."""
    failures: tuple[CategoryCount, ...] = ()
    """Failures by category, most first."""
    mean_score: float | None = None
    scale: tuple[float, float] | None = None
    corrected: float | None = None
    """Pass rate corrected for the judge's known mistakes (Rogan-Gladen); None without enough labels."""
    corrected_interval: Interval | None = None
    corrected_outside: float | None = None
    """What the correction gave, where that lies outside [0, 1] and `corrected` was cut to the nearer end."""
    labels: int = 0
    """People's labels the correction rests on."""
    change: Change | None = None
    """Against the run named in `RunSummary.compared_to`."""
    before: RateSummary | None = None
    """Rate of that run over its own log; None without one, or where it did not have the check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonGroup:
    """Failures with one cause: a category, or like-worded free-text reasons of `other`."""

    category: str
    name: str
    """The category, or for `other` the commonest words of the reasons."""
    checks: tuple[str, ...]
    count: int
    """Verdicts."""
    answers: int
    """Answers these verdicts are about: one answer may fail for one cause in several checks."""
    of_answers: int
    """Answers with any failure in view (any judge error, for a cause of errors)."""
    is_error: bool = False
    """True: judge errors, not failures of the assistant."""
    by_version: tuple[tuple[str, int], ...] = ()
    """(version, count), oldest version first."""
    trend: float | None = None
    """Share of the verdicts of its checks, weighted to the log: newest version minus the one before; None with one."""
    trend_p: float | None = None
    """Chance of such a difference without any change, adjusted for the number of causes; None without `trend`."""
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    would_pass: int = 0
    """'Fix this once and N answers pass': answers whose only failing gate checks lie in this group."""
    examples: tuple[Example, ...] = ()

    @property
    def share(self) -> float:
        """Of the failing answers in view, in [0, 1]; shares of several causes may add up to more than one."""
        return self.answers / self.of_answers if self.of_answers else 0.0


class RejectedLine(NamedTuple):
    """An input line that was set aside."""

    file: str
    line: int | None
    reason: str
    raw: str = ""


class CriterionTrust(NamedTuple):
    """How far people have checked one judge, with one rubric, on one criterion."""

    check: str
    labels: int
    """Answers that people labelled blind."""
    needed: int
    """Answers still to be labelled before it counts as checked; 0 when it does."""
    is_coin: bool = False
    """Enough labels, and they cannot tell its verdicts from a coin's."""
    kappa: float | None = None
    """Cohen's kappa with people; None when it cannot be known."""

    @property
    def calibrated(self) -> bool:
        """Whether its rate may be corrected and believed."""
        return self.needed == 0 and not self.is_coin


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeUse:
    """What one judge model did in the run."""

    provider: str
    model: str
    """As asked for."""
    models_reported: tuple[str, ...] = ()
    """As the provider named it, each once."""
    rubric: str = ""
    rubric_version: str = ""
    verdicts: int = 0
    errors: int = 0
    unreadable_share: float | None = None
    """Replies that could not be read, those asked again among them / replies; reused ones left out."""
    reasked: int = 0
    """Replies that could not be read and were asked again."""
    flip_share: float | None = None
    """Of repeated calls, the share that disagrees with the verdict of the majority; None where no call was repeated."""
    repaired_share: float | None = None
    """Readable replies that had to be mended / readable replies."""
    repairs: tuple[CategoryCount, ...] = ()
    reused: int = 0
    calls: int = 0
    """Requests sent, retries among them."""
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """None: no price is configured."""
    latency_p50_ms: float | None = None
    latency_p95_ms: float | None = None
    canaries: Counts = NO_COUNTS
    """Refusals of unanswerable questions put before the judge: each must be graded as supported."""
    trust: tuple[CriterionTrust, ...] = ()
    """How far people have checked it, for each criterion it graded, by name."""

    @property
    def calibrated(self) -> bool:
        """Whether people have checked it on every criterion it graded, and it knows more than a coin on each."""
        return bool(self.trust) and all(one.calibrated for one in self.trust)


class Notice(NamedTuple):
    """Something a reader must know before trusting the numbers."""

    code: str
    """'judge_model_changed', 'same_family', 'not_calibrated', 'judge_version_differs', 'rule_version_differs', ..."""
    level: Literal["info", "warning", "alarm"]
    text: str


class GateState(StrEnum):
    """What the gate says; `not_evaluable` is no pass."""

    PASS = "pass"  # noqa: S105 - a state of the gate, not a password
    FAIL = "fail"
    NOT_EVALUABLE = "not_evaluable"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The gate's answer with its reasons."""

    state: GateState
    reasons: tuple[str, ...] = ()
    """One sentence a broken condition (or missing evidence); empty when all hold."""
    conditions: tuple[tuple[str, GateState, str], ...] = ()
    """(condition as configured, its state, what was found)."""
    doubts: tuple[str, ...] = ()
    """What fell and was let through because that may be chance: a pass with these is no proof of being good."""
    unanswered: str = ""
    """Where the gate cannot tell because too few golden questions were answered: how few, in words."""

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed or not evaluable: a gate that cannot know does not open."""
        return 0 if self.state is GateState.PASS else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChange:
    """One question under one check on both sides."""

    question_id: str | None
    question: str
    check: str
    stratum: str | None
    kind: Literal["broken", "fixed", "still_failing"]
    base: Example
    head: Example
    is_answer: bool = True
    """Whether the whole answer changed alike; False: another gate check fails on both sides, or this one only warns."""
