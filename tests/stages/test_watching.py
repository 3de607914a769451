import json
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from goldassay.errors import SourceError
from goldassay.sources import AnswersConfig
from goldassay.stages.plan import RunPlan
from goldassay.stages.watching import (
    newest_in_log,
    note_quiet_night,
    read_endpoint,
    remember,
    remembered,
    stale_since,
)
from goldassay.store import RunManifest, open_store

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
VERSIONS = {"app_version": "2", "model": "m2", "prompt_version": None, "index_version": None}


def _store_with(folder, ends):
    store = open_store(folder / "store")
    for n, end in enumerate(ends):
        manifest = RunManifest(run_id=f"run-{n}", run_kind="nightly", run_at=end, finished_at=end, app="a")
        store.publish(manifest.run_id, manifest)
    return store


@pytest.mark.parametrize(
    ("ends", "set_up", "stale"),
    [
        ((NOW - timedelta(hours=25),), NOW, False),
        ((NOW - timedelta(hours=27),), NOW, True),
        ((NOW - timedelta(days=9), NOW - timedelta(hours=3)), NOW, False),
        ((), NOW - timedelta(hours=1), False),
        ((), NOW - timedelta(hours=27), True),
    ],
    ids=["fresh", "stale", "newest counts", "just set up", "never ran"],
)
def test_a_stall_is_noticed_after_26_hours_and_also_where_nothing_ever_ran(tmp_path, ends, set_up, stale):
    """A night that silently never ran is worse than one that failed."""
    store = _store_with(tmp_path, ends)

    since = stale_since(store, "a", now=NOW, limit=timedelta(hours=26), set_up=set_up)

    assert (since is not None) is stale


def test_a_golden_run_is_no_night(tmp_path):
    """Versions may be graded for weeks while no night runs."""
    store = _store_with(tmp_path, [NOW - timedelta(hours=27)])
    golden = RunManifest(run_id="g", run_kind="golden", run_at=NOW, finished_at=NOW, app="a")
    store.publish("g", golden)

    assert stale_since(store, "a", now=NOW, limit=timedelta(hours=26), set_up=NOW) is not None


def test_a_quiet_night_ran(tmp_path):
    """Nobody asked anything at the weekend, and the watchdog stays quiet as well."""
    store = _store_with(tmp_path, [NOW - timedelta(days=3)])
    note_quiet_night(store, "a", now=NOW - timedelta(hours=10))

    assert stale_since(store, "a", now=NOW, limit=timedelta(hours=26), set_up=NOW) is None


def _plan(folder):
    return RunPlan(
        run_id="w", run_kind="check", run_at=NOW, app="a", project=str(folder), store="s", settings={},
        window_start=NOW - timedelta(days=2), window_end=NOW,
    )  # fmt: skip


def test_the_newest_answer_of_the_log_tells_the_version(tmp_path):
    """By time, not by place in the file."""
    lines = [
        {
            "id": "1",
            "question": "q",
            "answer": "a",
            "asked_at": "2026-11-29T10:00:00Z",
            "app_version": "2",
            "model": "m2",
        },
        {
            "id": "2",
            "question": "q",
            "answer": "a",
            "asked_at": "2026-11-28T10:00:00Z",
            "app_version": "1",
            "model": "m1",
        },
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    assert newest_in_log(_plan(tmp_path), AnswersConfig(path="a.jsonl"), environ={}) == VERSIONS


def test_a_log_without_answers_is_no_change(tmp_path):
    """Whether there should be some is the freshness watchdog's question."""
    assert newest_in_log(_plan(tmp_path), AnswersConfig(path="*.jsonl"), environ={}) is None


def test_an_endpoint_tells_its_versions_by_column_paths():
    """Names are mapped as for answers; what is missing is unknown."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"build": {"model": "m2", "version": 2}}))

    found = read_endpoint(
        "http://assistant/version", {"model": "build.model", "app_version": "build.version"}, transport=transport
    )

    assert found == VERSIONS


@pytest.mark.parametrize("response", [httpx.Response(503), httpx.Response(200, text="<html>")])
def test_an_endpoint_that_is_down_is_an_error_and_no_change(response):
    """A broken endpoint must not look like a new version."""
    with pytest.raises(SourceError, match=r"watch\.version_url"):
        read_endpoint("http://assistant/version", {"model": "m"}, transport=httpx.MockTransport(lambda _: response))


def test_what_was_seen_is_remembered_in_the_store(tmp_path):
    """One change is told once, also after a restart; an app's name is no path."""
    store = open_store(tmp_path / "store")
    assert remembered(store, "../a/b") is None

    remember(store, "../a/b", VERSIONS)

    assert remembered(open_store(tmp_path / "store"), "../a/b") == VERSIONS
    assert not (tmp_path / "a").exists()


def test_the_version_of_another_app_is_not_this_ones(tmp_path):
    """One log may hold many assistants."""
    rows = [
        {"id": "1", "question": "q", "answer": "a", "asked_at": "2026-11-29T10:00:00Z", "app_version": "2"},
        {"id": "2", "question": "q", "answer": "a", "asked_at": "2026-11-29T11:00:00Z", "app_version": "9", "app": "b"},
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    found = newest_in_log(_plan(tmp_path), AnswersConfig(path="log.jsonl"), environ={})

    assert found is not None
    assert found["app_version"] == "2"


def test_a_database_that_cannot_be_reached_is_no_quiet_log(tmp_path):
    """A watch that looks at nothing for ever would be worse than none."""
    config = AnswersConfig(source="sql", url=f"sqlite:///{tmp_path}/nowhere/log.db", table="rag_log")

    with pytest.raises(SourceError):
        newest_in_log(_plan(tmp_path), config, environ={})
