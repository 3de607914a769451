"""The workbench of a run: parts are complete, partial or absent, and each is told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import StoreError
from goldassay.records import AnswerRecord
from goldassay.store import Staging, Store, open_store
from goldassay.store.parquet import read_batches
from goldassay.store.schema import VERDICT_SCHEMA, batch_to_verdicts
from goldassay.verdicts import Outcome, Verdict


def verdict(name: str) -> Verdict:
    """One passed verdict."""
    return Verdict(record_id=name, app="atlas", check="numbers", check_kind="rule", outcome=Outcome.PASS)


def verdicts_in(staging: Staging, shard: int) -> list[Verdict]:
    """What a part of the stage 'rules' holds."""
    path = staging.fetch(staging.path("rules", shard))
    return [row for batch in read_batches(path, VERDICT_SCHEMA) for row in batch_to_verdicts(batch)]


def test_parts_come_back_in_order(store: Store) -> None:
    """Shards are numbered, stages are apart."""
    staging = store.staging("run-1")
    for shard in (2, 0, 10):
        staging.write_verdicts("rules", shard, [verdict(str(shard))])

    assert staging.shards("rules") == [0, 2, 10]
    assert staging.stages() == ["rules"]
    assert verdicts_in(staging, 10) == [verdict("10")]


def test_a_stream_of_verdicts_is_written_in_batches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays at one batch of rows."""
    monkeypatch.setattr("goldassay.store.staging._BATCH_ROWS", 7)

    store.staging("run-1").write_verdicts("rules", 0, (verdict(str(n)) for n in range(20)))

    assert [v.record_id for v in verdicts_in(store.staging("run-1"), 0)] == [str(n) for n in range(20)]


def test_a_partial_part_counts_as_absent_and_is_rewritten_with_a_word(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """What a killed foreign writer left is neither read nor believed."""
    staging = store.staging("run-1")
    path = staging.write_verdicts("rules", 0, [verdict("a")])
    path.write_bytes(path.read_bytes()[:-8])

    assert not staging.has("rules", 0)
    assert staging.shards("rules") == []
    staging.write_verdicts("rules", 0, [verdict("b")])

    assert f"{path} was incomplete and has been rewritten" in caplog.text
    assert verdicts_in(staging, 0) == [verdict("b")]


def test_an_absent_part_is_one_clear_message(store: Store) -> None:
    """Asking too early says which stage to run."""
    assert not store.staging("run-1").has("rules", 3)
    with pytest.raises(StoreError, match=r"no part '00003.parquet'.*Run the stage"):
        store.staging("run-1").read_answers(3)


def test_notes_are_kept_for_a_resumed_run(store: Store) -> None:
    """Small facts outlive the process, whole or not at all."""
    staging = store.staging("run-1")
    assert staging.read_note("window") is None

    staging.write_note("window", {"since": "2026-11-28", "answer": "\u00fc"})

    assert store.staging("run-1").read_note("window") == {"since": "2026-11-28", "answer": "\u00fc"}


@pytest.mark.parametrize("name", ["../x", "", "a/b", ".hidden", "x" * 65])
def test_stage_names_stay_in_the_folder(store: Store, name: str) -> None:
    """A stage name is a folder name and nothing more."""
    with pytest.raises(StoreError, match="no stage name"):
        store.staging("run-1").path(name, 0)


def test_records_and_verdicts_do_not_share_a_stage(store: Store) -> None:
    """The stage 'answers' is for records."""
    with pytest.raises(StoreError, match="holds records"):
        store.staging("run-1").write_verdicts("answers", 0, [])


def shared(tmp_path: Path, machine: str) -> Store:
    """The same store as another machine sees it."""
    return open_store(f"memory://{tmp_path.name}/store", work_dir=tmp_path / machine, shared_staging=True)


def test_a_part_of_another_machine_is_fetched(tmp_path: Path) -> None:
    """Shared staging: what one machine writes the other reads, journals and notes included."""
    here, there = shared(tmp_path, "here").staging("run-1"), shared(tmp_path, "there").staging("run-1")
    here.write_answers(0, [AnswerRecord(record_id="1", question="q", answer="a", app="atlas")])
    here.write_verdicts("rules", 0, [verdict("1")])
    here.write_note("window", {"since": "x"})
    journal = here.path("judge", 0, suffix=".jsonl")
    journal.parent.mkdir(parents=True)
    journal.write_text("{}\n")
    here.keep(journal)

    assert there.shards() == [0]
    assert there.stages() == ["answers", "rules"]
    assert there.has("rules", 0)
    assert not there.has("rules", 1)
    assert verdicts_in(there, 0) == [verdict("1")]
    assert there.read_answers(0)[0].record.record_id == "1"
    assert there.read_note("window") == {"since": "x"}
    assert there.read_note("nothing") is None
    assert there.path("judge", 0, suffix=".jsonl").read_text() == "{}\n"
    there.clear()
    assert here.shards() == []
