"""Golden runs from the log: the newest answer of the version, and what is said when there is none."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from goldassay.errors import RunError
from goldassay.records import GoldenQuestion
from goldassay.sources import AnswersConfig, GoldenSet
from goldassay.stages.plan import RunPlan
from goldassay.stages.pull import PullReport, latest_answers, pull_records
from goldassay.store import open_store

QUESTION = "How long is the trial?"


@pytest.fixture
def plan(tmp_path):
    """A golden run of version 2026.12.0 over a log that holds two others."""
    versions = ["2026.10.1", "2026.11.0", "2026.11.0"]
    rows = [
        {"id": str(number), "question": QUESTION, "answer": "14 days.", "app": "atlas", "app_version": version}
        for number, version in enumerate(versions)
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return RunPlan(
        run_id="r1",
        run_kind="golden",
        run_at=datetime(2026, 11, 30, tzinfo=UTC),
        app="atlas",
        project=str(tmp_path),
        store=str(tmp_path / "store"),
        settings={},
        app_version="2026.12.0",
    )


def _latest(plan, report):
    golden = GoldenSet([GoldenQuestion(question_id="trial", question=QUESTION)])
    return latest_answers(plan, AnswersConfig(path="log.jsonl"), golden, report)


def test_a_version_that_the_log_does_not_hold_is_answered_by_the_names_it_does_hold(plan):
    """Whoever misspelt the version reads how it is spelt, each once."""
    report = PullReport()

    found = _latest(plan, report)
    with pytest.raises(RunError, match="no answer of app 'atlas'") as told:
        pull_records(plan, open_store(plan.store).staging(plan.run_id), found, shard_size=10, report=report)

    assert str(told.value).endswith(
        "1 golden question has no answer of this version. The log answers them with app_version '2026.10.1'; "
        "app_version '2026.11.0': check the version's name."
    )


def test_the_newest_answer_of_the_version_is_taken(plan):
    """Of two answers without a time the later line counts."""
    report = PullReport()

    (found,) = _latest(plan.model_copy(update={"app_version": "2026.11.0"}), report)

    assert found.record.record_id == "2"
    assert report.missing_questions == []
