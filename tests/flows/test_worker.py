import os
import signal
from datetime import UTC, datetime, timedelta

import pytest

from tests.flows.conftest import DONE, SETTINGS, ended, kill_flow_processes, wait_until

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]


@pytest.fixture
def deployed(work):
    """The project on the server, with a worker."""
    # The tests of this server share one app: nothing that one of them crashed may go on in the next.
    (work.folder / "deployments" / "automations.yaml").write_text("automations: []\n", encoding="utf-8")
    work.goldassay("deploy", "--take-over")
    work.start_worker()
    return work


def test_the_schedule_fires_and_the_night_is_in_the_store(deployed):
    """A near schedule on the real deployment, a real worker, and whole rows at the end."""
    server = deployed.server
    deployment = server.deployment("goldassay-nightly/atlas-nightly")
    anchor = (datetime.now(UTC) + timedelta(seconds=3)).isoformat()
    schedule = {"schedule": {"interval": 86_400, "anchor_date": anchor}, "active": True}
    server.post(f"/deployments/{deployment['id']}/schedules", [schedule])

    def ran():
        found = [r for r in server.flow_runs("goldassay-nightly") if r["deployment_id"] == deployment["id"]]
        return found[-1] if found and found[-1]["state_type"] in DONE else None

    run = wait_until(ran, limit_s=120)

    assert run["state_type"] == "COMPLETED"
    assert run["auto_scheduled"]
    assert deployed.query("SELECT count(*) n FROM runs")[0]["n"] == 1


def test_two_identical_events_grade_the_version_once(deployed, judge):
    """The event starts the golden run; the second, identical one finds the version graded."""
    mine = deployed.server.deployment("goldassay-golden/atlas-golden")["id"]
    started = datetime.now(UTC).isoformat()
    for _ in range(2):
        deployed.goldassay("model-changed", "--app-version", "2026.11.0")

    def both():
        found = [r for r in deployed.server.flow_runs("goldassay-golden") if r["deployment_id"] == mine]
        ended = [r for r in found if r["state_type"] in DONE and r["created"] >= started]
        return ended if len(ended) >= 2 else None

    wait_until(both, limit_s=180)

    runs = deployed.query("SELECT run_kind, app_version, selected FROM runs")
    assert [(run["run_kind"], run["app_version"]) for run in runs] == [("golden", "2026.11.0")]
    assert judge.paid_twice == 0


def test_a_night_whose_process_is_killed_goes_on_from_its_journal(deployed, judge):
    """Kill -9 of worker and run in the middle of the judge stage: the next run completes, nothing is paid for twice."""
    slow = SETTINGS.format(app="atlas", url=judge.base_url).replace("max_in_flight = 8", "max_in_flight = 2")
    deployed.set(slow.replace("nightly = 10", 'nightly = "full"'))
    judge.replies.latency_s = 0.15
    server = deployed.server
    run_id = server.run_deployment("goldassay-nightly/atlas-nightly", {"until": "2026-11-28"})
    wait_until(lambda: judge.calls >= 20, limit_s=120, every_s=0.05)

    deployed.stop_workers(signal.SIGKILL)
    kill_flow_processes(run_id)
    before = judge.calls
    judge.replies.latency_s = 0.0
    server.post(f"/flow_runs/{run_id}/set_state", {"state": {"type": "CRASHED", "name": "Crashed"}, "force": True})
    deployed.start_worker()
    again = server.run_deployment("goldassay-nightly/atlas-nightly", {"until": "2026-11-28"})
    state = wait_until(lambda: ended(server, again), limit_s=200)

    assert state == "COMPLETED"
    (run,) = deployed.query("SELECT records, selected, verdicts FROM runs")
    rows = deployed.query('SELECT count(*) n, count(DISTINCT (record_id, "check")) d FROM verdicts')[0]
    assert run["selected"] == run["records"]
    assert rows["n"] == rows["d"] == run["verdicts"]
    assert before >= 20
    assert judge.paid_twice <= 2


def test_a_backfill_and_the_freshness_watch_run_to_their_end(deployed):
    """Both as deployed: past days in one run, and a watch that finds a project without a night stale, then fresh."""
    server = deployed.server
    old = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    os.utime(deployed.folder / "goldassay.toml", (old, old))  # the project was set up long ago, and no night has run

    stale = server.run_deployment("goldassay-freshness/atlas-freshness")
    assert wait_until(lambda: ended(server, stale), limit_s=120) == "FAILED"
    message = server.get(f"/flow_runs/{stale}")["state"]["message"]
    backfill = server.run_deployment(
        "goldassay-backfill/atlas-backfill", {"since": "2026-11-27", "until": "2026-11-28"}
    )
    assert wait_until(lambda: ended(server, backfill), limit_s=120) == "COMPLETED"

    assert "no run of 'atlas' has completed since 2026-01-01" in message
    assert server.get(f"/flow_runs/{stale}")["name"].startswith("atlas freshness 20")
    assert server.get(f"/flow_runs/{backfill}")["name"] == "atlas backfill 2026.10.1 2026-11-27 to 2026-11-28"
    (run,) = deployed.query("SELECT run_kind, records FROM runs")
    assert (run["run_kind"], run["records"]) == ("backfill", 62)
    deployed.goldassay("run", "--sample", "0")
    fresh = server.run_deployment("goldassay-freshness/atlas-freshness")
    assert wait_until(lambda: ended(server, fresh), limit_s=120) == "COMPLETED"
