"""Runs by name, watermarks and baselines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goldassay.errors import StoreError
from goldassay.store import RunManifest, Store, open_store
from goldassay.store.paths import month_of

Publish = Callable[..., RunManifest]
DAY = timedelta(days=1)
START = datetime(2026, 11, 1, 1, tzinfo=UTC)


def test_a_run_is_found_by_id_prefix_last_and_kind(store: Store, publish_run: Publish) -> None:
    """The newest is the one that started last, whatever its name."""
    publish_run(store, "z-old", run_at=START)
    publish_run(store, "golden-1", run_at=START + DAY, run_kind="golden")
    publish_run(store, "a-new", run_at=START + 2 * DAY)

    assert store.run("z-old").run_id == "z-old"
    assert store.run("gol").run_id == "golden-1"
    assert store.run("last").run_id == "a-new"
    assert store.run("latest:golden").run_id == "golden-1"
    assert [run.run_id for run in store.runs()] == ["z-old", "golden-1", "a-new"]
    assert [run.run_id for run in store.runs(kind="golden")] == ["golden-1"]
    assert store.runs("other") == []


def test_the_last_run_is_one_that_took_answers(store: Store, publish_run: Publish) -> None:
    """Judging stored answers again is no news: the morning's report stays last night's."""
    publish_run(store, "again-1", run_at=START, run_kind="rejudge")
    assert store.run("last").run_id == "again-1"

    publish_run(store, "night", run_at=START + DAY)
    publish_run(store, "again-2", run_at=START + 2 * DAY, run_kind="rejudge")

    assert store.run("last").run_id == "night"
    assert store.run("latest:rejudge").run_id == "again-2"


def test_an_exact_id_wins_over_a_prefix(store: Store, publish_run: Publish) -> None:
    """'run-1' is a run even where 'run-10' is one too."""
    publish_run(store, "run-1")
    publish_run(store, "run-10")

    assert store.run("run-1").run_id == "run-1"
    with pytest.raises(StoreError, match=r"'run' is not unique.*'run-1', 'run-10'"):
        store.run("run")


def test_an_unknown_run_names_those_that_are_there(store: Store, publish_run: Publish) -> None:
    """The message is the list a person would ask for next."""
    with pytest.raises(StoreError, match="holds no runs yet"):
        store.run("last")
    publish_run(store, "run-1")
    with pytest.raises(StoreError, match=r"no run 'nope'.*'run-1'"):
        store.run("nope")
    with pytest.raises(StoreError, match="no run ''"):
        store.run("")


def test_the_watermark_is_the_newest_end_of_complete_windows(store: Store, publish_run: Publish) -> None:
    """A backfill of old days does not move it back; golden and partial runs do not move it at all."""
    assert store.watermark("atlas") is None
    ends = {"night-1": START + DAY, "night-2": START + 2 * DAY}
    for name, end in ends.items():
        publish_run(store, name, window_end=end, run_at=end)
    publish_run(store, "back", run_kind="backfill", window_end=START - DAY, run_at=START + 3 * DAY)
    publish_run(store, "gold", run_kind="golden", window_end=START + 9 * DAY)
    publish_run(store, "cut", status="partial", window_end=START + 9 * DAY)
    publish_run(store, "else", app="other", window_end=START + 9 * DAY)

    assert store.watermark("atlas") == START + 2 * DAY


def test_times_without_a_zone_are_utc() -> None:
    """The machine's own zone never gets in."""
    naive = datetime(2026, 11, 1, 1)  # noqa: DTZ001 - the point
    run = RunManifest(run_id="r", run_kind="nightly", run_at=naive, app="atlas", window_end=naive)

    assert run.run_at == START
    assert run.window_end == START
    assert month_of(naive) == "2026-11"


def test_a_baseline_is_accepted_and_replaced(store: Store, publish_run: Publish) -> None:
    """One baseline an app; its run is marked, its manifest file untouched."""
    publish_run(store, "run-1")
    publish_run(store, "run-2", app="a/b")
    before = (Path(store.address) / "runs" / "run-1.json").read_bytes()
    assert store.baseline("atlas") is None

    store.accept("run-1")
    accepted = store.accept("run-2")

    assert accepted.baseline
    assert store.baseline("atlas") == store.run("run-1")
    assert store.run("run-1").baseline
    assert store.baseline("a/b") == accepted
    assert (Path(store.address) / "runs" / "run-1.json").read_bytes() == before


def test_a_folder_that_does_not_exist_is_an_empty_store(tmp_path: Path) -> None:
    """Looking makes nothing."""
    store = open_store(tmp_path / "nowhere")

    assert store.runs() == []
    assert store.verify() == []
    assert not (tmp_path / "nowhere").exists()


def test_a_file_address_is_a_folder(tmp_path: Path, publish_run: Publish) -> None:
    """file:// is the same folder."""
    publish_run(open_store(f"file://{tmp_path}/store"), "run-1")

    assert open_store(tmp_path / "store").run("last").run_id == "run-1"


def test_an_unknown_protocol_is_one_clear_message() -> None:
    """The message says what to install."""
    with pytest.raises(StoreError, match=r"cannot open the store 'nosuch://x'.*Install"):
        open_store("nosuch://x")
