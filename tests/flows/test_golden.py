import json

import pytest

from goldassay.sources import read_golden
from tests.flows.conftest import SETTINGS, wait_until

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]

ASSISTANT = """
[assistant]
kind = "python"
function = "my_assistant.py:ask"
"""
STUB = """
def ask(question):
    if "helmet" in question:
        raise RuntimeError("the assistant fell over")
    return {"answer": "I could not find this in the documents.", "sources": []}
"""


def _events(server, app):
    found = server.post("/events/filter", {"filter": {"event": {"prefix": ["goldassay.golden."]}}})
    return [event["event"] for event in found["events"] if event["resource"]["prefect.resource.name"] == app]


def test_a_worse_version_is_stopped_with_a_message_a_person_can_act_on(work, judge):
    """First run: nothing to compare with. Accepted. A version that broke numbers fails the gate, exit code 1."""
    work.set(SETTINGS.format(app="atlas", url=judge.base_url) + '[gate]\nfail_on = ["wrong_number>3"]\n')

    first = work.goldassay("golden", "--app-version", "2026.10.1", code=1)
    accepted = work.goldassay("accept")
    second = work.goldassay("golden", "--app-version", "2026.11.0", code=1)

    assert "not evaluable" in first
    assert "goldassay accept" in first
    assert "(version 2026.10.1) is now the baseline" in accepted
    assert "gate fail" in second
    assert "goldassay compare" in second
    runs = work.query("SELECT app_version, run_kind, selected, records FROM runs ORDER BY run_at")
    assert [run["app_version"] for run in runs] == ["2026.10.1", "2026.11.0"]
    assert all(run["selected"] == run["records"] for run in runs)
    told = {"goldassay.golden.failed", "goldassay.golden.not_evaluable"}
    # The server keeps events some seconds after it has taken them.
    wait_until(lambda: told <= set(_events(work.server, "atlas")), limit_s=60)


def test_the_same_version_is_graded_once(work):
    """A second request for the same change ends at once, says which run has done it, and opens no closed gate."""
    work.goldassay("golden", "--app-version", "2026.11.0", code=1)

    again = json.loads(work.goldassay("golden", "--app-version", "2026.11.0", "--json", code=1))

    work.goldassay("accept", again["run_id"])
    assert "is the accepted baseline" in work.goldassay("golden", "--app-version", "2026.11.0")
    assert work.query("SELECT count(*) n FROM runs")[0]["n"] == 1


def test_every_golden_question_ends_answered_or_as_a_counted_error(work, judge):
    """A version the log does not know is asked; the assistant breaks on some questions, and each is a row."""
    work.set(SETTINGS.format(app="asked", url=judge.base_url) + ASSISTANT)
    (work.folder / "my_assistant.py").write_text(STUB, encoding="utf-8")

    work.goldassay("golden", "--app-version", "2027.1", code=1)

    answered = work.query("SELECT count(DISTINCT question_id) n FROM answers")[0]["n"]
    errors = work.query("SELECT question_id, outcome, reason FROM verdicts WHERE \"check\" = 'answered'")
    questions = len(read_golden(work.folder / "golden.yaml"))
    assert errors
    assert answered + len(errors) == questions
    assert {row["outcome"] for row in errors} == {"error"}
    assert all("fell over" in row["reason"] for row in errors)
