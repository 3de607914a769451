"""Files of every earlier schema are read by today's code, and by tomorrow's.

tests/data/stores/<version>/ holds a small store as the code of that version wrote it.
The files are never written again; a new schema version adds a folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from goldassay.analytics.connect import connect
from goldassay.store import RunManifest, Store, open_store
from goldassay.store.schema import SCHEMA_VERSION, SCHEMAS
from goldassay.verdicts import Category, Evidence, Outcome

KEPT = Path(__file__).parents[1] / "data" / "stores"
VERSIONS = sorted(path.name for path in KEPT.iterdir() if path.is_dir())


@pytest.fixture(params=VERSIONS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A copy of a kept store: tests may write."""
    return open_store(shutil.copytree(KEPT / request.param, tmp_path / "store"))


def test_there_is_a_kept_store_of_every_version() -> None:
    """Raising the schema version without keeping a store of it fails here."""
    assert f"v{SCHEMA_VERSION}" in VERSIONS


def test_a_kept_store_is_whole_and_means_what_it_meant(kept: Store) -> None:
    """Runs, answers, verdicts, labels and the baseline, value by value."""
    assert kept.verify() == []
    assert [run.run_id for run in kept.runs()] == ["night-1", "golden-1", "night-2"]
    baseline = kept.baseline("atlas")
    assert baseline is not None
    assert baseline.run_id == "golden-1"
    answers = {answer.record.record_id: answer for answer in kept.answers_of("night-2")}
    assert answers["rec-1"].record.sources[1].text == "\u00dcbersicht"
    assert answers["rec-1"].golden is not None
    assert answers["rec-1"].golden.key_facts == (("7", "seven"),)
    verdicts = {(v.record_id, v.check): v for v in kept.verdicts_of("golden-1")}
    failed = verdicts["rec-1", "numbers"]
    assert (failed.outcome, failed.category, failed.app_version) == (Outcome.FAIL, Category.WRONG_NUMBER, "1.10")
    assert failed.evidence[1] == Evidence("support", "Plan", 0, 4, "007")
    assert verdicts["rec-0", "faithful"].extra == {"refused_parameter": "temperature"}
    with connect(kept) as connection:
        rows = connection.execute("SELECT app, month, count(*) FROM verdicts GROUP BY ALL ORDER BY ALL").fetchall()
        labels = connection.execute("SELECT labeller, outcome FROM labels").fetchall()
    assert rows == [("at/las", "2026-12", 8), ("atlas", "2026-11", 16)]
    assert labels == [("reviewer", "fail")]


@pytest.fixture
def tomorrow(monkeypatch: pytest.MonkeyPatch) -> pa.Schema:
    """The code of a next version: one more column, and one more field inside the evidence."""
    columns = {field.name: field.type for field in SCHEMAS["verdicts"]}
    evidence: pa.ListType[pa.StructType] = columns["evidence"]
    inner = [evidence.value_type.field(i) for i in range(evidence.value_type.num_fields)]
    columns["evidence"] = pa.list_(pa.struct([pa.field("page", pa.int64()), *inner]))
    columns["mood"] = pa.string()
    schema = pa.schema(list(columns.items()), metadata={"goldassay.schema_version": "99"})
    monkeypatch.setitem(SCHEMAS, "verdicts", schema)
    monkeypatch.setattr("goldassay.store.publish.SCHEMA_VERSION", "99")
    return schema


def _publish_tomorrow(store: Store, schema: pa.Schema) -> None:
    from goldassay.store.manifest import FileEntry
    from goldassay.store.publish import write_part

    row = dict.fromkeys(schema.names) | {
        "run_id": "future",
        "app": "atlas",
        "app_version": "2",
        "outcome": "pass",
        "mood": "merry",
        "evidence": [{"page": 3, "kind": "number", "text": "7", "start": 0, "end": 1, "source_id": None}],
    }
    table = pa.Table.from_pylist([row], schema=schema)
    entry: FileEntry = write_part(store.files, "verdicts/app=atlas/month=2027-01/future-0.parquet", table)
    assert entry.schema_version == "99"
    at = store.run("night-1").run_at
    manifest = RunManifest(run_id="future", run_kind="nightly", run_at=at, app="atlas", files=(entry,))
    store.catalog.write_manifest(manifest)


def test_tomorrows_code_reads_old_and_new_files_together(kept: Store, tomorrow: pa.Schema) -> None:
    """Old rows have null in the new column and in the new field; new rows keep both."""
    _publish_tomorrow(kept, tomorrow)

    with connect(kept) as connection:
        sql = "SELECT mood, evidence[1].page, count(*) FROM verdicts WHERE {} GROUP BY ALL ORDER BY ALL"
        old = connection.execute(sql.format("run_id <> 'future'")).fetchall()
        new = connection.execute(sql.format("run_id = 'future'")).fetchall()
        kinds = connection.execute("SELECT evidence[1].kind FROM verdicts WHERE outcome = 'fail'").fetchall()
    assert old == [(None, None, 24)]
    assert new == [("merry", 3, 1)]
    assert kinds == [("number",)] * 3
    assert len(list(kept.verdicts_of("night-1"))) == 8


def test_compaction_lifts_old_files_to_the_new_schema(kept: Store, tomorrow: pa.Schema) -> None:
    """Merged files carry the new version, and no value is lost on the way."""
    _publish_tomorrow(kept, tomorrow)
    sql = 'SELECT run_id, record_id, "check", outcome, evidence, mood FROM verdicts ORDER BY ALL'
    with connect(kept) as connection:
        before = connection.execute(sql).fetchall()

    kept.compact(min_files=1)

    with connect(kept) as connection:
        assert connection.execute(sql).fetchall() == before
    assert {e.schema_version for e in kept.live_files().values() if e.path.startswith("verdicts/")} == {"99"}


def test_todays_code_reads_tomorrows_files(
    kept: Store, tomorrow: pa.Schema, monkeypatch: pytest.MonkeyPatch, publish_run: Callable[..., RunManifest]
) -> None:
    """A store shared with newer code still answers: unknown columns are left out."""
    today = {name: field for name, field in zip(tomorrow.names, tomorrow, strict=True) if name != "mood"}
    _publish_tomorrow(kept, tomorrow)
    monkeypatch.setitem(SCHEMAS, "verdicts", pa.schema(list(today.values())))
    monkeypatch.setattr("goldassay.store.publish.SCHEMA_VERSION", SCHEMA_VERSION)
    publish_run(kept, "today")

    with connect(kept) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT run_id) FROM verdicts").fetchall() == [(31, 5)]


def test_a_store_without_the_other_replies_of_the_judge_is_read(kept: Store) -> None:
    """The column joined later: such files have none, in Python and in SQL."""
    assert {row.other_replies for row in kept.verdicts_of("golden-1")} == {()}
    with connect(kept) as connection:
        assert connection.execute("SELECT DISTINCT other_replies FROM verdicts").fetchall() == [(None,)]
