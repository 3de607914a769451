"""What a run says of itself: one JSON manifest a run, written last, so that readers see whole runs only."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from goldassay.verdicts import RunKind

__all__ = ["FileEntry", "JudgeInfo", "RunCounts", "RunManifest"]

_MODEL = ConfigDict(frozen=True, extra="ignore")


class FileEntry(BaseModel):
    """One Parquet file of the store."""

    model_config = _MODEL

    path: str
    """Relative to the store, with '/'."""
    rows: int
    bytes: int
    sha256: str
    """Of the whole file, lower-case hex."""
    schema_version: str = "1"


class RunCounts(BaseModel):
    """How many of what; all zero for what a run did not do."""

    model_config = _MODEL

    records: int = 0
    rejected: int = 0
    """Lines of the log that could not be read as a record."""
    checked: int = 0
    """Records the rules ran on."""
    selected: int = 0
    """Records chosen for the judge."""
    verdicts: int = 0
    """Verdict rows, of rules and judge."""
    judged: int = 0
    """Judge verdicts that could be read (pass or fail)."""
    errors: int = 0
    """Verdicts with outcome error."""
    skipped: int = 0
    reused: int = 0
    """Judge verdicts taken from earlier runs instead of paid for."""


class JudgeInfo(BaseModel):
    """Which judge graded the run."""

    model_config = _MODEL

    provider: str | None = None
    model: str | None = None
    models_reported: tuple[str, ...] = ()
    """As the provider named them in its replies."""


class RunManifest(BaseModel):
    """One finished run; the file runs/<run_id>.json."""

    model_config = _MODEL

    schema_version: str = "1"
    run_id: str
    run_kind: RunKind
    run_at: datetime
    """Start, UTC."""
    finished_at: datetime | None = None
    app: str
    app_version: str = ""
    """The version of most records."""
    app_versions: tuple[str, ...] = ()
    """All versions seen, sorted."""
    model: str | None = None
    prompt_version: str | None = None
    index_version: str | None = None
    status: Literal["complete", "partial"] = "complete"
    """'partial': stopped by a budget or by hand; it does not move the watermark."""
    window_start: datetime | None = None
    """First moment of the log the run covers; None for runs without a window."""
    window_end: datetime | None = None
    """First moment behind it."""
    counts: RunCounts = RunCounts()
    gate: tuple[str, ...] = ()
    """Checks whose failure fails an answer."""
    rubric: str | None = None
    rubric_version: str | None = None
    rule_versions: dict[str, str] = Field(default_factory=dict)
    judge: JudgeInfo = JudgeInfo()
    sampling: dict[str, Any] = Field(default_factory=dict)
    """Settings of the selection and what came of them, e.g. {'wanted': 200, 'stratify': ['lang']}."""
    cost_usd: float | None = None
    """None when no price is configured."""
    calls: int = 0
    """Requests sent to the judge."""
    settings_digest: str | None = None
    golden_digest: str | None = None
    golden_questions: int | None = None
    """Questions of the whole golden set; None for a run that was not put all of them."""
    intent: str = ""
    """Digest of what was asked for: the same request a short while later is the same change told twice."""
    files: tuple[FileEntry, ...] = ()
    """Filled by `Store.publish`."""
    notes: tuple[str, ...] = ()
    """Sentences for the report, e.g. why nothing was judged."""
    rejected_samples: tuple[dict[str, Any], ...] = ()
    """Some rejected lines: file, line, reason, raw."""
    baseline: bool = False
    """True when this run is its app's accepted baseline; set on reading, kept in baselines/."""

    @field_validator("run_at", "finished_at", "window_start", "window_end")
    @classmethod
    def _in_utc(cls, value: datetime | None) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    @property
    def moves_watermark(self) -> bool:
        """Whether the next nightly run begins where this one's window ends."""
        return self.status == "complete" and self.run_kind in {"nightly", "backfill"} and self.window_end is not None
