"""What a person says, and where it is kept."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections import Counter

import pytest

from goldassay.analytics.connect import connect
from goldassay.errors import ConfigError, RunError
from goldassay.records import GoldenQuestion
from goldassay.review.items import item_view, session_view
from goldassay.review.opening import open_session
from tests.review.review_store import BY_LAW, RUN, SECRET


def labels_of(store, columns="record_id, outcome, category, comment, blind"):
    """The labels view, oldest first."""
    with connect(store) as connection:
        return connection.execute(f"SELECT {columns} FROM labels ORDER BY labelled_at").fetchall()


def test_both_outcomes_of_the_judge_are_drawn(opened):
    """All eight failures, and passes to fill up; not the one that broke."""
    session = opened(number=20)

    assert session.check == "faithful"
    assert Counter(item.verdict.outcome.value for item in session.items) == {"pass": 12, "fail": 8}


def test_only_what_the_judge_said_is_drawn(opened):
    """Of forty one broke, and one passed by law."""
    names = {item.record.record_id for item in opened(number=100).items}

    assert len(names) == 38
    assert names.isdisjoint({"r007", f"r{BY_LAW:03d}"})


def test_what_somebody_should_look_at_comes_first_when_asked_for(opened):
    """The answer that broke the judge and the one that talks to it, not those of a related model."""
    names = [item.record.record_id for item in opened(number=4, first="flagged").items]

    assert set(names[:2]) == {"r007", "r009"}
    assert len(names) == 4


def test_a_label_is_in_the_store_before_anything_else_happens(opened, store):
    """With what the judge had said, and that the person had not seen it."""
    session = opened(labeller="  Kim\tB. ")

    session.label(0, "fail", category="added_claim", comment="=1+1")

    columns = 'labeller, run_id, "check", app, app_version, outcome, category, comment, judge_outcome, blind'
    (row,) = labels_of(store, columns)
    judged = session.items[0].verdict.outcome.value
    assert row == ("Kim B.", RUN, "faithful", "atlas", "1", "fail", "added_claim", "=1+1", judged, True)


def test_nothing_of_the_judge_is_sent_before_the_label(opened):
    """Neither its verdict, nor its marks, nor what the rules complain of."""
    session = opened()

    before = json.dumps(item_view(session, 0))
    session.label(0, "skip")
    skipped = json.dumps(item_view(session, 0))
    session.label(0, "pass")
    after = item_view(session, 0)

    assert SECRET not in before + skipped
    assert "complaint" not in before + skipped
    assert '"verdict": null' in before
    assert after["verdict"]["reason"] == SECRET
    assert [other["check"] for other in after["verdict"]["others"]] == ["numbers"]


def test_cited_sources_and_found_numbers_are_marked(opened):
    """The person sees where to look: the mark leads to source 2, the number stands in it."""
    view = item_view(opened(), 0)

    marks = {(view["answer"][start:end], mark, note) for start, end, mark, note in view["marks"]}
    assert ("[D2]", "cite", "2") in marks
    assert any(mark == "good" and "30" in text for text, mark, _ in marks)
    assert [[mark for *_, mark, _ in source["marks"]] for source in view["sources"]] == [[], ["good"]]


def test_a_label_after_the_verdict_was_seen_is_not_blind(opened, store):
    """Undone and given again, or turned round: kept, and marked. A note that follows stays blind."""
    session = opened()
    session.label(0, "fail")
    session.label(0, "fail", category="other", comment="a note at leisure")
    session.label(0, "pass")
    session.label(1, "pass")
    session.undo(1)
    session.undo(1)
    session.label(1, "pass")

    assert [(outcome, blind) for _, outcome, _, _, blind in labels_of(store)] == [
        ("fail", True), ("fail", True), ("pass", False), ("pass", True), ("skip", False), ("pass", False),
    ]  # fmt: skip


def test_a_skipped_answer_may_be_labelled_blind_later(opened, store):
    """Skipping shows nothing."""
    session = opened()
    session.label(0, "skip")
    session.label(0, "pass")

    assert [row[-1] for row in labels_of(store)] == [True, True]


def test_the_same_command_goes_on_where_the_person_stopped(opened):
    """Labels, skips and what was taken back are found again; another name starts afresh."""
    first = opened(number=6)
    first.label(0, "fail", category="other", comment="why")
    first.label(2, "skip")
    first.label(3, "pass")
    first.undo(3)

    again = opened(number=6)

    assert session_view(again) == {"said": ["fail", "", "skip", "", "", ""]}
    assert again.given(0) == first.given(0)
    assert again.seen(3)
    assert not again.seen(2)
    assert session_view(opened(number=6, labeller="kim")) == {"said": [""] * 6}
    assert {item.record.record_id for item in again.items} <= {i.record.record_id for i in opened(number=12).items}


def test_the_newest_label_is_the_newest_though_the_clock_stands(opened, store, ticking):
    """Two labels within one tick would leave it to chance which counts."""
    session = opened()
    session._clock = ticking
    for outcome in ("pass", "fail", "pass", "fail"):
        session.label(0, outcome)

    assert session_view(opened())["said"][0] == "fail"
    with connect(store) as connection:
        assert connection.execute("SELECT count(DISTINCT labelled_at) FROM labels").fetchone() == (4,)


def test_the_golden_question_is_shown_where_the_check_compares_with_it(opened):
    """For `correct` the reference is what to compare with; for `faithful` it would draw the eye from the sources."""
    session = opened()
    golden = GoldenQuestion(question_id="q", question="?", key_facts=(("30", "thirty"),), reference="30 days")
    session.items = (session.items[0]._replace(golden=golden),)

    assert item_view(session, 0)["golden"] is None
    session.check = "correct"
    assert item_view(session, 0)["golden"] == {"answerable": True, "facts": ["30 / thirty"], "reference": "30 days"}


def test_answers_dropped_by_retention_are_told(opened, monkeypatch):
    """Verdicts may outlive the answers; there is nothing to read then."""
    monkeypatch.setattr("goldassay.review.opening.batch_to_stored_answers", lambda _: [])

    with pytest.raises(RunError, match=f"answers of run '{RUN}' are gone"):
        opened()


def test_a_kill_loses_no_label(opened, store):
    """The process dies right after the third label."""
    script = f"""
        import os
        from goldassay.review.opening import open_session
        from goldassay.store import open_store
        session = open_session(open_store({store.address!r}), "last", app="atlas")
        for place in range(3):
            session.label(place, "pass")
        os._exit(9)
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)

    assert killed.returncode == 9
    assert len(labels_of(store)) == 3
    assert store.verify() == []


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"outcome": "maybe"}, "no label 'maybe'"),
        ({"outcome": "fail", "category": "unreadable_reply"}, "no category 'unreadable_reply'"),
        ({"outcome": "pass", "category": "other"}, "no category 'other' for a label 'pass'"),
    ],
    ids=["outcome", "category of an error", "category of a pass"],
)
def test_a_label_of_unknown_words_is_refused(opened, store, said, message):
    """Nothing is kept."""
    with pytest.raises(ConfigError, match=message):
        opened().label(0, **said)

    assert labels_of(store) == []


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"check": "correct"}, ConfigError, "no verdicts of 'correct' to label. It has 'faithful', 'numbers'"),
        ({"labeller": " "}, ConfigError, "no name to label as"),
        ({"labeller": "a\u202eb"}, ConfigError, "no name to label as"),
        ({"number": 0}, ConfigError, "nothing to label"),
    ],
    ids=["check", "no name", "hidden sign", "number"],
)
def test_what_cannot_be_opened_says_why(opened, options, error, message):
    """Wrong options end in one message."""
    with pytest.raises(error, match=message):
        opened(**options)


def test_a_run_of_errors_alone_has_nothing_to_label(only_errors):
    """The one answer could not be graded."""
    with pytest.raises(ConfigError, match=r"no verdicts of 'faithful' to label. It has 'numbers'"):
        open_session(only_errors, "last", app="atlas", check="faithful")
