import contextlib
import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.flows.conftest import SETTINGS, wait_until

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]

DONE = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


@pytest.fixture
def deployed(work):
    """The project on the server, with a worker."""
    work.goldassay("deploy")
    work.start_worker()
    return work


def ended(server, run_id):
    """The final state of a flow run, or nothing while it goes on."""
    state = server.state_of(run_id)
    return state if state in DONE else None


def test_the_schedule_fires_and_the_night_is_in_the_store(deployed):
    """A near schedule on the real deployment, a real worker, and whole rows at the end."""
    server = deployed.server
    deployment = server.deployment("goldassay-nightly/nightly")
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
    mine = deployed.server.deployment("goldassay-golden/golden")["id"]
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
    run_id = server.run_deployment("goldassay-nightly/nightly", {"until": "2026-11-28"})
    wait_until(lambda: judge.calls >= 20, limit_s=120, every_s=0.05)

    deployed.stop_workers(signal.SIGKILL)
    _kill_flow_processes(run_id)
    before = judge.calls
    judge.replies.latency_s = 0.0
    server.post(f"/flow_runs/{run_id}/set_state", {"state": {"type": "CRASHED", "name": "Crashed"}, "force": True})
    deployed.start_worker()
    again = server.run_deployment("goldassay-nightly/nightly", {"until": "2026-11-28"})
    state = wait_until(lambda: ended(server, again), limit_s=200)

    assert state == "COMPLETED"
    (run,) = deployed.query("SELECT records, selected, verdicts FROM runs")
    rows = deployed.query('SELECT count(*) n, count(DISTINCT (record_id, "check")) d FROM verdicts')[0]
    assert run["selected"] == run["records"]
    assert rows["n"] == rows["d"] == run["verdicts"]
    assert before >= 20
    assert judge.paid_twice <= 2


def _kill_flow_processes(run_id):
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            with contextlib.suppress(OSError):
                if run_id.encode() in (process / "environ").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)
