"""Nights without a new answer: which are an alarm."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from goldassay.stages.pull import NothingNewError
from goldassay.store import RunManifest, open_store
from tasks import pull
from tasks.plan import plan_nightly

LINE = '{"id": "a", "question": "Q?", "answer": "A.", "sources": [], "asked_at": "2026-01-01T00:00:00Z"}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose only answer is old, and whose last night looked at the log an hour ago."""
    (tmp_path / "goldassay.toml").write_text('app = "atlas"\n[answers]\npath = "log.jsonl"\n', encoding="utf-8")
    (tmp_path / "log.jsonl").write_text(LINE, encoding="utf-8")
    ended = datetime.now(UTC) - timedelta(hours=1)
    night = RunManifest(run_id="r1", run_kind="nightly", run_at=ended, app="atlas", window_end=ended)
    open_store(tmp_path / "store").publish("r1", night)
    return tmp_path


async def _pull(project: Path, monkeypatch: pytest.MonkeyPatch, *, due_hours_ago: float) -> int | None:
    due = datetime.now(UTC) - timedelta(hours=due_hours_ago)
    monkeypatch.setattr(pull, "flow_run", SimpleNamespace(get_scheduled_start_time=lambda: due))
    monkeypatch.setattr(pull, "get_run_logger", lambda: logging.getLogger("test"))
    plan = await plan_nightly.fn(str(project), None, None, None, None, [])
    shards: int | None = await pull.pull.fn(plan)
    return shards


async def test_of_several_nights_that_are_due_at_once_only_the_first_has_answers(project, monkeypatch):
    """After two days without a worker three nights begin together: the two that find nothing are no alarm."""
    assert await _pull(project, monkeypatch, due_hours_ago=26) is None


async def test_a_night_that_is_due_after_the_last_one_must_find_answers(project, monkeypatch):
    """An empty night is not a passed night."""
    with pytest.raises(NothingNewError, match="lie outside the window"):
        await _pull(project, monkeypatch, due_hours_ago=0)


async def test_a_broken_line_is_an_alarm_also_in_a_night_that_was_covered(project, monkeypatch):
    """Nothing could be read, which is not the same as nothing new."""
    with (project / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write("{broken\n")

    with pytest.raises(NothingNewError):
        await _pull(project, monkeypatch, due_hours_ago=26)
