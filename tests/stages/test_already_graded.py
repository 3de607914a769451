"""A change that was graded is not graded twice, and asking again never opens a gate that is shut."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from goldassay.analytics.gate import GateConfig
from goldassay.stages.golden import already_graded, baseline_of, graded_words
from goldassay.stages.plan import RunPlan
from goldassay.store import RunManifest, Store, open_store

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path / "store")


def _graded(store: Store, run_id: str, at: datetime = NOW, **fields: Any) -> RunManifest:
    known = {"intent": "i", "golden_digest": "g", **fields}
    return store.publish(run_id, RunManifest(run_id=run_id, run_kind="golden", run_at=at, app="a", **known))


def _plan(**fields: Any) -> RunPlan:
    known = {"run_id": "new", "run_at": NOW + timedelta(hours=1), "intent": "i", "app_version": "2", **fields}
    return RunPlan(run_kind="golden", app="a", project=".", store="store", settings={}, **known)


def test_the_same_version_against_the_same_golden_set_was_graded(store: Store) -> None:
    """By intent and golden set, within hours."""
    run = _graded(store, "r1")

    assert already_graded(store, _plan(), golden_digest="g") == run


@pytest.mark.parametrize(
    ("plan", "digest"),
    [
        pytest.param({"intent": "other"}, "g", id="other-settings"),
        pytest.param({}, "edited", id="golden-set-edited"),
        pytest.param({"app_version": None}, "g", id="no-version-named"),
        pytest.param({"run_at": NOW + timedelta(hours=30)}, "g", id="long-ago"),
        pytest.param({"run_id": "r1"}, "g", id="itself"),
    ],
)
def test_anything_else_is_graded(store: Store, plan: dict[str, Any], digest: str) -> None:
    """A gate's answer holds for exactly what was asked."""
    _graded(store, "r1")

    assert already_graded(store, _plan(**plan), golden_digest=digest) is None


def test_a_run_without_baseline_stays_not_evaluable_until_it_is_accepted(store: Store) -> None:
    """Asking twice is no answer; accepting is."""
    run = _graded(store, "r1")

    before = graded_words(store, run, None)
    store.accept("r1")
    after = graded_words(store, run, None)

    assert (before["state"], after["state"]) == ("not_evaluable", "pass")
    assert before["run_id"] == after["run_id"] == "r1"
    assert "already graded by r1" in before["sentence"]


def test_a_run_is_compared_with_what_came_before_it(store: Store) -> None:
    """A run that is looked at once more is not compared with its successor."""
    _graded(store, "r0", NOW - timedelta(days=1))
    _graded(store, "r1")
    _graded(store, "r2", NOW + timedelta(hours=2))

    assert baseline_of(store, _plan(run_id="r1", run_at=NOW), GateConfig()) == "r0"
