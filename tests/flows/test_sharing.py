"""Two projects on one server, and what an operator has set there by hand."""

from __future__ import annotations

import shutil
import uuid
from datetime import UTC, datetime

import httpx
import pytest

from tests.flows.conftest import SETTINGS, Work, wait_until

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]

POOL = "/work_pools/goldassay-process"


def _project(folder, server, judge, app):
    work = Work(folder, server)
    folder.mkdir()
    work.goldassay("init", ".", "--app", app)
    work.set(SETTINGS.format(app=app, url=judge.base_url))
    return work


def test_a_second_project_leaves_the_first_and_the_operators_pool_alone(tmp_path, prefect_server, judge):
    """Own names, own schedules, own trigger; the pool keeps its limit; a namesake in another folder is refused."""
    one = _project(tmp_path / "one", prefect_server, judge, "one")
    two = _project(tmp_path / "two", prefect_server, judge, "two")
    one.goldassay("deploy")
    prefect_server_patch(prefect_server, {"concurrency_limit": 3, "description": "ops note"})

    said = two.goldassay("deploy")

    assert "alerts.notify" in said
    pool = prefect_server.get(POOL)
    assert (pool["concurrency_limit"], pool["description"]) == (3, "ops note")
    prefect_server_patch(prefect_server, {"concurrency_limit": None, "description": None})
    for work, app in ((one, "one"), (two, "two")):
        nightly = prefect_server.deployment(f"goldassay-nightly/{app}-nightly")
        (step,) = nightly["pull_steps"]
        assert step["prefect.deployments.steps.set_working_directory"]["directory"] == str(work.folder)
        assert nightly["schedules"]
    shutil.copy(one.folder / "goldassay.toml", two.folder / "goldassay.toml")
    assert "belongs to the project in" in two.goldassay_error("deploy", code=2)
    _event_with_one_key_reaches_its_own_app(prefect_server)


def test_what_was_paused_or_switched_off_stays_so_when_the_project_is_deployed_again(tmp_path, prefect_server, judge):
    """An upgrade, or `docker compose up`, deploys: it must not wake a night that somebody stopped."""
    work = _project(tmp_path / "three", prefect_server, judge, "three")
    work.goldassay("deploy")
    nightly = prefect_server.deployment("goldassay-nightly/three-nightly")
    freshness = prefect_server.deployment("goldassay-freshness/three-freshness")
    (schedule,) = nightly["schedules"]
    place = f"/deployments/{nightly['id']}/schedules/{schedule['id']}"
    httpx.patch(f"{prefect_server.api}{place}", json={"active": False}, timeout=30, trust_env=False).raise_for_status()
    prefect_server.post(f"/deployments/{freshness['id']}/pause_deployment", {})
    (trigger,) = _automations(prefect_server, "goldassay three: the model changed")
    httpx.patch(
        f"{prefect_server.api}/automations/{trigger['id']}", json={"enabled": False}, timeout=30, trust_env=False
    ).raise_for_status()

    said = work.goldassay("deploy")

    (still,) = prefect_server.deployment("goldassay-nightly/three-nightly")["schedules"]
    assert (still["id"], still["active"]) == (schedule["id"], False)
    assert prefect_server.deployment("goldassay-freshness/three-freshness")["paused"]
    assert [one["enabled"] for one in _automations(prefect_server, trigger["name"])] == [False]
    assert len([line for line in said.splitlines() if line.endswith(", paused")]) == 2
    assert "goldassay.model.changed, switched off" in said


def _automations(server, name):
    return [one for one in server.post("/automations/filter", {}) if one["name"] == name]


def prefect_server_patch(server, values):
    """As an operator does on the server's page."""
    httpx.patch(f"{server.api}{POOL}", json=values, timeout=30, trust_env=False).raise_for_status()


def _event_with_one_key_reaches_its_own_app(server):
    """The others become '': an event is never dropped for a key it lacks or a number, never heard by another app."""
    event = {
        "id": str(uuid.uuid4()), "event": "goldassay.model.changed", "occurred": datetime.now(UTC).isoformat(),
        "resource": {"prefect.resource.id": "goldassay.app.two"}, "payload": {"app_version": 2026.11},
    }  # fmt: skip
    server.post("/events", [event])

    def started(app):
        mine = server.deployment(f"goldassay-golden/{app}-golden")["id"]
        found = server.post("/flow_runs/filter", {"deployments": {"id": {"any_": [mine]}}})
        return [run["parameters"] for run in found]

    (parameters,) = wait_until(lambda: started("two"), limit_s=60, every_s=1)
    assert parameters == {
        "project": ".",
        "app_version": "2026.11",
        "model": "",
        "prompt_version": "",
        "index_version": "",
    }
    assert started("one") == []
