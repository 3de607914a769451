"""The journal's file: torn ends, damaged lines, two processes, full and read-only disks."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.errors import StoreError
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.journal import Journal, read_lines
from goldassay.judging.journal_rows import verdict_from_json, verdict_to_json
from goldassay.judging.settings import JudgeConfig
from goldassay.verdicts import Category, Evidence, Outcome, Verdict
from tests.judging.judge_wire import STAMP, VirtualClock, Wire, items, ok, one_criterion

HEAD = {"version": 1, "settings": "abc"}


def _judge(count: int, path: Path, **settings_: Any) -> Wire:
    wire = Wire(lambda _: ok())
    config = JudgeConfig(base_url="http://127.0.0.1:9/v1", max_in_flight=3, **settings_)
    arguments: dict[str, Any] = {"environ": {}, "stamp": STAMP, "clock": VirtualClock(), "transport": wire}
    judge_shard(items(count), rubric=one_criterion(), config=config, journal=path, **arguments)
    return wire


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(min_value=0, max_value=100_000))
def test_a_file_cut_anywhere_is_healed(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """A crash may tear the file at any byte: all whole lines count, the rest is judged again, once."""
    path = tmp_path_factory.mktemp("cut") / "j.jsonl"
    _judge(6, path)
    data = path.read_bytes()
    left = data[: cut % len(data)]
    path.write_bytes(left)
    whole = max(0, left.count(b"\n") - 1)

    wire = _judge(6, path)

    assert len(wire.bodies) == 6 - whole
    assert sorted(row.record_id for row in verdicts_from_journal(path)) == [f"r{number}" for number in range(6)]


def test_a_damaged_line_in_the_middle_costs_one_call(tmp_path: Path) -> None:
    """Zeroes where a line was (power loss): that call is made again, no other."""
    path = tmp_path / "j.jsonl"
    _judge(5, path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\x00" * (len(lines[2]) - 1) + b"\n"
    path.write_bytes(b"".join(lines))

    wire = _judge(5, path)

    assert len(wire.bodies) == 1
    assert len(list(verdicts_from_journal(path))) == 5


def test_rows_of_an_unfinished_record_are_not_shown(tmp_path: Path) -> None:
    """All rows of a record or none."""
    path = tmp_path / "j.jsonl"
    _judge(2, path, repeats=3)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))

    assert len(list(verdicts_from_journal(path))) == 1


def test_a_second_process_is_told_so(tmp_path: Path) -> None:
    """One journal, one writer; the first is not disturbed."""
    with Journal(tmp_path / "j.jsonl", HEAD) as first:
        with pytest.raises(StoreError, match="written by another process"):
            Journal(tmp_path / "j.jsonl", HEAD)
        assert first.write({"kind": "part"})

    assert [line["kind"] for line in read_lines(tmp_path / "j.jsonl")] == ["head", "part"]


def test_a_journal_of_other_work_is_refused(tmp_path: Path) -> None:
    """Resuming with another rubric or model would mix two judgements."""
    Journal(tmp_path / "j.jsonl", HEAD).close()

    with pytest.raises(StoreError, match="settings was 'abc', is 'xyz'"):
        Journal(tmp_path / "j.jsonl", {**HEAD, "settings": "xyz"})


def test_other_settings_of_speed_and_patience_do_not_matter(tmp_path: Path) -> None:
    """What does not shape a verdict may change between two starts."""
    _judge(3, tmp_path / "j.jsonl", requests_per_minute=600)

    assert _judge(3, tmp_path / "j.jsonl", requests_per_minute=60, max_attempts=2).bodies == []


class _FullDisk:
    """os.write that takes some bytes and then no more."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._write = os.write

    def __call__(self, file: int, data: bytes) -> int:
        taken = min(len(data), self.room)
        if taken == 0:
            raise OSError(28, "No space left on device")
        self.room -= taken
        return self._write(file, data[:taken])


def test_a_full_disk_is_one_clear_error_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run stops; what was written is whole; with room again only the rest is asked."""
    path = tmp_path / "j.jsonl"
    _judge(0, path)
    monkeypatch.setattr(os, "write", _FullDisk(4000))

    with pytest.raises(StoreError, match="No space left on device"):
        _judge(30, path)

    assert path.read_bytes().endswith(b"\n")
    monkeypatch.undo()
    before = len(list(verdicts_from_journal(path)))
    assert 0 < before < 30
    wire = _judge(30, path)
    assert len(wire.bodies) == 30 - before
    assert len(list(verdicts_from_journal(path))) == 30


def test_room_that_comes_back_in_time_saves_the_calls_in_flight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that the disk refused are written on closing."""
    journal = Journal(tmp_path / "j.jsonl", HEAD)
    disk = _FullDisk(0)
    monkeypatch.setattr(os, "write", disk)
    assert not journal.write({"kind": "part", "n": 1})
    assert not journal.write({"kind": "part", "n": 2})
    disk.room = 10_000

    journal.close()

    assert [line.get("n") for line in read_lines(tmp_path / "j.jsonl")] == [None, 1, 2]


def test_a_folder_that_is_none_is_one_clear_error(tmp_path: Path) -> None:
    """Where no folder can be made nothing is judged."""
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(StoreError, match="cannot be written"):
        Journal(tmp_path / "file" / "j.jsonl", HEAD)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_file_is_one_clear_error(tmp_path: Path) -> None:
    """Nothing is judged that could not be kept."""
    path = tmp_path / "j.jsonl"
    path.write_text("", encoding="utf-8")
    path.chmod(0o400)

    with pytest.raises(StoreError, match="cannot be written"):
        Journal(path, HEAD)


_TEXT = st.text(max_size=30)
_OFFSET = st.none() | st.integers(0, 10_000)


@given(
    verdict=st.builds(
        Verdict,
        run_id=_TEXT,
        run_at=st.none() | st.just(STAMP.run_at),
        record_id=_TEXT,
        check=_TEXT,
        check_kind=st.just("judge"),
        outcome=st.sampled_from(Outcome),
        category=st.none() | st.sampled_from(Category),
        score=st.none() | st.floats(1, 5),
        evidence=st.lists(st.builds(Evidence, kind=_TEXT, text=_TEXT, start=_OFFSET, end=_OFFSET)).map(tuple),
        flags=st.lists(_TEXT, max_size=2).map(tuple),
        extra=st.dictionaries(_TEXT, _TEXT, max_size=2),
        weight=st.floats(1, 100),
        reused=st.booleans(),
    )
)
def test_a_row_comes_back_as_it_was(verdict: Verdict) -> None:
    """Through JSON and back, every column."""
    assert verdict_from_json(orjson.loads(orjson.dumps(verdict_to_json(verdict)))) == verdict
