"""What analytics hands to a renderer: the report of a run, a history, a comparison.

Frozen and ready to be shown, like their parts in `models`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from goldassay.analytics.models import (
    Change,
    CheckSummary,
    GateResult,
    JudgeUse,
    Notice,
    QuestionChange,
    RateSummary,
    ReasonGroup,
    RejectedLine,
)
from goldassay.analytics.statistics_rates import UNKNOWN_RATE, Interval

__all__ = [
    "AnswerabilityTable",
    "CategoryTrend",
    "CheckComparison",
    "CompareReport",
    "DayRate",
    "FlakyQuestion",
    "HistoryReport",
    "RunSummary",
    "Side",
    "VersionRate",
]


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
    compared_as: str = "the last run"
    """What that run is, in words: 'the baseline' for the accepted one."""
    is_baseline: bool = False
    """True: this is the accepted run itself."""
    gate: GateResult | None = None
    """The gate's answer against that run; None: the run is not held to one, or there is nothing to compare with."""
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
    """(version, count, share of that version's graded verdicts weighted to the log), oldest first, zeros included."""
    change: float | None
    """Share of the newest version minus that of the one before; None with one version."""
    change_p: float | None
    """Chance of such a difference without any change, adjusted for the number of categories; None without `change`."""
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
    kind: str
    """'rule' or 'judge'."""
    version: str
    passed: int
    failed: int
    flips: int
    """Changes of outcome in the order of time."""
    judge_changed: bool = False
    """True: rule, judge or rubric changed between the flips, so the assistant may be innocent."""
    same_answer: bool | None = None
    """True: the same text each time, so a judge flipped, or what a rule looks at beside the answer; None: not known."""


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
