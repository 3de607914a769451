"""A run becomes readable in one step, once, whatever happens on the way."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from goldassay.analytics.connect import connect
from goldassay.store import RunManifest, Store, open_store
from goldassay.store.files import LocalFiles
from goldassay.store.schema import VERDICT_SCHEMA
from goldassay.verdicts import Outcome, Verdict

Stage = Callable[..., RunManifest]


class Breaking(LocalFiles):
    """Breaks at the n-th write: before it takes its name, or right after."""

    def __init__(self, root: Path, at: int, *, after: bool) -> None:
        super().__init__(root)
        self.left, self.after = at, after

    def replacing(self, path: str) -> AbstractContextManager[Path]:
        return self._breaking(path)

    @contextlib.contextmanager
    def _breaking(self, path: str) -> Iterator[Path]:
        self.left -= 1
        with super().replacing(path) as temporary:
            yield temporary
            if self.left == 0 and not self.after:
                raise KeyboardInterrupt
        if self.left == 0:
            raise KeyboardInterrupt


def everything(store: Store) -> dict[str, Any]:
    """All that a reader can see: manifests, rows, file names and digests."""
    with connect(store) as connection:
        rows = connection.execute("SELECT run_id, record_id, outcome FROM verdicts ORDER BY ALL").fetchall()
    runs = [run.model_dump() for run in store.runs()]
    return {"rows": rows, "runs": runs}


def test_nothing_is_seen_before_the_manifest(store: Store, stage_run: Stage) -> None:
    """Staged parts are nobody's business; a published run is whole."""
    manifest = stage_run(store, "run-1")
    assert store.runs() == []
    assert store.live_files() == {}

    published = store.publish("run-1", manifest)

    assert store.runs() == [published]
    assert {entry.path for entry in published.files} == set(store.live_files())
    assert len(list(store.verdicts_of("run-1"))) == len(list(store.answers_of("run-1"))) == 6
    assert not store.staging("run-1").folder.exists()


@pytest.mark.parametrize("after", [False, True], ids=["before the rename", "after the rename"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_break_at_any_step_and_publishing_again_gives_the_same(
    tmp_path: Path,
    stage_run: Stage,
    at: int,
    after: bool,  # noqa: FBT001 - parametrised
) -> None:
    """Answers, verdicts, manifest: wherever it stops, the second try ends where an unbroken one does."""
    whole = open_store(tmp_path / "whole")
    whole.publish("run-1", stage_run(whole, "run-1"))
    root = tmp_path / "broken"
    manifest = stage_run(open_store(root), "run-1")

    with pytest.raises(KeyboardInterrupt):
        Store(Breaking(root, at, after=after), work_dir=root).publish("run-1", manifest)
    seen_between = open_store(root).runs()
    open_store(root).publish("run-1", manifest)

    assert seen_between == ([] if (at, after) != (3, True) else open_store(root).runs())
    assert everything(open_store(root)) == everything(whole)
    assert [problem for problem in open_store(root).verify() if problem.severity == "error"] == []


def _publish_and_die(root: Path, manifest: RunManifest, at: int) -> None:
    class Killed(LocalFiles):
        left = at

        @contextlib.contextmanager
        def replacing(self, path: str) -> Iterator[Path]:
            Killed.left -= 1
            with super().replacing(path) as temporary:
                yield temporary
                if Killed.left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

    Store(Killed(root), work_dir=root).publish(manifest.run_id, manifest)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_killed_process_leaves_a_store_that_goes_on(tmp_path: Path, stage_run: Stage, at: int) -> None:
    """A kill -9 between flush and rename: no reader is harmed, and the next publish completes the run."""
    store = open_store(tmp_path / "store")
    manifest = stage_run(store, "run-1")
    process = multiprocessing.get_context("fork").Process(
        target=_publish_and_die, args=(Path(store.address), manifest, at)
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert everything(store) == {"rows": [], "runs": []}

    store.publish("run-1", manifest)

    assert len(everything(store)["rows"]) == 6
    assert [problem for problem in store.verify() if problem.severity == "error"] == []


def _publish(root: str, run_id: str, manifest: RunManifest, barrier: Any) -> None:
    barrier.wait()
    open_store(root).publish(run_id, manifest)


def test_two_runs_publish_at_once(tmp_path: Path, stage_run: Stage) -> None:
    """Same app, same month, same moment: file names carry the run, so nothing is overwritten."""
    store = open_store(tmp_path / "store")
    manifests = [stage_run(store, f"run-{n}", rows=10 * n) for n in (1, 2, 3)]
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(3)
    processes = [context.Process(target=_publish, args=(store.address, m.run_id, m, barrier)) for m in manifests]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    with connect(store) as connection:
        counted = connection.execute("SELECT run_id, count(*) FROM verdicts GROUP BY 1 ORDER BY 1").fetchall()
    assert counted == [("run-1", 10), ("run-2", 20), ("run-3", 30)]


def test_publishing_a_published_run_changes_nothing(store: Store, stage_run: Stage) -> None:
    """A second publish returns the first one's manifest and clears what was staged since."""
    first = store.publish("run-1", stage_run(store, "run-1", rows=6))

    second = store.publish("run-1", stage_run(store, "run-1", rows=60))

    assert second == first
    assert len(list(store.verdicts_of("run-1"))) == 6
    assert not store.staging("run-1").folder.exists()


def test_rows_are_stamped_with_their_run_and_sorted(store: Store, stage_run: Stage) -> None:
    """Whatever the staged part says, the row carries the run it is published in."""
    manifest = stage_run(store, "run-1")
    more = [
        Verdict(app="atlas", app_version=v, record_id="x", check=c, check_kind="rule", outcome=Outcome.PASS)
        for v in ("2", "1.10", "1.9")
        for c in ("refusal", "cites")
    ]
    store.staging("run-1").write_verdicts("judge", 0, more)

    published = store.publish("run-1", manifest)

    (path,) = [entry.path for entry in published.files if entry.path.startswith("verdicts/")]
    table = pq.read_table(Path(store.address) / path, partitioning=None)
    assert table.schema.equals(VERDICT_SCHEMA)
    assert table.schema.metadata[b"goldassay.schema_version"] == b"1"
    assert set(table.column("run_id").to_pylist()) == {"run-1"}
    keys = list(zip(table.column("app_version").to_pylist(), table.column("check").to_pylist(), strict=True))
    assert keys == sorted(keys)


def test_each_app_has_its_own_partition(store: Store, stage_run: Stage) -> None:
    """A run over several apps keeps them apart, names encoded."""
    manifest = stage_run(store, "run-1", app="at/las")
    other = Verdict(app="..", record_id="x", check="cites", check_kind="rule", outcome=Outcome.PASS)
    store.staging("run-1").write_verdicts("more", 0, [other])

    published = store.publish("run-1", manifest)

    folders = {entry.path.split("/")[1] for entry in published.files}
    assert folders == {"app=at%2Flas", "app=%2E%2E"}


def test_a_manifest_from_elsewhere_does_not_hide_the_runs(
    store: Store, stage_run: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    """A half-written or foreign file in runs/ is left out, and said so."""
    store.publish("run-1", stage_run(store, "run-1"))
    runs = Path(store.address) / "runs"
    (runs / "half.json").write_text('{"run_id": "half"')
    (runs / "foreign.json").write_text(json.dumps({"hello": 1}))
    (runs / "notes.txt").write_text("mine")

    assert [run.run_id for run in store.runs()] == ["run-1"]
    assert "half.json is no manifest" in caplog.text


def test_a_manifest_of_newer_code_is_read(store: Store, stage_run: Stage) -> None:
    """Fields that this version does not know are ignored."""
    store.publish("run-1", stage_run(store, "run-1"))
    path = Path(store.address) / "runs" / "run-1.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"moon_phase": "full"}))

    assert store.run("run-1").run_id == "run-1"


def test_large_runs_are_cut_into_files(store: Store, stage_run: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded: a file holds at most so many rows, and the numbers go on."""
    monkeypatch.setattr("goldassay.store.publish._FILE_ROWS", 4)
    manifest = stage_run(store, "run-1", rows=2)
    for shard in range(1, 6):
        rows = [
            Verdict(app="atlas", record_id=f"{shard}-{n}", check="c", check_kind="rule", outcome=Outcome.PASS)
            for n in range(3)
        ]
        store.staging("run-1").write_verdicts("rules", shard, rows)

    published = store.publish("run-1", manifest)

    names = sorted(Path(e.path).name for e in published.files if e.path.startswith("verdicts/"))
    assert names == ["run-1-0.parquet", "run-1-1.parquet", "run-1-2.parquet"]
    assert len(list(store.verdicts_of("run-1"))) == 17


def test_a_run_without_verdicts_is_a_run(store: Store) -> None:
    """An empty night has a manifest, and moves the watermark."""
    end = datetime(2026, 11, 28, tzinfo=UTC)
    store.publish("run-1", RunManifest(run_id="run-1", run_kind="nightly", run_at=end, app="atlas", window_end=end))

    assert store.watermark("atlas") == end
    assert list(store.verdicts_of("run-1")) == []


def test_nobody_is_told_to_delete_the_files_of_a_broken_manifest(store: Store, stage_run: Stage) -> None:
    """A cut manifest leaves good files without a name; they are the run, and must be kept."""
    store.publish("run-1", stage_run(store, "run-1"))
    path = Path(store.address) / "runs" / "run-1.json"
    path.write_bytes(path.read_bytes()[:50])

    problems = store.verify()

    assert problems[0].severity == "error"
    assert "Restore it" in problems[0].hint
    nameless = [problem for problem in problems if "named by no manifest" in problem.what]
    assert nameless
    assert all("Keep it" in problem.hint and "delete" not in problem.hint for problem in nameless)
