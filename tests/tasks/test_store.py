"""What a run's manifest says of the golden set."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from goldassay.records import GoldenQuestion
from goldassay.sources import GoldenSet
from goldassay.store import RunManifest, open_store
from tasks.store import _asked

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "source_run", "asked"),
    [
        pytest.param("golden", None, 2, id="a-golden-run-is-put-all-questions"),
        pytest.param("nightly", None, None, id="a-night-is-put-none"),
        pytest.param("rejudge", "g", 3, id="judged-again-it-stands-for-as-many-as-before"),
        pytest.param("rejudge", "n", None, id="a-night-judged-again"),
    ],
)
def test_the_manifest_says_how_many_golden_questions_were_put(
    tmp_path: Path, kind: str, source_run: str | None, asked: int | None
) -> None:
    """The gate counts the answers against it, also where the answers were judged again."""
    store = open_store(tmp_path / "store")
    store.publish("g", RunManifest(run_id="g", run_kind="golden", run_at=NOW, app="a", golden_questions=3))
    store.publish("n", RunManifest(run_id="n", run_kind="nightly", run_at=NOW, app="a"))
    golden = GoldenSet(questions=tuple(GoldenQuestion(question_id=q, question=q) for q in ("one", "two")))
    bench = SimpleNamespace(store=store, plan=SimpleNamespace(run_kind=kind, source_run=source_run))

    assert _asked(bench, golden) == asked  # type: ignore[arg-type]  # all that is read of a bench
