"""The same store on an object store: moto's S3 server over real HTTP."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from goldassay.analytics.connect import connect
from goldassay.analytics.query import run_query
from goldassay.errors import ConfigError, RunError, StoreError
from goldassay.store import Label, RunManifest, Store, open_store
from goldassay.store.remote import RemoteFiles

pytest.importorskip("moto.server", reason="moto serves the object store")
pytest.importorskip("s3fs", reason="s3fs speaks to it")

Stage = Callable[..., RunManifest]
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """An S3 server on loopback."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def options(endpoint: str) -> dict[str, Any]:
    """What a person would put under store_options."""
    return {
        "key": "test",
        "secret": "test",
        "endpoint_url": endpoint,
        "client_kwargs": {"region_name": "eu-central-1"},
    }


@pytest.fixture
def remote(options: dict[str, Any], tmp_path: Path) -> Store:
    """An empty store in a bucket of its own."""
    import s3fs

    bucket = f"evals-{uuid4().hex}"
    s3fs.S3FileSystem(**options).mkdir(bucket)
    return open_store(f"s3://{bucket}/a b/store", storage_options=options, work_dir=tmp_path / "work")


def test_a_run_is_published_read_and_kept_in_order(remote: Store, stage_run: Stage) -> None:
    """Staging stays local until the run is published; then everything works as on a folder."""
    manifest = stage_run(remote, "run-1", app="at/las", window_end=NOW)
    assert remote.files.list("") == []

    remote.publish("run-1", manifest)
    remote.accept("run-1")
    remote.add_labels(
        [Label(labelled_at=NOW, labeller="me", run_id="run-1", app="at/las", record_id="r", check="c", outcome="pass")]
    )

    assert remote.watermark("at/las") == NOW
    assert remote.run("last").baseline
    assert len(list(remote.answers_of("run-1"))) == len(list(remote.verdicts_of("run-1"))) == 6
    assert remote.stored_replies(["x"]) == {}
    assert remote.verify() == []
    counts = run_query(remote, "SELECT app, month, outcome, count(*) AS n FROM verdicts GROUP BY ALL ORDER BY outcome")
    assert counts.to_pylist() == [
        {"app": "at/las", "month": "2026-11", "outcome": "fail", "n": 2},
        {"app": "at/las", "month": "2026-11", "outcome": "pass", "n": 4},
    ]
    with connect(remote) as connection:
        for view in ("answers", "runs", "labels", "reasons", "latest"):
            assert connection.execute(f"SELECT count(*) > 0 FROM {view}").fetchone() == (True,)
        evidence = connection.execute("SELECT evidence[1].text FROM verdicts WHERE outcome = 'fail'").fetchall()
    assert evidence == [("7",)] * 2


def test_the_manifest_is_put_last(remote: Store, stage_run: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose upload breaks is not there, and publishing again completes it."""
    manifest = stage_run(remote, "run-1")
    order: list[str] = []
    uploading, writing = RemoteFiles._uploading, RemoteFiles.write_bytes

    @contextlib.contextmanager
    def watched(self: RemoteFiles, path: str) -> Iterator[Path]:
        with uploading(self, path) as local:
            yield local
        order.append(path)
        if len(order) == 2:
            raise ConnectionError("cut")

    def written(self: RemoteFiles, path: str, content: bytes) -> None:
        writing(self, path, content)
        order.append(path)

    monkeypatch.setattr(RemoteFiles, "_uploading", watched)
    monkeypatch.setattr(RemoteFiles, "write_bytes", written)
    with pytest.raises(ConnectionError):
        remote.publish("run-1", manifest)
    assert remote.runs() == []

    remote.publish("run-1", manifest)

    assert [path.partition("/")[0] for path in order] == ["answers", "verdicts", "answers", "verdicts", "runs"]
    assert remote.verify() == []


def test_upkeep_works_there_too(remote: Store, stage_run: Stage) -> None:
    """Compaction and retention, with the grace for running readers."""
    for n in range(4):
        at = datetime(2026, 10 + n // 3, 1 + n, tzinfo=UTC)
        run_id = f"night-{n}"
        remote.publish(run_id, stage_run(remote, run_id, run_at=at, window_end=at))
    sql = "SELECT run_id, outcome, count(*) AS n FROM verdicts GROUP BY ALL ORDER BY ALL"
    before = run_query(remote, sql).to_pylist()

    report = remote.compact(min_files=2, grace_s=0)

    assert (report.files_before, report.files_after, report.deleted) == (8, 4, 6)
    assert run_query(remote, sql).to_pylist() == before
    assert len(list(remote.verdicts_of("night-1"))) == 6
    remote.retain(1, grace_s=0, now=NOW)
    assert {row["run_id"] for row in run_query(remote, sql).to_pylist()} == {"night-3"}
    assert remote.verify() == []


def test_only_the_months_asked_for_are_opened(remote: Store, stage_run: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A filter on the month opens that month's files alone."""
    for n in range(4):
        at = datetime(2026, 8 + n, 1, tzinfo=UTC)
        remote.publish(f"night-{n}", stage_run(remote, f"night-{n}", run_at=at))
    with connect(remote) as connection:
        opened: list[str] = []
        filesystem = remote.files.filesystem  # type: ignore[attr-defined]  # a RemoteFiles
        real = type(filesystem).open

        def watched(self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
            opened.append(path)
            return real(self, path, *args, **kwargs)

        monkeypatch.setattr(type(filesystem), "open", watched)
        rows = connection.execute(
            "SELECT count(*) FROM verdicts WHERE month = '2026-10' AND outcome = 'fail'"
        ).fetchone()

    assert rows == (2,)
    assert {path.rpartition("/")[2] for path in opened} <= {"night-2-0.parquet"}


def test_several_machines_share_a_run(remote: Store, options: dict[str, Any], stage_run: Stage, tmp_path: Path) -> None:
    """Parts written by workers elsewhere are published by whoever finishes the run."""

    def machine(name: str) -> Store:
        return open_store(remote.address, storage_options=options, work_dir=tmp_path / name, shared_staging=True)

    manifest = stage_run(machine("worker"), "run-1")
    assert machine("boss").staging("run-1").shards("rules") == [0]

    machine("boss").publish("run-1", manifest)

    assert len(list(remote.verdicts_of("run-1"))) == 6
    assert remote.files.list("staging") == []


def test_two_machines_on_one_run_get_one_clear_message(remote: Store, options: dict[str, Any], tmp_path: Path) -> None:
    """The lease lies on the object store; it names the other machine, and heals when its holder is gone."""
    other = open_store(remote.address, storage_options=options, work_dir=tmp_path / "other")
    refused = pytest.raises(RunError, match=r"run 'run-1' is in the hands of process .* since")
    with remote.lock_run("run-1"), refused, other.lock_run("run-1"):
        pass
    with other.lock_run("run-1"):
        pass
    stale = (NOW - timedelta(days=1)).isoformat()
    lease = f'{{"token": "x", "pid": 1, "host": "gone", "since": "{stale}", "renewed": "{stale}"}}'
    remote.files.write_bytes("leases/run-1.json", lease.encode())

    with other.lock_run("run-1"):
        pass

    assert remote.files.list("leases") == []


def test_a_wrong_bucket_is_one_clear_message(options: dict[str, Any], tmp_path: Path, stage_run: Stage) -> None:
    """The message names the address and what to check, and no secret."""
    store = open_store("s3://no-such-bucket-here/x", storage_options=options, work_dir=tmp_path)
    with pytest.raises(StoreError, match=r"in 's3://no-such-bucket-here/x'.*Check the address") as caught:
        store.publish("run-1", stage_run(store, "run-1"))
    assert "secret" not in str(caught.value)


def test_duckdbs_shell_needs_a_folder(remote: Store, tmp_path: Path) -> None:
    """What cannot work says so."""
    from goldassay.analytics.query import write_shell_init

    with pytest.raises(ConfigError, match="DuckDB's shell reads folders"):
        write_shell_init(remote, tmp_path)
