import logging
import os
from types import SimpleNamespace

import pytest

from goldassay.errors import RunError
from tasks import announcing, gate, watch
from tasks.announcing import announce_run, worse


def _check(name, claim, severity="gate"):
    change = SimpleNamespace(claim=claim, sentence=f"{name}: {claim}.")
    return SimpleNamespace(check=name, severity=severity, change=change)


def _summary(*checks, whole=None):
    counts = SimpleNamespace(passed=50, graded=60, errors=2)
    return SimpleNamespace(
        run_id="20261129-nightly", run_kind="nightly", app="atlas", app_versions=("2026.11.0",), records=62,
        answers=SimpleNamespace(counts=counts), answers_change=whole, checks=checks, compared_to="20261128-nightly",
    )  # fmt: skip


@pytest.fixture
def emitted(monkeypatch):
    """Events, instead of the server's."""
    found = []

    async def emit(name, app, payload):
        found.append((name, app, payload))

    monkeypatch.setattr(announcing, "aemit", emit)
    return found


async def test_a_night_that_got_worse_tells_which_checks_did(emitted):
    """Two events: the run completed, and it regressed; the sentence is fit for a message to people."""
    await announce_run(_summary(_check("numbers", "regression"), _check("cites", "no_change")))

    assert [name for name, *_ in emitted] == ["goldassay.run.completed", "goldassay.run.regressed"]
    _, app, payload = emitted[1]
    assert app == "atlas"
    assert payload["checks"] == ["numbers"]
    assert payload["sentence"] == "20261129-nightly against 20261128-nightly: numbers: regression."


async def test_a_change_that_chance_explains_is_no_regression(emitted):
    """Nor is one of a check that only warns."""
    summary = _summary(_check("numbers", "cannot_tell"), _check("length", "regression", severity="warn"))

    await announce_run(summary)

    assert worse(summary) == {}
    assert [name for name, *_ in emitted] == ["goldassay.run.completed"]
    assert emitted[0][2]["passed"] == 50


@pytest.fixture
def lost(monkeypatch):
    """Every event is lost; what is said of them."""
    said: list[str] = []

    async def lose(*_):
        raise RunError("the server did not take it")

    monkeypatch.setattr(announcing, "aemit", lose)
    log = SimpleNamespace(warning=lambda _, error: said.append(str(error)))
    monkeypatch.setattr(announcing, "get_run_logger", lambda: log)
    return said


async def test_a_lost_event_does_not_break_a_run_that_is_whole(lost):
    """It is said in the log."""
    await announce_run(_summary())

    assert lost == ["the server did not take it"]


async def test_a_lost_event_does_not_take_the_place_of_the_gates_verdict(lost, monkeypatch):
    """A golden run that is stopped says why it is stopped."""
    bench = SimpleNamespace(plan=SimpleNamespace(run_id="r1", app="atlas"))
    monkeypatch.setattr(gate, "open_bench", lambda _: bench)
    monkeypatch.setattr(gate, "_compare", lambda _: None)
    monkeypatch.setattr(gate, "get_run_logger", lambda: logging.getLogger("test"))

    numbers = await gate.gate.fn("plan")

    assert numbers["state"] == "not_evaluable"
    assert len(lost) == 1


async def test_a_lost_event_does_not_silence_the_watch(lost, tmp_path):
    """Where the server is away, that nothing has run is the news, not that an event was lost."""
    settings = tmp_path / "goldassay.toml"
    settings.write_text('app = "atlas"\n', encoding="utf-8")
    os.utime(settings, (0, 0))  # set up long ago, and no night has run

    with pytest.raises(RunError, match="no run of 'atlas' has completed since 1970-01-01"):
        await watch.raise_when_stale.fn(str(tmp_path))

    assert len(lost) == 1
