"""``goldassay review`` and ``goldassay calibrate`` on a real store."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from goldassay.cli.app import run_command
from goldassay.errors import ConfigError
from goldassay.review.app import About
from goldassay.review.guard import TOKEN_HEADER
from goldassay.review.opening import open_session
from goldassay.store import open_store


def label_all(project, *, wrong_every: int, labeller: str = "me", number: int = 30) -> int:
    """A person who agrees with the judge, but for every n-th answer; returns how many were labelled."""
    session = open_session(open_store(project / "store"), "last", app="atlas", number=number, labeller=labeller)
    clock = iter(range(1, 1000))
    session._clock = lambda: datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=next(clock))
    for place, item in enumerate(session.items):
        agrees = place % wrong_every != wrong_every - 1
        passes = (item.verdict.outcome.value == "pass") == agrees
        session.label(place, "pass" if passes else "fail")
    return len(session.items)


def test_without_labels_it_says_how_to_begin(project, capsys):
    """No table of dashes."""
    assert run_command(["calibrate"]) == 0

    assert "No answer has been labelled yet. Label some: goldassay review" in capsys.readouterr().out


def test_too_few_labels_are_told_on_both_pages(project, capsys):
    """The number missing stands in the calibration and in the report."""
    labelled = label_all(project, wrong_every=4, number=6)
    assert run_command(["calibrate"]) == 0
    printed = capsys.readouterr().out
    assert run_command(["report"]) == 0
    report = capsys.readouterr().out

    assert f"{labelled} answers by me" in printed
    missing = re.search(r"too few labels: (\d+) more needed: goldassay review --check faithful", printed)
    assert missing
    assert "not calibrated" in report
    assert f"faithful {missing[1]}" in " ".join(report.split())


def test_enough_labels_calibrate_the_judge_in_every_report(project, capsys):
    """The report stops saying that nobody has checked, and shows what people would have said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("goldassay.analytics.calibration.MIN_LABELS", 5)
        patch.setattr("goldassay.analytics.calibration.MIN_EACH", 1)
        label_all(project, wrong_every=7)
        label_all(project, wrong_every=5, labeller="kim")
        assert run_command(["calibrate"]) == 0
        printed = capsys.readouterr().out
        assert run_command(["report"]) == 0
        report = capsys.readouterr().out

    for word in ("agreement", "kappa", "sensitivity", "specificity", "raw pass rate", "corrected", "kim, me"):
        assert word in printed, word
    assert "PEOPLE AMONG EACH OTHER" in printed
    words = " ".join(report.split())
    assert "rubric rag 1, calibrated on faithful only" in words
    assert "nobody has checked scripted-judge with rubric rag 1 on correct and relevant" in words


def test_the_same_as_json(project, capsys):
    """Counts, figures and intervals by name."""
    labelled = label_all(project, wrong_every=4)
    assert run_command(["calibrate", "--json", "--check", "faithful"]) == 0

    found = json.loads(capsys.readouterr().out)

    (judge,) = found["judges"]
    assert judge["key"] == {"check": "faithful", "judge": "scripted-judge", "rubric": "rag", "version": "1"}
    assert judge["labels"] == labelled == sum(judge["confusion"].values())
    assert set(judge["errors"]) == {"agreement", "kappa", "sensitivity", "specificity", "people"}
    assert judge["errors"]["agreement"]["interval"]["low"] <= judge["errors"]["agreement"]["value"]


def test_a_check_nobody_labelled_is_an_empty_list(project, capsys):
    """Not an error: a script goes on."""
    label_all(project, wrong_every=4)
    assert run_command(["calibrate", "--json", "--check", "relevant"]) == 0

    assert json.loads(capsys.readouterr().out) == {"app": "atlas", "judges": [], "people": []}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--check", "nonsense"], "no verdicts of 'nonsense' to label"),
        (["--number", "0"], "nothing to label"),
        (["--first", "last"], "--first"),
        (["--port", "-1"], "port -1"),
    ],
    ids=["check", "number", "first", "port"],
)
def test_wrong_use_of_review_is_told_in_one_line(project, capsys, words, message):
    """Before any page is served."""
    assert run_command(["review", "--no-browser", *words]) == 2

    assert message in capsys.readouterr().err


def test_the_page_is_opened_and_asks_in_the_rubrics_words(project, monkeypatch, capsys):
    """Where the rubric is gone, the page asks in general."""
    served: list[tuple] = []
    opened: list[str] = []

    def serve(session, *, port, about, on_ready):
        served.append((len(session.items), port, about))
        on_ready("http://127.0.0.1:1/enter?token=t")

    monkeypatch.setattr("goldassay.review.serve.serve_review", serve)
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert run_command(["review", "--number", "3"]) == 0
    monkeypatch.setattr("goldassay.judging.rubric._find", _gone)
    assert run_command(["review", "--number", "3", "--no-browser"]) == 0
    assert run_command(["review", "--check", "length", "--no-browser"]) == 0

    for thread in threading.enumerate():
        if thread.name == "open the browser":
            thread.join(10)
    (number, port, about), (_, _, general), (_, _, rule) = served
    assert (number, port) == (3, 0)
    assert about.question == "Is everything the answer claims supported by the sources?"
    assert "added_claim" in about.categories
    assert general == rule == About()
    assert opened == ["http://127.0.0.1:1/enter?token=t"]
    assert capsys.readouterr().err.count("http://127.0.0.1:1/enter?token=t") == 3


def _gone(name, version, folders):
    raise ConfigError(f"no rubric {name!r}")


def test_review_serves_keeps_and_stops(project):
    """The whole command: its printed address leads in, a label is kept, Ctrl-C ends it well."""
    command = [sys.executable, "-m", "goldassay", "review", "--no-browser", "--number", "4", "--as", "kim"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as running:
        assert running.stderr is not None
        address = next(found[0] for line in running.stderr if (found := re.search(r"http://\S+", line)))
        token = address.rpartition("=")[2]
        with httpx.Client(follow_redirects=True, trust_env=False) as client:
            page = client.get(address)
            place = str(page.url.join("/api/answers/2"))
            kept = client.put(place, json={"outcome": "pass"}, headers={TOKEN_HEADER: token})
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 0

    assert "Is everything the answer claims supported by the sources?" in page.text
    assert kept.json()["given"]["outcome"] == "pass"
    session = open_session(open_store(project / "store"), "last", app="atlas", number=4, labeller="kim")
    assert [given is not None for given in map(session.given, range(len(session.items)))].count(True) == 1
