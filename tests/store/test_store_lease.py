"""One process a run."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import RunError
from goldassay.store import Store, open_store


def _hold(root: str, holding: Any, release: Any) -> None:
    with open_store(root).lock_run("run-1"):
        holding.set()
        release.wait(60)


def _holder(store: Store) -> tuple[Any, Any]:
    context = multiprocessing.get_context("fork")
    holding, release = context.Event(), context.Event()
    process = context.Process(target=_hold, args=(store.address, holding, release))
    process.start()
    assert holding.wait(60)
    return process, release


def test_a_second_process_gets_one_clear_message(store: Store) -> None:
    """It names the run, the other process and what to do."""
    process, release = _holder(store)
    try:
        with (
            pytest.raises(RunError, match=rf"run 'run-1' is in the hands of process {process.pid} on .*Wait for it"),
            store.lock_run("run-1"),
        ):
            pass
        with store.lock_run("run-2"):
            pass  # another run is free
    finally:
        release.set()
        process.join()
    with store.lock_run("run-1"):
        pass  # free again


def test_the_lock_of_a_dead_process_is_free(store: Store) -> None:
    """Kill -9 leaves no lock that a person must remove."""
    process, _ = _holder(store)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()

    with store.lock_run("run-1"):
        assert (Path(store.address) / "leases" / "run-1.lock").exists()


def test_two_threads_are_told_apart_too(store: Store) -> None:
    """The lock is of the block, not of the process."""
    with store.lock_run("run-1"), pytest.raises(RunError, match="in the hands of process"), store.lock_run("run-1"):
        pass


def test_a_lock_file_without_a_holder_still_refuses_clearly(store: Store) -> None:
    """Between taking the lock and writing who holds it there is a moment."""
    with store.lock_run("run-1"):
        (Path(store.address) / "leases" / "run-1.lock").write_text("")
        with pytest.raises(RunError, match="another process"), store.lock_run("run-1"):
            pass
