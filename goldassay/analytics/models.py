"""The shapes analytics hands to reports: frozen rows of numbers, no rendering and no computing.

Every rate comes with its counts, its interval and its bounds, so that a renderer
never has to do statistics. `None` always means "cannot be known", never zero.
Lists are ordered the way they are meant to be shown (worst or largest first).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Literal, NamedTuple

from goldassay.analytics.statistics_rates import NO_COUNTS, UNKNOWN_DIFFERENCE, UNKNOWN_RATE, Counts, Interval
from goldassay.verdicts import Evidence

__all__ = [
    "NO_COUNTS",
    "UNKNOWN_DIFFERENCE",
    "UNKNOWN_RATE",
    "AnswerabilityTable",
    "CategoryCount",
    "CategoryTrend",
    "Change",
    "CheckComparison",
    "CheckSummary",
    "Citation",
    "CompareReport",
    "Counts",
    "DayRate",
    "Example",
    "FlakyQuestion",
    "GateResult",
    "GateState",
    "HistoryReport",
    "Interval",
    "JudgeUse",
    "Notice",
    "QuestionChange",
    "RateSummary",
    "ReasonGroup",
    "RejectedLine",
    "RunSummary",
    "Side",
    "VersionRate",
]


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
    """Size of an evenly drawn sample that would know as much: (sum w)^2 / sum w^2."""

    weights_matter: bool = False
    """True when verdicts stand for different numbers of answers, so the weighted rate is the one to show."""


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
    """Rates among the common questions, not the headline rates."""
    difference: float | None = None
    """head - base."""
    interval: Interval = UNKNOWN_DIFFERENCE
    """Of the paired difference (Newcombe)."""
    broken: int = 0
    fixed: int = 0
    still_failing: int = 0
    p_value: float | None = None
    """Exact McNemar, two-sided; None without a common question."""
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
    labels: int = 0
    """People's labels the correction rests on."""
    change: Change | None = None
    """Against the run named in `RunSummary.compared_to`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonGroup:
    """Failures with one cause: a category, or like-worded free-text reasons of `other`."""

    category: str
    name: str
    """The category, or for `other` the commonest words of the reasons."""
    checks: tuple[str, ...]
    count: int
    share: float
    """Of all failures in view."""
    is_error: bool = False
    """True: judge errors, not failures of the assistant."""
    by_version: tuple[tuple[str, int], ...] = ()
    """(version, count), oldest version first."""
    trend: float | None = None
    """Share of graded answers with it, newest version minus the one before; None with one version."""
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    would_pass: int = 0
    """'Fix this once and N questions pass': questions whose only failing gate checks lie in this group."""
    examples: tuple[Example, ...] = ()


class RejectedLine(NamedTuple):
    """An input line that was set aside."""

    file: str
    line: int | None
    reason: str
    raw: str = ""


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
    """Errors of reading (not of transport) / verdicts asked for, reused ones left out."""
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
    calibrated: bool = False
    """True when people have labelled enough of its verdicts with this rubric, on one criterion at least."""
    labels: int = 0
    """Labelled answers of this judge and rubric, over all criteria."""
    labels_needed: int = 0
    """Answers still to be labelled before it counts as calibrated; 0 when it does."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """All that the report of one run shows."""

    run_id: str
    run_kind: str
    run_at: datetime
    finished_at: datetime | None
    app: str
    app_versions: tuple[str, ...]
    models: tuple[str, ...]
    window: tuple[datetime | None, datetime | None]
    records: int
    rejected: int
    checked: int
    judged_records: int
    """Records with at least one judge verdict."""
    sampling: str
    """How records were chosen for the judge, in words; '' when all were or none."""
    answers: RateSummary
    """Answer level: passed when every gate check that applies passes, failed when one fails, error otherwise."""
    answers_judged: RateSummary | None
    """The same over judged records alone, weighted to the whole log; None without a judge."""
    checks: tuple[CheckSummary, ...]
    """Gate checks first, then by kind and name."""
    reasons: tuple[ReasonGroup, ...]
    """Failure reasons, most first."""
    error_reasons: tuple[ReasonGroup, ...] = ()
    """Judge errors, grouped the same way, apart."""
    answerability: AnswerabilityTable | None = None
    """None without golden questions."""
    compared_to: str | None = None
    """Run id of the run compared with; None: there is no earlier one."""
    answers_change: Change | None = None
    """Whole answers against that run, on the common questions; None without one."""
    broken: tuple[QuestionChange, ...] = ()
    fixed: tuple[QuestionChange, ...] = ()
    judges: tuple[JudgeUse, ...] = ()
    notices: tuple[Notice, ...] = ()
    rejected_lines: tuple[RejectedLine, ...] = ()
    """The first ones; `rejected` holds their number."""
    cost_usd: float | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    reused: int = 0
    files: tuple[str, ...] = ()
    """The run's Parquet files, relative to `store`."""
    store: str = ""
    """Address of the store."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerabilityTable:
    """The two ways to be wrong about answerability, apart."""

    version: str = ""
    """Version label; '' for a single run or over all."""
    answerable_answered: int = 0
    answerable_refused: int = 0
    """Wrong: refused the answerable."""
    unanswerable_answered: int = 0
    """Wrong: answered the unanswerable."""
    unanswerable_refused: int = 0
    refused_answerable_rate: float | None = None
    refused_answerable_interval: Interval = UNKNOWN_RATE
    answered_unanswerable_rate: float | None = None
    answered_unanswerable_interval: Interval = UNKNOWN_RATE


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRate:
    """One check under one version."""

    version: str
    check: str
    kind: str
    rate: RateSummary
    questions: int
    first_seen: datetime | None
    last_seen: datetime | None
    judges: tuple[str, ...] = ()
    """'model / rubric version' of each judge behind it: rates of different judges are not comparable as they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRate:
    """One check on one day (UTC)."""

    day: date
    check: str
    rate: RateSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTrend:
    """One failure (or error) category over versions."""

    category: str
    check: str
    is_error: bool
    counts: tuple[tuple[str, int, float], ...]
    """(version, count, share of that version's graded verdicts), oldest version first, zeros included."""
    change: float | None
    """Share of the newest version minus that of the one before; None with one version."""
    first_seen: datetime | None
    last_seen: datetime | None
    first_version: str
    last_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlakyQuestion:
    """A question whose verdict flipped although the version stayed the same."""

    question_id: str
    question: str
    check: str
    version: str
    passed: int
    failed: int
    flips: int
    """Changes of outcome in the order of time."""
    judge_changed: bool = False
    """True: judge or rubric changed between the flips, so the assistant may be innocent."""
    same_answer: bool | None = None
    """True: the answer text was the same each time, so the judge flipped; None: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReport:
    """Rates and failure reasons over versions and time."""

    by: str
    """Column of the version: app_version, model, prompt_version or index_version."""
    app: str | None
    since: datetime | None
    until: datetime | None
    versions: tuple[str, ...]
    """Oldest first, by first verdict."""
    rates: tuple[VersionRate, ...]
    """By check, then version in the order of `versions`."""
    days: tuple[DayRate, ...]
    """By check, then day; the data of the sparklines."""
    categories: tuple[CategoryTrend, ...]
    answerability: tuple[AnswerabilityTable, ...]
    reasons: tuple[ReasonGroup, ...] = ()
    flaky: tuple[FlakyQuestion, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison."""

    label: str
    """The version label or run id asked for."""
    run_ids: tuple[str, ...]
    app_versions: tuple[str, ...]
    answers: int
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    judges: tuple[str, ...] = ()
    """'provider/model rubric version', each once."""
    rule_versions: tuple[str, ...] = ()
    """'rule version', each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckComparison:
    """One check over all strata and within each."""

    overall: Change
    severity: Literal["gate", "warn"] = "gate"
    """As in the head."""
    strata: tuple[Change, ...] = ()
    base_rate: RateSummary | None = None
    """Headline of each side over all its answers, for orientation."""
    head_rate: RateSummary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareReport:
    """What broke, what was fixed, and is it real."""

    by: str
    """'run', 'app_version', 'model', 'prompt_version' or 'index_version'."""
    base: Side
    head: Side
    common_questions: int
    only_base: int
    only_head: int
    checks: tuple[CheckComparison, ...]
    """Strongest evidence of a regression first."""
    answers: Change | None = None
    """Whole answers: passed when every gate check readable on both sides passes; None without a gate check."""
    broken: tuple[QuestionChange, ...] = ()
    fixed: tuple[QuestionChange, ...] = ()
    still_failing: tuple[QuestionChange, ...] = ()
    categories: tuple[tuple[str, str, int, int], ...] = ()
    """(check, category, count in base, count in head) on the common questions."""
    notices: tuple[Notice, ...] = ()
    """Different judge, rubric or rule versions between the sides: said loudly."""
    gate: GateResult | None = None
    sentences: tuple[str, ...] = ()
    """The report in plain words, most important first."""
    rejudge_command: str | None = None
    """How to judge the base's stored answers with today's judge; None when both sides had the same judge."""
