"""Labels are kept; paid replies are found again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from goldassay.analytics.connect import connect
from goldassay.store import Label, RunManifest, Store
from goldassay.verdicts import Category, Outcome, Verdict

Publish = Callable[..., RunManifest]
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def label(check: str = "faithful", **fields: object) -> Label:
    """One label."""
    known = {
        "labelled_at": NOW,
        "labeller": "me",
        "run_id": "run-1",
        "app": "atlas",
        "record_id": "r",
        "outcome": "fail",
    }
    return Label(check=check, **(known | fields))  # type: ignore[arg-type]  # any field


def test_labels_are_read_at_once_and_never_lost(store: Store) -> None:
    """Each call is one step; ids are given where they are missing."""
    store.add_labels([label(), label("relevant", app="..")])
    store.add_labels([label(comment="=1+1")])
    store.add_labels([])

    with connect(store) as connection:
        rows = connection.execute('SELECT app, "check", comment, length(label_id) FROM labels ORDER BY ALL').fetchall()
    assert rows == [("..", "relevant", "", 32), ("atlas", "faithful", "", 32), ("atlas", "faithful", "=1+1", 32)]


def test_a_comment_cut_in_the_middle_of_a_sign_is_kept(store: Store) -> None:
    """Half of a surrogate pair, as a browser may send it, fits into no UTF-8 file."""
    store.add_labels([label(comment="good \ud83d")])

    with connect(store) as connection:
        assert connection.execute("SELECT comment FROM labels").fetchall() == [("good \ufffd",)]


def test_a_label_file_without_its_commit_does_not_count(store: Store) -> None:
    """A crash between the file and the commit leaves nothing half."""
    store.add_labels([label()])
    for path in (Path(store.address) / "commits").iterdir():
        path.unlink()

    with connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM labels").fetchone() == (0,)
    assert [problem.what for problem in store.verify()] == ["is named by no manifest"]


def judged(hash_: str, outcome: Outcome = Outcome.PASS, **fields: object) -> Verdict:
    """One judge verdict."""
    known: dict[str, object] = {
        "reply": f"reply of {hash_}",
        "finish_reason": "stop",
        "app": "atlas",
        "record_id": hash_,
    }
    category = Category.UNREADABLE_REPLY if outcome is Outcome.ERROR else None
    merged = known | {"category": category} | fields
    return Verdict(check="faithful", check_kind="judge", outcome=outcome, request_hash=hash_, **merged)  # type: ignore[arg-type]  # any field


def publish(store: Store, run_id: str, verdicts: list[Verdict], at: datetime = NOW) -> None:
    """Publish a run that is nothing but judge verdicts."""
    store.staging(run_id).write_verdicts("judge", 0, verdicts)
    store.publish(run_id, RunManifest(run_id=run_id, run_kind="nightly", run_at=at, app="atlas"))


def test_a_paid_reply_is_found_by_its_request_hash(store: Store) -> None:
    """Only what was asked for comes back, with the run that paid."""
    publish(store, "run-1", [judged("h1"), judged("h2", Outcome.FAIL)])

    found = store.stored_replies(["h1", "h2", "h9"], 30, now=NOW)

    assert set(found) == {"h1", "h2"}
    assert (found["h1"].reply, found["h1"].run_id, found["h1"].run_at) == ("reply of h1", "run-1", NOW)
    assert store.stored_replies([], 30, now=NOW) == {}


def test_errors_are_never_reused_not_even_in_part(store: Store) -> None:
    """A reply that one criterion could not be read from is asked for again."""
    rows = [judged("h1", Outcome.ERROR), judged("h2"), judged("h2", Outcome.ERROR), judged("h3", reply=None)]
    publish(store, "run-1", rows)

    assert store.stored_replies(["h1", "h2", "h3"], 30, now=NOW) == {}


def test_an_older_good_reply_serves_when_the_newer_one_is_an_error(store: Store) -> None:
    """One bad night does not spoil what was paid for before."""
    publish(store, "run-1", [judged("h1", reply="old")], NOW - timedelta(days=2))
    publish(store, "run-2", [judged("h1", Outcome.ERROR, reply="cut")], NOW - timedelta(days=1))

    assert store.stored_replies(["h1"], 30, now=NOW)["h1"].reply == "old"


def test_age_counts_from_the_paid_reply_and_the_newest_wins(store: Store) -> None:
    """A reused row does not make a reply young again."""
    publish(store, "old", [judged("h1", reply="old")], NOW - timedelta(days=40))
    publish(store, "again", [judged("h1", reply="old", reused=True)], NOW - timedelta(days=1))
    publish(store, "mid", [judged("h2", reply="mid")], NOW - timedelta(days=20))
    publish(store, "new", [judged("h2", reply="new")], NOW - timedelta(days=10))

    assert store.stored_replies(["h1"], 30, now=NOW) == {}
    assert store.stored_replies(["h1"], 50, now=NOW)["h1"].run_id == "old"
    assert store.stored_replies(["h2"], 30, now=NOW)["h2"].reply == "new"


def test_files_of_other_months_are_not_opened(store: Store, publish_run: Publish) -> None:
    """Reuse looks at recent months only, whatever state the old ones are in."""
    publish_run(store, "old", run_at=NOW - timedelta(days=200))
    publish(store, "new", [judged("h1")])
    (old,) = (Path(store.address) / "verdicts").rglob("old-0.parquet")
    old.write_bytes(b"")

    assert set(store.stored_replies(["h1"], 30, now=NOW)) == {"h1"}


def test_replies_in_finished_parts_of_a_run_are_found_by_their_hash(store: Store) -> None:
    """What an earlier shard paid for serves a later one; errors and reused rows serve nobody."""
    rows = [
        judged("h1"),
        judged("h1", reused=True, reply="second hand"),
        judged("h2", Outcome.ERROR, reply="hm"),
        judged("h2", reply="asked once more"),
        judged("h3", Outcome.ERROR, reply="hm"),
    ]
    staging = store.staging("run-1")
    staging.write_verdicts("judge", 0, [replace(row, run_id="run-1", run_at=NOW) for row in rows])

    found = staging.replies("judge", [0, 1], ["h1", "h2", "h3", "h4"])

    assert {name: reply.reply for name, reply in found.items()} == {"h1": "reply of h1", "h2": "asked once more"}
    assert staging.replies("judge", [], ["h1"]) == staging.replies("judge", [0], []) == {}
