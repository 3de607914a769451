"""Files are whole or absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import StoreError
from goldassay.store.files import LocalFiles, replacing


def test_a_reader_sees_a_file_only_when_it_is_whole(tmp_path: Path) -> None:
    """While it is written no pattern of a reader matches; afterwards it is there."""
    target = tmp_path / "v" / "a.parquet"

    with replacing(target) as temporary:
        temporary.write_bytes(b"half")
        assert not list(tmp_path.rglob("*.parquet"))
        assert temporary.parent == target.parent
        temporary.write_bytes(b"whole")

    assert target.read_bytes() == b"whole"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a.parquet"]


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    """What was there before stays as it was."""
    files = LocalFiles(tmp_path)
    files.write_bytes("runs/a.json", b"old")

    with pytest.raises(RuntimeError, match="boom"), files.replacing("runs/a.json") as temporary:  # noqa: PT012 - the fault lies in the block
        temporary.write_bytes(b"new")
        raise RuntimeError("boom")

    assert files.read_bytes("runs/a.json") == b"old"
    assert files.list("runs") == ["runs/a.json"]


def test_a_full_disk_is_one_clear_message(tmp_path: Path) -> None:
    """The message names the file, the reason and what to do."""
    with (
        pytest.raises(StoreError, match=r"cannot write 'a.json'.*No space left.*Free space"),
        replacing(tmp_path / "a.json"),
    ):
        raise OSError(28, "No space left on device")


def test_a_folder_that_is_a_file_is_one_clear_message(tmp_path: Path) -> None:
    """No traceback for a store path that cannot be a folder."""
    (tmp_path / "store").write_text("")

    with pytest.raises(StoreError, match=r"cannot write"):
        LocalFiles(tmp_path / "store").write_bytes("runs/a.json", b"")


def test_absent_files_have_no_size_and_are_left_out(tmp_path: Path) -> None:
    """Asking about what is not there is no error."""
    files = LocalFiles(tmp_path)
    files.write_bytes("a/x", b"12")

    assert files.sizes(["a/x", "a/y"]) == {"a/x": 2}
    assert files.read_many(["a/x", "a/y"]) == {"a/x": b"12"}
    assert files.list("nowhere") == []
    files.remove("a/y")
    files.remove("a/x")
    files.write_bytes("verdicts/app=a/month=2026-11/x", b"12")
    files.remove("verdicts/app=a/month=2026-11/x")
    assert (tmp_path / "a").exists()
    assert [path.name for path in (tmp_path / "verdicts").rglob("*")] == ["app=a"]
