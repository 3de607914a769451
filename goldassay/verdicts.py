"""What comes out: one verdict per record and check, and the closed lists of words it uses.

Knows nothing of files, judges or statistics. Rules produce a light `Finding`;
`Verdict` is the full, flat row whose fields are the Parquet columns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from goldassay.records import AnswerRecord, GoldenQuestion

__all__ = [
    "ERROR_CATEGORIES",
    "FAILURE_CATEGORIES",
    "Category",
    "CheckKind",
    "Evidence",
    "Finding",
    "OtherReply",
    "Outcome",
    "RunKind",
    "RunStamp",
    "StoredReply",
    "Verdict",
    "record_columns",
]

CheckKind = Literal["rule", "judge"]
RunKind = Literal["nightly", "golden", "backfill", "check", "rejudge"]


class Outcome(StrEnum):
    """How a check ended. Rates count `error` as not passed; `skip` and `unsure` are left out of them."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    ERROR = "error"
    """The check itself broke (unreadable judge reply, time-out, a custom rule that raised): neither pass nor fail."""
    SKIP = "skip"
    """The check does not apply to this record (no sources logged, no reference); the reason says which."""
    UNSURE = "unsure"
    """A rule that cannot know; the record is handed to the judge."""


class Category(StrEnum):
    """Why a check did not pass: a closed list, so that reasons can be counted across versions."""

    WRONG_NUMBER = "wrong_number"
    ADDED_CLAIM = "added_claim"
    CONTRADICTS_SOURCE = "contradicts_source"
    MISATTRIBUTED = "misattributed"
    BAD_CITATION = "bad_citation"
    MISSING_CITATION = "missing_citation"
    MISSING_FACT = "missing_fact"
    OFF_TOPIC = "off_topic"
    INCOMPLETE = "incomplete"
    WRONG_REFUSAL = "wrong_refusal"
    """Refused an answerable question."""
    MISSED_REFUSAL = "missed_refusal"
    """Answered an unanswerable question."""
    TOO_LONG = "too_long"
    BANNED_WORDING = "banned_wording"
    BAD_FORMAT = "bad_format"
    WRONG_LANGUAGE = "wrong_language"
    OTHER = "other"
    UNREADABLE_REPLY = "unreadable_reply"
    OUT_OF_SCALE = "out_of_scale"
    CUT_OFF = "cut_off"
    JUDGE_REFUSED = "judge_refused"
    RATE_LIMITED = "rate_limited"
    TIMED_OUT = "timed_out"
    PROVIDER_ERROR = "provider_error"
    OVER_BUDGET = "over_budget"
    CONTEXT_TOO_LONG = "context_too_long"


ERROR_CATEGORIES = frozenset(
    {
        Category.UNREADABLE_REPLY,
        Category.OUT_OF_SCALE,
        Category.CUT_OFF,
        Category.JUDGE_REFUSED,
        Category.RATE_LIMITED,
        Category.TIMED_OUT,
        Category.PROVIDER_ERROR,
        Category.OVER_BUDGET,
        Category.CONTEXT_TOO_LONG,
    }
)
"""Categories of outcome `error`; `other` may also appear there (a custom rule that raised)."""
FAILURE_CATEGORIES = frozenset(Category) - ERROR_CATEGORIES
"""Categories of outcome `fail` and `unsure`."""


class Evidence(NamedTuple):
    """Where a verdict points to: a span of the answer, or of one source."""

    kind: str
    """What the span is: 'number', 'citation', 'sentence', 'quote', 'link', 'phrase', 'support', 'claim', ..."""
    text: str
    """The span as it stands in the original text."""
    start: int | None = None
    """Offset of its first character in the original text (answer or source); None when it stands nowhere."""
    end: int | None = None
    """Offset behind its last character; None when it stands nowhere."""
    source_id: str | None = None
    """The source it lies in; None: it lies in the answer."""


class OtherReply(NamedTuple):
    """A call that was made on the way to one verdict, and whose reply is not the one in `reply`."""

    kind: str
    """'repeat': the same call, made once more; 'order': the two answers shown the other way round; 'asked_again': it
    could not be read, so the judge was asked again."""
    outcome: str
    score: float | None
    reason: str
    """As read from this reply; for an error why there is no verdict."""
    reply: str | None
    """Raw text; None where none came."""
    finish_reason: str | None = None
    variant: str | None = None
    """Of a pairwise call: 'AB' (the record's answer is A) or 'BA'."""


class Finding(NamedTuple):
    """What one rule says of one record."""

    outcome: Outcome
    category: Category | None = None
    """None for pass and skip."""
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    score: float | None = None
    """In [0, 1] where the rule has one (e.g. `support`), else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One row per record and check; the fields are the Parquet columns (docs/columns.md)."""

    run_id: str = ""
    run_kind: RunKind = "check"
    run_at: datetime | None = None
    """Start of the run, UTC."""
    app: str = ""
    app_version: str = ""
    model: str | None = None
    prompt_version: str | None = None
    index_version: str | None = None
    record_id: str
    question_id: str | None = None
    stratum: str | None = None
    answerable: bool | None = None
    """From the golden question; None for records that match none."""
    asked_at: datetime | None = None
    check: str
    """Name of the rule or criterion."""
    check_kind: CheckKind
    check_version: str = "1"
    outcome: Outcome
    score: float | None = None
    """On the scale scale_min..scale_max; None when the outcome is error or skip."""
    scale_min: float | None = None
    scale_max: float | None = None
    pass_mark: float | None = None
    category: Category | None = None
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    severity: Literal["gate", "warn"] = "gate"
    """'gate': a failure fails the answer; 'warn': it is shown only."""
    judge_provider: str | None = None
    judge_model: str | None = None
    """As asked for in the settings."""
    judge_model_reported: str | None = None
    """As the provider named it in the reply."""
    rubric: str | None = None
    rubric_version: str | None = None
    request_hash: str | None = None
    """SHA-256 over all that shapes the verdict: prompt, rubric, judge model, parameters."""
    reply: str | None = None
    """Raw text of the judge's reply, kept for errors too."""
    other_replies: tuple[OtherReply, ...] = ()
    """The other calls made for this verdict, in the order of asking; attempts, tokens and cost are those of all."""
    finish_reason: str | None = None
    request_id: str | None = None
    attempts: int | None = None
    """Requests sent for this verdict, the first included; 0 when reused."""
    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    """None when no price is configured: unknown is not free."""
    reused: bool = False
    """True: taken from the store, because the exact same request was paid for before."""
    repeats: int | None = None
    """Calls that were made for this verdict, where it was asked for more than once; else None."""
    agreeing: int | None = None
    """How many of `repeats` agree with the verdict."""
    repairs: tuple[str, ...] = ()
    """What had to be mended before the reply could be read, e.g. 'fence_removed'."""
    flags: tuple[str, ...] = ()
    """'possible_injection', 'same_family', 'canary', 'ambiguous_separator', ...; none changes a score."""
    weight: float = 1.0
    """Inverse sampling probability, >= 1."""
    extra: dict[str, str] = field(default_factory=dict)
    """Details of one check, e.g. the refused parameter; text only."""


class RunStamp(NamedTuple):
    """What every row of one run shares."""

    run_id: str
    run_kind: RunKind
    run_at: datetime
    """Start of the run, UTC."""


class StoredReply(NamedTuple):
    """A judge's reply that was paid for in an earlier run and may be used again for the exact same request."""

    request_hash: str
    reply: str
    finish_reason: str | None
    judge_model_reported: str | None
    request_id: str | None
    run_id: str
    """The run that paid for it."""
    run_at: datetime
    """Start of that run, UTC; the reply's age counts from here."""


def record_columns(record: AnswerRecord, golden: GoldenQuestion | None) -> dict[str, Any]:
    """The columns of `Verdict` that all rows of one record share, whatever the check."""
    return {
        "app": record.app,
        "app_version": record.app_version,
        "model": record.model,
        "prompt_version": record.prompt_version,
        "index_version": record.index_version,
        "record_id": record.record_id,
        "question_id": record.question_id or (golden.question_id if golden else None),
        "stratum": golden.stratum if golden else None,
        "answerable": golden.answerable if golden else None,
        "asked_at": record.asked_at,
    }
