import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.flows.conftest import wait_until

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]


def test_a_night_on_a_given_server_leaves_rows_artifacts_and_a_telling_name(work, judge):
    """Rules on all, the judge on the sample, a run name with app and date, three artifacts, and no text in the logs."""
    work.goldassay("run", "--until", "2026-11-28")

    (run,) = work.query("SELECT records, selected, verdicts, errors FROM runs")
    rows = work.query('SELECT count(*) n, count(DISTINCT (record_id, "check")) d FROM verdicts')[0]
    assert run["records"] == 62
    assert run["selected"] >= 10
    assert rows["n"] == rows["d"] == run["verdicts"]
    assert judge.paid_twice == 0
    flow_run = work.server.flow_runs("goldassay-nightly")[-1]
    assert flow_run["name"].startswith("atlas nightly 2026.10.1 20")
    artifacts = work.server.post("/artifacts/filter", {"limit": 50})
    mine = {each["key"]: each for each in artifacts if each["flow_run_id"] == flow_run["id"]}
    assert {f"goldassay-atlas-nightly-{name}" for name in ("report", "failures", "page")} <= set(mine)
    assert float(mine["goldassay-atlas-judge"]["data"]) == 100.0
    failures = json.loads(mine["goldassay-atlas-nightly-failures"]["data"])
    assert failures
    assert all(row["record"] and row["question"] and row["check"] and row["reason"] for row in failures)
    assert "file://" not in str(mine)
    logs = work.server.post("/logs/filter", {"limit": 200})
    assert not any("helmet" in line["message"] for line in logs)


def test_the_end_of_a_night_is_an_event_and_its_page_is_linked_where_it_is_served(work):
    """What the server's own watch for silence counts, with the numbers and no text of an answer."""
    where = "run.report_url=https://reports.example/x/"
    work.goldassay("run", "--until", "2026-11-28", "--sample", "0", "--set", where)

    def completed():
        found = work.server.post("/events/filter", {"filter": {"event": {"name": ["goldassay.run.completed"]}}})
        runs = {row["run_id"] for row in work.query("SELECT run_id FROM runs")}
        return [event for event in found["events"] if event["payload"]["run_id"] in runs]

    (event,) = wait_until(completed, limit_s=60, every_s=1)
    assert event["resource"]["prefect.resource.id"] == "goldassay.app.atlas"
    assert event["payload"]["records"] == 62
    assert event["payload"]["run_kind"] == "nightly"
    artifacts = work.server.post("/artifacts/filter", {"limit": 200})
    page = f"https://reports.example/x/{event['payload']['run_id']}.html"
    assert any(page in str(each["data"]) for each in artifacts)


def test_the_window_follows_the_watermark_and_no_record_is_taken_twice(work):
    """A second run right after the first finds nothing new; a late line of yesterday is taken once."""
    work.goldassay("run")
    first = work.query("SELECT count(*) n FROM answers")[0]["n"]
    late = (
        '{"id": "late-1", "question": "Is it late?", "answer": "Yes.", "sources": [], '
        '"asked_at": "2026-11-28T12:00:00Z", "app_version": "2026.11.0"}\n'
    )

    message = work.goldassay_error("run")
    (work.folder / "logs" / "late.jsonl").write_text(late, encoding="utf-8")
    work.goldassay("run")

    assert "were taken by an earlier run" in message
    assert work.query("SELECT count(*) n, count(DISTINCT record_id) d FROM answers")[0] == {
        "n": first + 1,
        "d": first + 1,
    }


def test_a_night_that_was_published_and_killed_gets_its_report_from_the_same_command(work, judge):
    """Nothing is read, judged or published again; afterwards the same command begins a new night."""
    work.goldassay("run")
    calls = judge.calls
    (mark,) = (work.folder / "store").rglob("*.reported")
    mark.unlink()  # as if it had been killed right before its end

    again = work.goldassay("run")

    assert mark.stem in again
    assert judge.calls == calls
    assert [run["run_id"] for run in work.query("SELECT run_id FROM runs")] == [mark.stem]
    assert "were taken by an earlier run" in work.goldassay_error("run")


def test_a_run_that_finds_no_answer_is_a_failure_with_its_reason(work):
    """An empty input is not a passed night."""
    message = work.goldassay_error("run", "--since", "2030-01-01")

    assert "A run without answers proves nothing" in message
    assert "Traceback" not in message
    assert work.query("SELECT * FROM runs") == []


def test_a_night_without_traffic_may_be_fine(work):
    """Where nobody asks at weekends; a line that was broken before is no news."""
    work.goldassay("run", "--sample", "0")

    said = work.goldassay("run", "--since", "2030-01-01", "--set", "run.empty_night=ok")

    assert "nothing new in the log: a quiet night" in said
    assert len(work.query("SELECT * FROM runs")) == 1


def test_a_night_that_broke_is_finished_and_the_answers_since_then_are_taken_as_well(work):
    """The next scheduled night comes a day later: nothing is paid for twice, and nothing waits for another day."""
    settings = ["--set", "judge.api_key_env=THE_KEY"]
    work.goldassay_error("run", *settings, code=2)  # it breaks when the judge is to be asked
    (plan,) = (work.folder / "store").rglob("plans/*.json")
    broken = json.loads(plan.read_text(encoding="utf-8"))
    earlier = {name: _a_day_before(broken[name]) for name in ("run_at", "window_end")}
    plan.write_text(json.dumps({**broken, **earlier}), encoding="utf-8")
    line = {"id": "new-1", "question": "Q?", "answer": "A.", "sources": [], "asked_at": broken["run_at"]}
    (work.folder / "logs" / "new.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")

    work.goldassay("run", *settings, THE_KEY="anything")

    runs = work.query("SELECT run_id FROM runs ORDER BY run_at")
    assert len(runs) == 2
    assert runs[0]["run_id"] == plan.stem
    assert work.query("SELECT count(*) n, count(DISTINCT record_id) d FROM answers")[0] == {"n": 125, "d": 125}


def _a_day_before(moment: str) -> str:
    return (datetime.fromisoformat(moment) - timedelta(hours=25)).isoformat()


def test_answers_that_came_too_late_for_every_night_are_told_of(work):
    """They are in no window; the report says so and names the command that takes them."""
    work.goldassay("run", "--sample", "0")
    late = {"id": "late-9", "question": "Q?", "answer": "A.", "sources": [], "asked_at": "2026-11-01T12:00:00Z"}
    new = {**late, "id": "new-9", "asked_at": datetime.now(UTC).isoformat()}
    (work.folder / "logs" / "late.jsonl").write_text(f"{json.dumps(late)}\n{json.dumps(new)}\n", encoding="utf-8")

    totals = json.loads(work.goldassay("run", "--sample", "0", "--json"))

    (notes,) = (
        run["notes"] for run in work.query("SELECT run_id, notes FROM runs") if run["run_id"] == totals["run_id"]
    )
    assert "1 answers from before" in str(notes)
    assert "goldassay backfill" in str(notes)
