"""kill -9 in the middle of upkeep: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from goldassay.analytics.connect import connect
from goldassay.store import RunManifest, Store, open_store
from goldassay.store.files import LocalFiles

Publish = Callable[..., RunManifest]
HISTORY = "SELECT app_version, run_id, outcome, count(*) FROM verdicts GROUP BY ALL ORDER BY ALL"


class Killed(LocalFiles):
    """Dies at its n-th change of the disk."""

    def __init__(self, root: Path, at: int) -> None:
        super().__init__(root)
        self.left = at

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    @contextmanager
    def replacing(self, path: str) -> Iterator[Path]:
        """Die before the rename."""
        with super().replacing(path) as temporary:
            yield temporary
            self._count()

    def remove(self, path: str) -> None:
        """Die after the deletion."""
        super().remove(path)
        self._count()


def _upkeep(root: Path, at: int) -> None:
    store = Store(Killed(root, at), work_dir=root)
    store.compact(min_files=2, grace_s=0)
    store.retain(1, grace_s=0, now=datetime(2026, 11, 28, tzinfo=UTC))
    os._exit(0)


def _ask(store: Store) -> list[tuple[Any, ...]]:
    with connect(store) as connection:
        return connection.execute(HISTORY).fetchall()


@pytest.mark.parametrize("at", [1, 2, 3, 5, 6, 9, 12, 15, 18, 20])
def test_upkeep_may_die_anywhere(tmp_path: Path, publish_run: Publish, at: int) -> None:
    """What readers see is the state before, or with old months dropped; the next upkeep completes it."""
    store = open_store(tmp_path / "store")
    for n in range(4):
        at_time = datetime(2026, 10 + n // 2, 1 + n, tzinfo=UTC)
        publish_run(store, f"night-{n}", run_at=at_time, window_end=at_time)
    before = _ask(store)
    kept = [row for row in before if row[1] in {"night-2", "night-3"}]
    process = multiprocessing.get_context("fork").Process(target=_upkeep, args=(Path(store.address), at))
    process.start()
    process.join()
    assert process.exitcode in {0, -signal.SIGKILL}

    assert _ask(store) in (before, kept)
    store.compact(min_files=2, grace_s=0)
    store.retain(1, grace_s=0, now=datetime(2026, 11, 28, tzinfo=UTC))

    assert _ask(store) == kept
    assert [run.run_id for run in store.runs()] == ["night-2", "night-3"]
    assert [problem for problem in store.verify() if problem.severity == "error"] == []
