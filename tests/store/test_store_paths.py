"""Untrusted names as path parts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePosixPath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.errors import StoreError
from goldassay.store.paths import check_run_id, encode_part, month_of, part_path, partition_of


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=15))
def test_any_name_stays_in_its_folder_and_comes_back(name: str) -> None:
    """Slashes, dots, percent signs and other scripts are encoded, and decode to the same text."""
    encoded = encode_part(name)

    assert unquote(encoded) == name
    assert PurePosixPath("verdicts", f"app={encoded}").parts == ("verdicts", f"app={encoded}")
    assert encoded not in {".", ".."}
    assert encoded.isascii()
    assert not set(encoded) & set("/\\*?[]'\" =")


@pytest.mark.parametrize(("name", "encoded"), [("1.10", "1.10"), ("a/b", "a%2Fb"), ("..", "%2E%2E"), ("%", "%25")])
def test_version_like_names_stay_readable(name: str, encoded: str) -> None:
    """'1.10' stays '1.10'; what could leave the folder does not."""
    assert encode_part(name) == encoded


def test_words_that_readers_take_for_missing_are_encoded_whole() -> None:
    """The text 'NULL' is an app name, not a missing value."""
    assert encode_part("NULL") == "%4E%55%4C%4C"
    assert "HIVE" not in encode_part("__HIVE_DEFAULT_PARTITION__")


def test_different_names_never_share_a_folder() -> None:
    """Encoding is one to one."""
    names = ["a/b", "a%2Fb", "a_b", "a b", "A/b", "\u0430/b"]

    assert len({encode_part(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["", "x" * 201, "\u00e9" * 80])
def test_empty_and_overlong_names_are_refused_with_a_hint(name: str) -> None:
    """The message says what to change."""
    with pytest.raises(StoreError, match=r"Set app|Use at most"):
        encode_part(name)


@pytest.mark.parametrize("run_id", ["", "..", "../x", "a/b", "a\\b", "-x", "a\n", "x" * 121, "a b", "con\0"])
def test_unsafe_run_ids_are_refused(run_id: str) -> None:
    """A run id becomes a file name as it stands, so it must be one."""
    with pytest.raises(StoreError, match="no safe file name"):
        check_run_id(run_id)


def test_a_month_is_a_utc_month() -> None:
    """A run at 00:30 in Tokyo belongs to the month before, if that is what UTC says."""
    tokyo = datetime(2026, 12, 1, 0, 30, tzinfo=timezone(timedelta(hours=9)))

    assert month_of(tokyo) == "2026-11"
    assert month_of(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01"


def test_a_path_tells_its_kind_and_partition() -> None:
    """The layout is the one that other tools know as hive folders."""
    path = part_path("verdicts", "at/las", "2026-11", name="run-1", number=2)

    assert path == "verdicts/app=at%2Flas/month=2026-11/run-1-2.parquet"
    assert partition_of(path) == ("verdicts", "verdicts/app=at%2Flas/month=2026-11")
