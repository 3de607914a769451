"""Windows of time, filters, and ids that clash."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from goldassay.errors import ConfigError, SourceError
from goldassay.sources import AnswersConfig, EmptyInputError, Window, read_answers
from goldassay.sources.times import read_time

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)


def _write(path, rows):
    path.write_text("\n".join(json.dumps({"question": "Q", "answer": "A"} | row) for row in rows))


def _read(path, window=None, **more):
    batches = list(read_answers(AnswersConfig(path=str(path), **more), window=window))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected], batches


@pytest.mark.parametrize(
    "value",
    [
        "2026-09-01T12:00:00Z",
        "2026-09-01T14:00:00+02:00",
        "2026-09-01 12:00:00",
        "2026-09-01 12:00:00.000000 UTC",
        "2026-09-01T12:00:00.000000000Z",
        1_788_264_000,
        1_788_264_000.0,
        1_788_264_000_000,
        1_788_264_000_000_000,
        1_788_264_000_000_000_000,
        "2026-09-01 12:00:00,000",
        "Tue, 01 Sep 2026 14:00:00 +0200",
        "1788264000",
        "1788264000.0",
        NOON.replace(tzinfo=None),
        datetime(2026, 9, 1, 5, tzinfo=timezone(timedelta(hours=-7))),
    ],
)
def test_a_moment_is_read_in_every_form_that_has_one_meaning(value):
    """Always as UTC."""
    assert read_time(value) == NOON


@pytest.mark.parametrize(
    "value", ["", "yesterday", "01/02/2026", "12:30", 7, -5, True, float("nan"), None, [], "1" * 30]
)
def test_a_time_that_would_be_a_guess_is_refused(value):
    """And never becomes 1970."""
    with pytest.raises(ValueError, match=r"time|epoch"):
        read_time(value)


def test_nanoseconds_are_not_rounded_through_a_float():
    """Text and whole numbers keep their microseconds."""
    assert read_time("1756800000123456789") == datetime(2025, 9, 2, 8, 0, 0, 123456, tzinfo=UTC)


def test_a_window_is_half_open(tmp_path):
    """Each record falls into exactly one of two neighbouring nights."""
    times = [NOON - timedelta(seconds=1), NOON, NOON + timedelta(hours=24, seconds=-1), NOON + timedelta(hours=24)]
    _write(tmp_path / "log.jsonl", [{"id": str(n), "asked_at": t.isoformat()} for n, t in enumerate(times)])
    day = timedelta(days=1)

    first, _, batches = _read(tmp_path / "log.jsonl", Window(NOON, NOON + day))
    second, _, _ = _read(tmp_path / "log.jsonl", Window(NOON + day, NOON + 2 * day))

    assert [record.record_id for record in first] == ["1", "2"]
    assert [record.record_id for record in second] == ["3"]
    assert sum(batch.outside for batch in batches) == 2


@pytest.mark.parametrize(
    ("window", "ids"), [(Window(NOON, None), ["b"]), (Window(None, NOON), ["a"]), (Window(), ["a", "b"])]
)
def test_a_window_may_be_open_at_an_end(tmp_path, window, ids):
    """Bounds without a zone are UTC."""
    _write(
        tmp_path / "log.jsonl",
        [{"id": "a", "asked_at": "2026-08-01T00:00:00Z"}, {"id": "b", "asked_at": NOON.isoformat()}],
    )

    records, _, _ = _read(tmp_path / "log.jsonl", Window(*(t and t.replace(tzinfo=None) for t in window)))

    assert [record.record_id for record in records] == ids


def test_a_record_without_a_time_is_set_aside_in_a_window(tmp_path):
    """Else it would be judged again every night."""
    _write(tmp_path / "log.jsonl", [{"id": "a"}, {"id": "b", "asked_at": NOON.isoformat()}])

    records, (rejected,), _ = _read(tmp_path / "log.jsonl", Window(NOON, None))
    whole, none, _ = _read(tmp_path / "log.jsonl")

    assert [record.record_id for record in records] == ["b"]
    assert "asked_at is missing" in rejected.reason
    assert (len(whole), none) == (2, [])


def test_a_window_without_answers_says_so(tmp_path):
    """It tells how many lie outside."""
    _write(tmp_path / "log.jsonl", [{"id": "b", "asked_at": NOON.isoformat()}])

    with pytest.raises(EmptyInputError, match="1 lie outside"):
        _read(tmp_path / "log.jsonl", Window(NOON + timedelta(days=1), None))


def test_only_the_wanted_records_are_kept(tmp_path):
    """By any field, or by a tag."""
    rows = [
        {"id": "a", "app": "atlas", "lang": "de", "tags": {"team": "x"}},
        {"id": "b", "app": "atlas", "lang": "fr", "tags": {"team": "x"}},
        {"id": "c", "app": "other", "lang": "de", "tags": {"team": "x"}},
        {"id": "d", "app": "atlas", "lang": "en"},
    ]
    _write(tmp_path / "log.jsonl", rows)

    records, _, _ = _read(tmp_path / "log.jsonl", only={"app": "atlas", "lang": ["de", "en"], "team": ["x"]})

    assert [record.record_id for record in records] == ["a"]


def test_defaults_fill_what_a_row_lacks(tmp_path):
    """And nothing else."""
    _write(tmp_path / "log.jsonl", [{"id": "a"}, {"id": "b", "app_version": "2"}, {"id": "c", "app_version": None}])

    records, _, _ = _read(tmp_path / "log.jsonl", defaults={"app": "atlas", "app_version": "1.10"})

    assert [(record.app, record.app_version) for record in records] == [
        ("atlas", "1.10"),
        ("atlas", "2"),
        ("atlas", "1.10"),
    ]


@pytest.mark.parametrize("setting", ["mapping", "defaults"])
def test_an_unknown_field_is_refused_with_the_nearest_name(tmp_path, setting):
    """Answr is not answer."""
    _write(tmp_path / "log.jsonl", [{"id": "a"}])

    with pytest.raises(ConfigError, match="'answr'; did you mean 'answer'"):
        _read(tmp_path / "log.jsonl", **{setting: {"answr": "x"}})


def test_clashing_ids_stop_the_run_with_all_places(tmp_path):
    """Across files too."""
    _write(tmp_path / "a.jsonl", [{"id": "x", "answer": "1"}, {"id": "y"}])
    _write(tmp_path / "b.jsonl", [{"id": "x", "answer": "2"}, {"id": "y", "answer": "3"}])

    with pytest.raises(SourceError, match=r"2 records.*'x' at .*a\.jsonl:1 and .*b\.jsonl:1.*on_duplicate"):
        _read(tmp_path)


def test_clashing_ids_may_be_set_aside(tmp_path):
    """The first one stays."""
    _write(tmp_path / "a.jsonl", [{"id": "x", "answer": "1"}, {"id": "x", "answer": "2"}])

    records, (rejected,), _ = _read(tmp_path, on_duplicate="set_aside")

    assert [record.answer for record in records] == ["1"]
    assert rejected.line == 2


def test_a_log_shipped_twice_is_read_once(tmp_path):
    """The same record again is no clash, and is told."""
    for name in ("a.jsonl", "b.jsonl"):
        _write(tmp_path / name, [{"id": str(number)} for number in range(5)])

    records, rejected, _ = _read(tmp_path)

    assert len(records) == 5
    assert len(rejected) == 5
    assert "a.jsonl:1" in rejected[0].reason


def test_suffixed_ids_are_distinct(tmp_path):
    """Even where a suffix is taken."""
    _write(tmp_path / "log.jsonl", [{"id": "x", "answer": str(n)} for n in range(4)] + [{"id": "x#2", "answer": "y"}])

    records, _, _ = _read(tmp_path, on_duplicate="suffix")

    assert len({record.record_id for record in records}) == 5


def test_globs_folders_and_lists_find_each_file_once(tmp_path):
    """In the order of their names."""
    (tmp_path / "deep").mkdir()
    for name in ("b.jsonl", "a.jsonl", "deep/c.jsonl", "notes.txt"):
        _write(tmp_path / name, [{"id": name}])

    one = list(read_answers(AnswersConfig(path=["*.jsonl", "."]), base_dir=tmp_path))
    two = list(read_answers(AnswersConfig(path="**/*.jsonl"), base_dir=tmp_path))

    assert [record.record_id for batch in one for record in batch.records] == ["a.jsonl", "b.jsonl", "deep/c.jsonl"]
    assert {record.record_id for batch in two for record in batch.records} == {"a.jsonl", "b.jsonl", "deep/c.jsonl"}


def test_a_file_name_with_glob_signs_is_a_file_name(tmp_path):
    """A file that is there is read as it is called."""
    _write(tmp_path / "log[1]*.jsonl", [{"id": "a"}])

    records, _, _ = _read(tmp_path / "log[1]*.jsonl")

    assert len(records) == 1
