from types import SimpleNamespace

import pytest

from goldassay.errors import RunError
from tasks import announcing
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


async def test_a_lost_event_does_not_break_a_run_that_is_whole(monkeypatch):
    """It is said in the log."""
    said = []

    async def lose(*_):
        raise RunError("the server did not take it")

    monkeypatch.setattr(announcing, "aemit", lose)
    monkeypatch.setattr(
        announcing, "get_run_logger", lambda: SimpleNamespace(warning=lambda *words: said.append(words))
    )

    await announce_run(_summary())

    assert "did not take it" in str(said[0][1])
