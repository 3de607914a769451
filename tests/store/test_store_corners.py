"""Odd moments: changes while reading, foreign types, leases that fall between two stools."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay.store as store_package
from goldassay.analytics.results import _jsonable
from goldassay.analytics.scan import duckdb_type
from goldassay.errors import RunError, StoreError
from goldassay.store import RunManifest, Store, open_store
from goldassay.store.catalog import Catalog
from goldassay.store.files import LocalFiles
from goldassay.store.parquet import chunked, conform, reading
from goldassay.store.remote import RemoteFiles
from goldassay.store.remote_lease import leasing

Publish = Callable[..., RunManifest]
_COMMIT = "commits/20261101T020000000000-0123456789ab.json"


def test_a_commit_folded_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    """A listing that is out of date is made again, and not for ever."""

    class Racing(LocalFiles):
        listed = 0

        def list(self, folder: str) -> list[str]:
            Racing.listed += 1
            return [
                *super().list(folder),
                *([_COMMIT] if Racing.listed < 3 else []),
            ]

    class Mad(LocalFiles):
        def list(self, folder: str) -> list[str]:
            return [_COMMIT]

    assert Catalog(Racing(tmp_path)).commits() == []
    assert Racing.listed == 3
    with pytest.raises(StoreError, match="change faster than they can be read"):
        Catalog(Mad(tmp_path)).commits()


def test_large_files_are_left_alone(store: Store, publish_run: Publish, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of half the limit is large enough."""
    for n in range(3):
        publish_run(store, f"run-{n}")
    monkeypatch.setattr("goldassay.store.compaction._MAX_BYTES", 100)

    assert store.compact(min_files=2).files_after == 6


def test_one_run_is_read_from_a_merged_file_by_its_row_groups(
    store: Store, publish_run: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row groups of other runs are skipped by their minimum and maximum."""
    monkeypatch.setattr("goldassay.store.publish.ROW_GROUP_ROWS", 5)
    for n in range(3):
        publish_run(store, f"run-{n}", rows=5)
    store.compact(min_files=2)

    for n in range(3):
        rows = list(store.verdicts_of(f"run-{n}"))
        assert [row.run_id for row in rows] == [f"run-{n}"] * 5


@given(st.lists(st.integers(0, 9), max_size=20), st.integers(1, 12))
def test_chunks_keep_every_row_in_order(sizes: list[int], rows: int) -> None:
    """Joined and cut, nothing is lost, and all but the last are full."""
    counter = iter(range(1000))
    tables = [pa.table({"x": pa.array([next(counter) for _ in range(size)], pa.int64())}) for size in sizes]

    chunks = list(chunked(tables, rows=rows))

    assert [x for chunk in chunks for x in chunk.column("x").to_pylist()] == list(range(sum(sizes)))
    assert all(chunk.num_rows >= rows for chunk in chunks[:-1])


def test_conform_widens_what_can_be_widened() -> None:
    """Null columns, smaller integers, structs with fewer fields inside lists, and nulls among them."""
    columns: dict[str, pa.DataType] = {
        "a": pa.string(),
        "n": pa.int64(),
        "s": pa.list_(pa.struct([("new", pa.string()), ("k", pa.int64())])),
        "more": pa.bool_(),
    }
    wanted = pa.schema(columns)
    inner = pa.list_(pa.struct([("k", pa.int32())]))
    old = pa.table(
        {
            "n": pa.array([1, None], pa.int32()),
            "a": pa.nulls(2),
            "s": pa.array([[{"k": 1}, None], None], inner),
            "gone": [1, 2],
        }
    )

    assert conform(old, wanted).to_pylist() == [
        {"a": None, "n": 1, "s": [{"new": None, "k": 1}, None], "more": None},
        {"a": None, "n": None, "s": None, "more": None},
    ]
    assert conform(old.slice(1), wanted).schema == wanted


def test_a_file_that_matches_its_digest_and_is_no_parquet_is_found(store: Store, publish_run: Publish) -> None:
    """Whoever rewrote the manifest too still cannot make noise a table."""
    publish_run(store, "run-1")
    path = next((Path(store.address) / "verdicts").rglob("*.parquet"))
    path.write_bytes(b"noise")
    manifest = Path(store.address) / "runs" / "run-1.json"
    content = json.loads(manifest.read_text())
    for entry in content["files"]:
        if entry["path"].startswith("verdicts/"):
            entry |= {"bytes": 5, "sha256": hashlib.sha256(b"noise").hexdigest()}
    manifest.write_text(json.dumps(content))

    assert [p.what for p in store.verify()] == ["is no whole Parquet file"]


def remote(tmp_path: Path) -> RemoteFiles:
    """A store's files in memory."""
    files = open_store(f"memory://{tmp_path.name}", work_dir=tmp_path).files
    assert isinstance(files, RemoteFiles)
    return files


def test_a_lease_is_renewed_while_it_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run stays alive in the eyes of others, through a lost renewal too."""
    monkeypatch.setattr("goldassay.store.remote_lease._RENEW_S", 0.01)
    files = remote(tmp_path)
    written: list[bytes] = []
    real = files.write_bytes

    def flaky(path: str, content: bytes) -> None:
        written.append(content)
        if len(written) == 1:
            raise StoreError("cut off")
        real(path, content)

    monkeypatch.setattr(files, "write_bytes", flaky)
    with leasing(files, "run-1", what="run 'run-1'"):
        deadline = time.monotonic() + 20
        while len(written) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)

    assert len(written) >= 3
    assert files.list("leases") == []


@pytest.mark.parametrize("content", [b"", b"{", b'{"renewed": "yesterday"}', b"[]"])
def test_a_lease_nobody_can_read_belongs_to_nobody(tmp_path: Path, content: bytes) -> None:
    """Half a lease blocks no run."""
    files = remote(tmp_path)
    files.write_bytes("leases/run-1.json", content)

    with leasing(files, "run-1", what="run 'run-1'"):
        assert b"token" in files.read_bytes("leases/run-1.json")


def test_a_lease_that_cannot_be_taken_gives_up_clearly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody is always a little faster: the message still says what to do."""
    files = remote(tmp_path)
    monkeypatch.setattr(files, "create", lambda *_: False)

    with (
        pytest.raises(RunError, match="in the hands of another process"),
        leasing(files, "run-1", what="run 'run-1'"),
    ):
        pass


STALE = b'{"token": "x", "pid": 7, "host": "gone", "since": "then", "renewed": "2026-11-01T00:00:00+00:00"}'
OTHERS = STALE.replace(b"2026-11-01", b"2999-01-01")


def test_of_two_who_take_a_stale_lease_one_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who wrote last; nobody deletes what the other has taken."""
    files = remote(tmp_path)
    files.write_bytes("leases/run-1.json", STALE)
    # While this machine waits, another one that saw the stale lease as well writes its own.
    monkeypatch.setattr(
        "goldassay.store.remote_lease.time.sleep", lambda _: files.write_bytes("leases/run-1.json", OTHERS)
    )

    with (
        pytest.raises(RunError, match="in the hands of process 7 on 'gone'"),
        leasing(files, "run-1", what="run 'run-1'"),
    ):
        pass

    assert files.read_bytes("leases/run-1.json") == OTHERS


def test_a_lease_that_was_lost_is_left_to_its_new_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A machine that slept too long neither renews nor deletes what another one has taken meanwhile."""
    monkeypatch.setattr("goldassay.store.remote_lease._RENEW_S", 0.01)
    files = remote(tmp_path)

    with leasing(files, "run-1", what="run 'run-1'"):
        files.write_bytes("leases/run-1.json", OTHERS)
        deadline = time.monotonic() + 20
        while "another process has taken it" not in caplog.text and time.monotonic() < deadline:
            time.sleep(0.01)
            files.write_bytes("leases/run-1.json", OTHERS)

    assert "another process has taken it" in caplog.text
    assert files.read_bytes("leases/run-1.json") == OTHERS


def test_a_lease_that_cannot_be_written_names_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider's own exception says neither which store nor what to do."""
    files = remote(tmp_path)

    def denied(*_: object, **__: object) -> None:
        raise PermissionError("denied")

    monkeypatch.setattr(files.filesystem, "pipe_file", denied)

    with (
        pytest.raises(StoreError, match=r"cannot write 'leases/run-1.json' in 'memory://.*Check the address"),
        leasing(files, "run-1", what="run 'run-1'"),
    ):
        pass


@pytest.mark.parametrize("noise", [None, b"PAR1 and noise"])
def test_a_file_that_is_missing_or_spoilt_is_named_by_whoever_reads_it(
    store: Store, publish_run: Publish, noise: bytes | None
) -> None:
    """With what to do; also by upkeep, which else told of a disk that is full."""
    for number in range(4):
        publish_run(store, f"run-{number}")
    path = next(path for path in store.live_files() if path.startswith("verdicts/"))
    file = Path(store.address) / path
    file.write_bytes(noise) if noise else file.unlink()
    named = f"'{path}' in .*(is missing|cannot be read).*see goldassay doctor"

    for reader in (
        lambda: list(store.verdicts_of("run-0")),
        lambda: store.stored_replies(["0" * 64], now=datetime(2026, 12, 1, tzinfo=UTC)),
        store.compact,
    ):
        with pytest.raises(StoreError, match=named):
            reader()


def test_the_machines_trouble_while_reading_stays_what_it_is(tmp_path: Path) -> None:
    """Reading again may help, and a backup would not."""

    class Failing(LocalFiles):
        def open(self, path: str) -> Any:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"), reading(Failing(tmp_path), "verdicts/x.parquet"):
        pass


def test_a_copy_of_a_manifest_publishes_no_other_run(store: Store, publish_run: Publish) -> None:
    """Its workbench would be cleared as if its rows were in the store."""
    publish_run(store, "run-1")
    runs = Path(store.address) / "runs"
    (runs / "run-2.json").write_bytes((runs / "run-1.json").read_bytes())

    assert not store.is_published("run-2")
    publish_run(store, "run-2")

    assert [run.run_id for run in store.runs()] == ["run-1", "run-2"]
    assert len(list(store.verdicts_of("run-2"))) > 0


def test_apps_that_differ_only_in_case_keep_their_own_baselines(store: Store, publish_run: Publish) -> None:
    """Also on a disk that takes 'Atlas.json' and 'atlas.json' for the same file."""
    for app in ("atlas", "Atlas", "ATLAS"):
        publish_run(store, f"run-{app}", app=app)
        store.accept(f"run-{app}")

    names = [path.casefold() for path in store.files.list("baselines")]
    assert len(set(names)) == 3
    assert {app: run.run_id for app in ("atlas", "Atlas", "ATLAS") if (run := store.baseline(app))} == {
        "atlas": "run-atlas",
        "Atlas": "run-Atlas",
        "ATLAS": "run-ATLAS",
    }


def test_a_broken_connection_names_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of many objects that cannot be read is not left out like an absent one."""
    files = remote(tmp_path)
    files.write_bytes("runs/a.json", b"{}")
    broken = {files.full_path("runs/a.json"): PermissionError("denied")}
    monkeypatch.setattr(files.filesystem, "cat", lambda *_, **__: broken)

    with pytest.raises(StoreError, match=r"cannot read 1 files in 'memory://.*PermissionError"):
        files.read_many(["runs/a.json"])


def test_an_absent_folder_of_an_object_store_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the file system answers with nothing or with an error."""
    files = remote(tmp_path)

    def absent(*_: Any, **__: Any) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(files.filesystem, "find", absent)
    assert files.list("runs") == []
    assert files.sizes(["runs/a"]) == {}


def test_the_age_of_a_remote_file(tmp_path: Path) -> None:
    """Ages decide what upkeep may delete."""
    files = remote(tmp_path)
    files.write_bytes("a", b"1")

    assert 0 <= files.age_s("a", now=datetime.now(UTC).timestamp() + 5) < 60


def test_unknown_names_and_types_are_refused() -> None:
    """Programming mistakes are loud."""
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = store_package.nope
    with pytest.raises(TypeError, match="no DuckDB type"):
        duckdb_type(pa.duration("s"))


def test_values_of_any_type_become_json() -> None:
    """Results may hold what the views do not."""
    given = {"d": datetime(2026, 1, 2, tzinfo=UTC), "b": b"\x01", "m": [(1, float("nan"))], "o": Path("x")}

    assert _jsonable(given) == {"d": "2026-01-02T00:00:00+00:00", "b": "01", "m": [[1, None]], "o": "x"}


def test_replies_are_looked_for_in_files_without_the_column(store: Store, publish_run: Publish) -> None:
    """A file of an early version may lack the hash."""
    from goldassay.store.replies import find_replies

    publish_run(store, "run-1")
    (path,) = [entry for entry in store.live_files() if entry.startswith("answers/")]

    assert find_replies(store.files, [path], ["h"], max_age_days=9999, now=datetime.now(UTC)) == {}
