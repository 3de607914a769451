"""A store with one judged night, and sessions over it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from goldassay.review.opening import open_session
from goldassay.review.session import ReviewSession
from goldassay.store import Store, open_store
from tests.review.review_store import RUN_AT, write_night


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with one night of forty answers."""
    return write_night(open_store(tmp_path / "store"), range(40))


@pytest.fixture
def opened(store: Store) -> Callable[..., ReviewSession]:
    """Opens a session on the night."""

    def open_it(**more: object) -> ReviewSession:
        return open_session(store, "last", app="atlas", **more)  # type: ignore[arg-type]  # tests give any option

    return open_it


@pytest.fixture
def ticking() -> Callable[[], datetime]:
    """A clock that stands still for two calls, then moves a second."""
    calls = iter(range(10_000))
    return lambda: RUN_AT + timedelta(seconds=next(calls) // 2)


@pytest.fixture
def only_errors(tmp_path: Path) -> Store:
    """A night whose one answer could not be graded."""
    return write_night(open_store(tmp_path / "broken"), range(7, 8))
