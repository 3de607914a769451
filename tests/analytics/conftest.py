"""Small stores made of verdict rows, and what every analytics test needs to make them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.store.manifest import JudgeInfo, RunCounts, RunManifest
from goldassay.store.store import Store, open_store
from goldassay.verdicts import Category, Outcome, RunKind, RunStamp, Verdict

FIRST_NIGHT = datetime(2026, 3, 30, 2, tzinfo=UTC)
"""Two nights before the end of a month, so that runs lie in several folders."""

JUDGE = {"judge_provider": "openai", "judge_model": "judge-large", "rubric": "rag", "rubric_version": "1"}


def make_verdict(run_id: str, record_id: str, check: str, outcome: str, **fields: Any) -> Verdict:
    """A verdict of run `run_id` (an id 'n3' is the third night) with sensible fields."""
    judged = check in {"faithful", "relevant", "correct"}
    night = int("".join(filter(str.isdigit, run_id)) or 0)
    run_at = FIRST_NIGHT + timedelta(days=night)
    default_category = {"fail": Category.OTHER, "error": Category.UNREADABLE_REPLY}.get(outcome)
    given: dict[str, Any] = {
        "run_kind": "nightly",
        "run_at": run_at,
        "asked_at": run_at - timedelta(hours=6),
        "app": "atlas",
        "app_version": "v1",
        "check_kind": "judge" if judged else "rule",
        "category": default_category,
        **(
            {"judge_provider": "openai", "judge_model": "judge-large", "rubric": "rag", "rubric_version": "1"}
            if judged
            else {}
        ),
    }
    return Verdict(run_id=run_id, record_id=record_id, check=check, outcome=Outcome(outcome), **given | fields)


def publish(
    store: Store,
    run_id: str,
    verdicts: Sequence[Verdict],
    *,
    answers: Sequence[AnswerRecord] | None = None,
    golden: Sequence[GoldenQuestion | None] | None = None,
    kind: RunKind = "nightly",
    **manifest: Any,
) -> RunManifest:
    """Write one run through the store's own front door."""
    night = int("".join(filter(str.isdigit, run_id)) or 0)
    run_at = FIRST_NIGHT + timedelta(days=night)
    by_record = {v.record_id: v for v in verdicts}
    records = [answer_of(verdict) for verdict in by_record.values()] if answers is None else list(answers)
    staging = store.staging(run_id)
    staging.write_answers(0, records, golden, stamp=RunStamp(run_id, kind, run_at))
    staging.write_verdicts("rules", 0, verdicts)
    versions = tuple(sorted({v.app_version for v in verdicts}))
    return store.publish(
        run_id,
        RunManifest(
            run_id=run_id,
            run_kind=kind,
            run_at=run_at,
            app="atlas",
            app_version=versions[0] if versions else "",
            app_versions=versions,
            counts=RunCounts(records=len(records), checked=len(records), verdicts=len(verdicts)),
            judge=JudgeInfo(provider="openai", model="judge-large"),
            **manifest,
        ),
    )


def answer_of(verdict: Verdict) -> AnswerRecord:
    """The answer behind a verdict: it cites its second source."""
    question = verdict.question_id or verdict.record_id
    return AnswerRecord(
        record_id=verdict.record_id,
        question_id=verdict.question_id,
        question=f"What about {question}?",
        answer=f"The answer to {question} [2].",
        sources=(Source(id="D1", text="one", title="First"), Source(id="D2", text="two", title="Second")),
        asked_at=verdict.asked_at,
        app=verdict.app,
        app_version=verdict.app_version,
        model=verdict.model,
        prompt_version=verdict.prompt_version,
        index_version=verdict.index_version,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path / "store")


@pytest.fixture
def verdict() -> Callable[..., Verdict]:
    """Makes a verdict, see `make_verdict`."""
    return make_verdict


@pytest.fixture
def publish_run() -> Callable[..., RunManifest]:
    """Publishes a run, see `publish`."""
    return publish
