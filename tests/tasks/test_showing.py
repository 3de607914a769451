import contextlib

import httpx
import pytest

from goldassay.judging.progress import ProgressSnapshot
from tasks import showing
from tasks.showing import progress_artifact


@pytest.fixture
def page(monkeypatch):
    """What Prefect's page shows, one entry for each request."""
    shown: list[tuple[float, str]] = []

    async def create(progress, *, key, description):
        shown.append((progress, description))
        return key

    async def update(_artifact, progress, *, description):
        shown.append((progress, description))

    monkeypatch.setattr(showing, "acreate_progress_artifact", create)
    monkeypatch.setattr(showing, "aupdate_progress_artifact", update)
    return shown


async def test_a_shard_at_its_end_stands_at_a_hundred(page):
    """Also one that was judged before the process died, in which no call was left to make."""
    async with progress_artifact("atlas-judge"):
        pass

    assert page == [(0.0, "the judge begins"), (100.0, "no call was left to make")]


async def test_a_shard_that_breaks_stands_where_it_was(page):
    """What was done is not lost, and it is not called complete."""
    with contextlib.suppress(RuntimeError):
        async with progress_artifact("atlas-judge") as on_progress:
            on_progress(ProgressSnapshot(done=30, total=120, in_flight=8, rate_per_s=1.0))
            raise RuntimeError

    assert page[-1][0] == 25.0


async def test_where_no_model_is_asked_there_is_no_bar(page):
    """It would stand at the beginning for ever."""
    async with progress_artifact("atlas-judge", asks_model=False) as on_progress:
        on_progress(ProgressSnapshot(done=0, total=0, in_flight=0, rate_per_s=0.0))

    assert page == []


async def test_a_server_that_takes_no_artifact_does_not_keep_the_judge_from_judging(monkeypatch):
    """The judge's work is paid for; its bar on a page is not worth a night."""

    async def refuse(*_, **__):
        raise httpx.ConnectError("away")

    monkeypatch.setattr(showing, "acreate_progress_artifact", refuse)
    judged = []
    async with progress_artifact("atlas-judge") as on_progress:
        on_progress(ProgressSnapshot(done=1, total=2, in_flight=1, rate_per_s=1.0))
        judged.append(1)

    assert judged == [1]
