"""Small stores to look at: one function makes and publishes a run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.store import RunManifest, Store, open_store
from goldassay.verdicts import Category, Evidence, Outcome, Verdict

NIGHT = datetime(2026, 11, 28, 1, tzinfo=UTC)


def _record(number: int, app: str, version: str) -> AnswerRecord:
    return AnswerRecord(
        record_id=f"rec-{number}",
        question="How much is it?",
        answer=f"It is {number} EUR [1].",
        sources=(Source(id="1", text=f"It costs {number} EUR.", score=0.5),),
        asked_at=NIGHT,
        app=app,
        app_version=version,
        tags={"lang": "en"},
    )


def _verdict(number: int, app: str, version: str) -> Verdict:
    failed = number % 3 == 0
    return Verdict(
        app=app,
        app_version=version,
        record_id=f"rec-{number}",
        question_id=f"q-{number}",
        check="numbers",
        check_kind="rule",
        outcome=Outcome.FAIL if failed else Outcome.PASS,
        category=Category.WRONG_NUMBER if failed else None,
        reason="7 is in no source" if failed else "",
        evidence=(Evidence("number", "7", 6, 7, None),) if failed else (),
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store in a folder of its own."""
    return open_store(tmp_path / "store")


@pytest.fixture
def stage_run() -> Callable[..., RunManifest]:
    """Stage a run without publishing it; returns its manifest."""

    def stage(store: Store, run_id: str, *, rows: int = 6, app: str = "atlas", **fields: Any) -> RunManifest:
        version = str(fields.get("app_version", "1.10"))
        staging = store.staging(run_id)
        golden = [
            GoldenQuestion(question_id=f"q-{n}", question="How much?", key_facts=(("7", "seven"),)) for n in range(rows)
        ]
        staging.write_answers(0, [_record(n, app, version) for n in range(rows)], golden)
        staging.write_verdicts("rules", 0, (_verdict(n, app, version) for n in range(rows)))
        known = {"run_kind": "nightly", "run_at": NIGHT, "app": app, "app_version": version} | fields
        return RunManifest(run_id=run_id, **known)

    return stage


@pytest.fixture
def publish_run(stage_run: Callable[..., RunManifest]) -> Callable[..., RunManifest]:
    """Stage and publish a run; returns its manifest."""

    def publish(store: Store, run_id: str, **fields: Any) -> RunManifest:
        return store.publish(run_id, stage_run(store, run_id, **fields))

    return publish


@pytest.fixture(autouse=True)
def _no_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else takes a stale lease here, so nobody waits for them."""
    monkeypatch.setattr("goldassay.store.remote_lease._SETTLE_S", 0.0)
