"""Compaction, retention and verification, beside readers and writers."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from goldassay.analytics.connect import connect
from goldassay.errors import RunError, StoreError
from goldassay.store import FileEntry, Label, RunManifest, Store, open_store
from goldassay.store.catalog import Catalog
from goldassay.store.commits import Commit, new_commit
from goldassay.store.compaction import compact
from goldassay.store.files import LocalFiles

Publish = Callable[..., RunManifest]
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
HISTORY = """
SELECT app_version, "check", outcome, category, count(*), sum(weight) FROM verdicts GROUP BY ALL ORDER BY ALL
"""


def ask(store: Store, sql: str) -> list[tuple[Any, ...]]:
    """Run one SQL over the store."""
    with connect(store) as connection:
        return connection.execute(sql).fetchall()


def nights(store: Store, publish_run: Publish, count: int, *, months: int = 1) -> None:
    """Publish some nights."""
    for n in range(count):
        at = datetime(2026, 11 - n % months, 1 + n, tzinfo=UTC)
        publish_run(store, f"night-{n:02d}", rows=5 + n, run_at=at, app_version=f"v{n // 2}", window_end=at)


def test_compaction_changes_the_files_and_nothing_else(store: Store, publish_run: Publish) -> None:
    """History, runs and a single run's rows are the same before and after."""
    nights(store, publish_run, 8, months=2)
    store.add_labels(
        [
            Label(
                labelled_at=NOW, labeller="me", run_id="night-01", app="atlas", record_id="r", check="c", outcome="pass"
            )
        ]
    )
    before = ask(store, HISTORY), store.runs(), list(store.verdicts_of("night-03")), list(store.answers_of("night-03"))

    report = store.compact(min_files=2, now=NOW)

    assert (report.files_before, report.files_after) == (17, 5)
    after = ask(store, HISTORY), store.runs(), list(store.verdicts_of("night-03")), list(store.answers_of("night-03"))
    assert after == before
    assert ask(store, "SELECT count(*) FROM labels") == [(1,)]
    assert [p for p in store.verify() if p.severity == "error"] == []


def test_a_reader_with_the_old_list_goes_on_until_the_grace_is_over(store: Store, publish_run: Publish) -> None:
    """Replaced files stay for an hour; then the next compaction deletes them."""
    nights(store, publish_run, 4)
    reader = connect(store)
    expected = reader.execute(HISTORY).fetchall()

    first = store.compact(min_files=2, now=NOW)
    assert (first.deleted, first.waiting) == (0, 8)
    assert reader.execute(HISTORY).fetchall() == expected
    assert store.compact(min_files=2, now=NOW + timedelta(minutes=50)).deleted == 0

    second = store.compact(min_files=2, now=NOW + timedelta(minutes=61))

    assert (second.deleted, second.waiting) == (8, 0)
    assert ask(store, HISTORY) == expected
    assert store.verify() == []


def test_new_runs_join_what_is_compacted(store: Store, publish_run: Publish) -> None:
    """Compaction can be run every week: generations replace one another."""
    nights(store, publish_run, 4)
    store.compact(min_files=2, now=NOW)
    publish_run(store, "later", run_at=datetime(2026, 11, 20, tzinfo=UTC), app_version="v9")
    before = ask(store, HISTORY)

    store.compact(min_files=2, now=NOW + timedelta(days=1))
    store.compact(min_files=2, now=NOW + timedelta(days=2))

    assert ask(store, HISTORY) == before
    assert len(store.live_files()) == 2
    assert len(list((Path(store.address) / "verdicts").rglob("*.parquet"))) == 1
    assert len(list(store.verdicts_of("later"))) == 6
    assert len(list(store.verdicts_of("night-01"))) == 6


def test_publishing_a_compacted_run_again_changes_nothing(store: Store, publish_run: Publish) -> None:
    """A retry that comes late does not double the rows."""
    nights(store, publish_run, 4)
    store.compact(min_files=2, grace_s=0, now=NOW)
    before = ask(store, HISTORY)

    publish_run(store, "night-01", rows=99)

    assert ask(store, HISTORY) == before


def test_a_compaction_that_dies_before_its_commit_is_as_if_it_never_began(
    store: Store, publish_run: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its merged file is an orphan that no query reads and a later compaction deletes."""
    nights(store, publish_run, 4)
    before = ask(store, HISTORY)
    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "write_commit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            store.compact(min_files=2, now=NOW)
    assert ask(store, HISTORY) == before
    assert [p.what for p in store.verify()] == ["is named by no manifest"]
    (stray,) = (Path(store.address) / "answers").rglob("compacted-*")
    long_ago = (NOW - timedelta(days=2)).timestamp()
    os.utime(stray, (long_ago, long_ago))

    store.compact(min_files=2, now=NOW)

    assert not stray.exists()
    assert ask(store, HISTORY) == before


def test_many_commits_are_folded_into_one(store: Store, publish_run: Publish) -> None:
    """Labels one by one leave a commit each; old ones become one that says the same."""
    nights(store, publish_run, 4)
    store.compact(min_files=2, now=NOW)
    for n in range(30):
        moment = NOW + timedelta(minutes=n)
        store.add_labels(
            [
                Label(
                    labelled_at=moment,
                    labeller="me",
                    run_id="r",
                    app="atlas",
                    record_id=str(n),
                    check="c",
                    outcome="pass",
                )
            ]
        )
    before = ask(store, HISTORY), ask(store, "SELECT record_id FROM labels ORDER BY 1")
    far = datetime.now(UTC) + timedelta(days=30)

    store.compact(min_files=2, now=far)
    store.compact(min_files=2, now=far + timedelta(days=1))

    assert (ask(store, HISTORY), ask(store, "SELECT record_id FROM labels ORDER BY 1")) == before
    assert len(list((Path(store.address) / "commits").iterdir())) <= 2
    assert len(list((Path(store.address) / "labels").rglob("*.parquet"))) == 1
    assert store.verify() == []


def _entry(path: str) -> FileEntry:
    return FileEntry(path=path, rows=1, bytes=1, sha256="0")


def _changes() -> list[Commit]:
    """Two machines merge the same files twice without seeing each other: the second and the fifth do not count."""
    steps: list[tuple[Any, str, str]] = [
        ("compaction", "x", "ab"),
        ("compaction", "u", "ab"),
        ("labels", "l", ""),
        ("compaction", "y", "xc"),
        ("compaction", "v", "xd"),
        ("labels", "m", ""),
    ]
    return [
        new_commit(reason, map(_entry, add), remove, now=NOW + timedelta(days=day))
        for day, (reason, add, remove) in enumerate(steps)
    ]


@pytest.mark.parametrize("old", range(1, 7))
def test_a_fold_that_is_killed_anywhere_changes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: int
) -> None:
    """Nor does the next one: no row is doubled, none is lost, whichever commits are deleted already."""
    monkeypatch.setattr("goldassay.store.compaction._FOLD_AFTER", 0)
    files = LocalFiles(tmp_path)
    catalog = Catalog(files)
    for name in "abcd":
        known = {"run_kind": "nightly", "run_at": NOW, "app": "atlas"}
        catalog.write_manifest(RunManifest(run_id=name, files=(_entry(name),), **known))
    for commit in _changes():
        catalog.write_commit(commit)
    seen: list[set[str]] = []
    real = files.remove

    def remove(path: str) -> None:
        real(path)
        seen.append(set(catalog.snapshot().files))

    monkeypatch.setattr(files, "remove", remove)

    for day in (old - 1, 30):
        compact(files, catalog, min_files=99, grace=timedelta(0), now=NOW + timedelta(days=day))

    assert seen
    assert all(names == {"d", "l", "m", "y"} for names in seen)
    assert len(catalog.commits()) == 1


def test_readers_and_writers_go_on_while_files_are_merged(store: Store, publish_run: Publish) -> None:
    """Counts seen by readers never fall and never double; every night published meanwhile is there at the end."""
    nights(store, publish_run, 6)
    stop, seen, faults = threading.Event(), list[int](), list[Exception]()

    def read() -> None:
        while not stop.is_set():
            try:
                ((count,),) = ask(store, "SELECT count(*) FROM verdicts")
                seen.append(count)
            except Exception as error:  # noqa: BLE001 - any fault of a reader is the finding
                faults.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for n in range(8):
        publish_run(store, f"meanwhile-{n}", rows=3, run_at=datetime(2026, 11, 10, n, tzinfo=UTC))
        store.compact(min_files=2)
    stop.set()
    reader.join()

    assert faults == []
    assert seen == sorted(seen)
    assert ask(store, "SELECT count(*) FROM verdicts") == [(45 + 24,)]
    assert set(seen) <= {45 + 3 * n for n in range(9)}


def test_two_compactions_at_once_are_refused(store: Store, publish_run: Publish) -> None:
    """Upkeep is one at a time, with a clear message."""
    nights(store, publish_run, 2)
    with store._maintaining(), pytest.raises(RunError, match=r"the upkeep of .* is in the hands of process"):
        store.compact()


def test_two_compactions_that_did_not_see_each_other_double_nothing(
    store: Store, publish_run: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two machines without a common lock: the first commit counts, the other's file is litter, folds included."""
    nights(store, publish_run, 4)
    late = store.snapshot()
    publish_run(store, "unseen", rows=2, run_at=datetime(2026, 11, 20, tzinfo=UTC))
    wider = store.snapshot()
    before = ask(store, HISTORY)
    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "snapshot", lambda _: late)
        store.compact(min_files=2, now=NOW)
    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "snapshot", lambda _: wider)
        store.compact(min_files=2, now=NOW + timedelta(seconds=1))

    assert ask(store, HISTORY) == before
    monkeypatch.setattr("goldassay.store.compaction._FOLD_AFTER", 1)
    store.compact(min_files=2, now=NOW + timedelta(hours=1, milliseconds=500))
    assert ask(store, HISTORY) == before
    store.compact(min_files=2, now=NOW + timedelta(days=2))
    assert ask(store, HISTORY) == before
    assert [p for p in store.verify() if p.severity == "error"] == []


def test_files_large_enough_stay(store: Store, publish_run: Publish, monkeypatch: pytest.MonkeyPatch) -> None:
    """Merging is for small files: sums stay under the limit of one file."""
    nights(store, publish_run, 6)
    monkeypatch.setattr("goldassay.store.compaction._MAX_ROWS", 14)
    before = ask(store, HISTORY)

    store.compact(min_files=2, now=NOW)

    assert ask(store, HISTORY) == before
    rows = [e.rows for e in store.live_files().values() if e.path.startswith("verdicts/")]
    assert max(rows) <= 14
    assert len(rows) < 6


def test_old_months_are_dropped_and_what_must_stay_stays(store: Store, publish_run: Publish) -> None:
    """Baselines, watermarks and labels outlive the months around them."""
    for month in range(1, 12):
        at = datetime(2026, month, 10, tzinfo=UTC)
        publish_run(store, f"night-{month:02d}", run_at=at, window_end=at, app_version=f"v{month}")
    publish_run(
        store, "idle", app="idle", run_at=datetime(2026, 2, 1, tzinfo=UTC), window_end=NOW - timedelta(days=300)
    )
    store.accept("night-03")
    store.compact(min_files=1, now=NOW)

    report = store.retain(2, grace_s=0, now=NOW)

    assert [run.run_id for run in store.runs()] == ["idle", "night-03", "night-10", "night-11"]
    assert report.runs_dropped == 8
    assert set(report.kept_for) == {"idle", "night-03"}
    assert {row[0] for row in ask(store, "SELECT DISTINCT run_id FROM verdicts")} == {
        "idle",
        "night-03",
        "night-10",
        "night-11",
    }
    assert store.watermark("idle") == NOW - timedelta(days=300)
    assert store.verify() == []
    assert not (Path(store.address) / "verdicts" / "app=atlas" / "month=2026-01").exists()


def test_retention_keeps_a_baseline_and_not_its_month(store: Store, publish_run: Publish) -> None:
    """Other runs of that month leave, from a merged file as well: their answers are customers' texts."""
    for day in range(10, 15):
        publish_run(store, f"old-{day}", run_at=datetime(2026, 1, day, tzinfo=UTC))
    publish_run(store, "new", run_at=NOW)
    store.accept("old-12")
    store.compact(min_files=2, grace_s=0, now=NOW)

    report = store.retain(1, grace_s=0, now=NOW)

    assert report.runs_dropped == 4
    assert {row[0] for row in ask(store, "SELECT DISTINCT run_id FROM answers")} == {"old-12", "new"}
    assert {row[0] for row in ask(store, "SELECT DISTINCT run_id FROM verdicts")} == {"old-12", "new"}
    assert store.verify() == []


def test_a_foreign_or_half_written_small_file_breaks_nothing_and_doctor_names_it(
    store: Store, publish_run: Publish
) -> None:
    """An empty baseline, a note among the commits, a copied manifest: no query is refused, no run counted twice."""
    publish_run(store, "run-1")
    root = Path(store.address)
    for folder in ("baselines", "commits"):
        (root / folder).mkdir(exist_ok=True)
    (root / "baselines" / "atlas.json").write_text("")
    (root / "commits" / "notes.json").write_text("hi")
    (root / "runs" / "copy.json").write_bytes((root / "runs" / "run-1.json").read_bytes())

    assert [run.run_id for run in store.runs()] == ["run-1"]
    assert ask(store, "SELECT count(*) FROM verdicts") == [(6,)]
    assert {(p.severity, p.path) for p in store.verify()} == {
        ("error", "baselines/atlas.json"),
        ("info", "commits/notes.json"),
        ("info", "runs/copy.json"),
    }


def test_retention_keeps_files_for_running_readers(store: Store, publish_run: Publish) -> None:
    """Dropped files go when the grace is over, like replaced ones."""
    publish_run(store, "old", run_at=datetime(2026, 1, 10, tzinfo=UTC))
    publish_run(store, "new", run_at=NOW)
    reader = connect(store)

    store.retain(1, now=NOW)

    assert reader.execute("SELECT count(*) FROM verdicts").fetchone() == (12,)
    assert ask(store, "SELECT count(*) FROM verdicts") == [(6,)]
    assert store.compact(now=NOW + timedelta(hours=2)).deleted == 2
    with pytest.raises(StoreError, match="Keep at least 1"):
        store.retain(0)


def damage(store: Store, how: str) -> str:
    """Do one harm to a published file."""
    path = next((Path(store.address) / "verdicts").rglob("*.parquet"))
    content = path.read_bytes()
    if how == "missing":
        path.unlink()
    elif how == "cut":
        path.write_bytes(content[:-10])
    else:
        path.write_bytes(content[:40] + bytes([content[40] ^ 1]) + content[41:])
    return str(path.relative_to(store.address))


@pytest.mark.parametrize(
    ("how", "what"), [("missing", "is missing"), ("cut", "bytes instead of"), ("flipped", "another content")]
)
def test_every_harm_to_a_file_is_found(store: Store, publish_run: Publish, how: str, what: str) -> None:
    """Missing, cut off, one bit flipped: named with the file and what to do."""
    publish_run(store, "run-1")
    path = damage(store, how)

    problems = store.verify()

    assert [(p.severity, p.path) for p in problems] == [("error", path)]
    assert what in problems[0].what
    assert "backup" in problems[0].hint


@pytest.mark.parametrize("how", ["missing", "cut"])
def test_a_query_names_the_damaged_file_instead_of_counting_without_it(
    store: Store, publish_run: Publish, how: str
) -> None:
    """Numbers are right or absent."""
    publish_run(store, "run-1")
    path = damage(store, how)

    with pytest.raises(StoreError, match=rf"missing or cut off .*{path}.*goldassay doctor"):
        connect(store)


def test_foreign_files_are_reported_and_never_read(store: Store, publish_run: Publish) -> None:
    """An orphan is information; it changes no number."""
    publish_run(store, "run-1")
    folder = next((Path(store.address) / "verdicts").rglob("*.parquet")).parent
    (folder / "half.parquet").write_bytes(b"PAR1 and no end")
    (folder / "notes.txt").write_text("mine")

    assert ask(store, "SELECT count(*) FROM verdicts") == [(6,)]
    found = {Path(p.path).name: (p.severity, p.what) for p in store.verify()}
    assert found["half.parquet"] == ("info", "is named by no manifest and is incomplete")
    assert found["notes.txt"][0] == "info"


def test_broken_manifests_commits_and_baselines_are_errors(store: Store, publish_run: Publish) -> None:
    """What the store cannot understand is said, not skipped over."""
    publish_run(store, "run-1")
    store.accept("run-1")
    root = Path(store.address)
    (root / "runs" / "run-1.json").unlink()
    (root / "runs" / "bad.json").write_text("{")

    found = {(p.severity, p.path) for p in store.verify()}
    assert ("error", "runs/bad.json") in found
    assert ("error", "baselines/atlas.json") in found
    (root / "commits").mkdir()
    (root / "commits" / "20261101T020000000000-0123456789ab.json").write_text("{")
    assert ("error", "commits") in {(p.severity, p.path) for p in store.verify()}
    with pytest.raises(StoreError, match="is no commit"):
        store.live_files()


def test_rows_that_do_not_match_the_manifest_are_found(store: Store, publish_run: Publish, tmp_path: Path) -> None:
    """A file swapped for another with a matching entry but other rows is caught, and never merged."""
    manifest = publish_run(store, "run-1")
    publish_run(store, "run-2")
    path = tmp_path / "store" / "runs" / "run-1.json"
    path.write_text(path.read_text().replace('"rows": 6', '"rows": 7'))

    assert manifest.files[0].rows == 6
    assert {p.what for p in open_store(tmp_path / "store").verify()} == {"has 6 rows instead of 7"}
    with pytest.raises(StoreError, match="rows where its manifests tell of"):
        store.compact(min_files=2)
