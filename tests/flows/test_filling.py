"""deployments/*.yaml filled in for one app, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.events.schemas.automations import AutomationCore

from goldassay.cli.filling import app_name, fill, prefect_file, read_yaml, schedule_lines, unfilled
from goldassay.cli.on_server import Deployed, refuse_foreign
from goldassay.errors import ConfigError
from tests.flows.conftest import ROOT

DEPLOYMENTS = ROOT / "deployments"
SOME_ID = "0199d3c4-0000-7000-8000-000000000001"
NAMES = ("nightly", "golden", "model_watch", "calibration", "freshness", "backfill")


def _values(app: str) -> dict[str, str | list[str]]:
    return {"app": app_name(app), "resource": f"goldassay.app.{app}", "project": "/srv/atlas"}


def _deployed(app: str, pool: Any = "process") -> dict[str, Any]:
    return prefect_file(DEPLOYMENTS / "prefect.yaml", pool, _values(app), folder="/srv/atlas")


def test_two_apps_share_no_name_and_no_trigger():
    """Neither takes over the other's deployments, nor hears the other's events."""
    names = {app: {one["name"] for one in _deployed(app)["deployments"]} for app in ("atlas", "beta")}
    matches = {
        app: [one["match"] for each in _deployed(app)["deployments"] for one in each.get("triggers", [])]
        for app in ("atlas", "beta")
    }

    assert names["atlas"] & names["beta"] == set()
    assert "atlas-nightly" in names["atlas"]
    assert matches["atlas"] == [{"prefect.resource.id": "goldassay.app.atlas"}]
    assert matches["beta"] == [{"prefect.resource.id": "goldassay.app.beta"}]


@pytest.mark.parametrize("pool", ["process", "docker", "kubernetes"])
def test_nothing_is_left_to_fill_in(pool):
    """Every run finds its project, on the chosen pool."""
    content = _deployed("atlas", pool)

    assert unfilled(content) == set()
    assert {one["work_pool"]["name"] for one in content["deployments"]} == {f"goldassay-{pool}"}
    assert content["pull"] == [{"prefect.deployments.steps.set_working_directory": {"directory": "/srv/atlas"}}]
    assert "&id" not in yaml.safe_dump(content["deployments"][0]["work_pool"])


@pytest.mark.parametrize("name", ["app_version", "model", "prompt_version", "index_version"])
def test_an_event_that_lacks_a_key_is_no_lost_event(name):
    """Rendered by Prefect's own templates: a key that is not there becomes ''."""
    from prefect.server.utilities.user_templates import render_user_template_sync

    (golden,) = (one for one in _deployed("atlas")["deployments"] if one["name"] == "atlas-golden")
    template = golden["triggers"][0]["parameters"][name]

    assert render_user_template_sync(template, {"event": {"payload": {}}}) == ""
    assert render_user_template_sync(template, {"event": {"payload": {name: "v2"}}}) == "v2"


@pytest.mark.parametrize(
    ("app", "plain"),
    [("atlas", "atlas"), ("help.desk-2", "help.desk-2"), ("Help desk/EU", "Help-desk-EU-"), ("é%&", "app-")],
)
def test_any_app_has_a_name_that_prefect_takes(app, plain):
    """What had to be changed gets a digest, so that two apps never meet in one name."""
    assert app_name(app).startswith(plain)
    assert not set(app_name(app)) & set("/%&><| ")
    assert app_name("a b") != app_name("a-b") != app_name("a/b")


def _automations(block: str | None = SOME_ID) -> list[dict[str, Any]]:
    known: dict[str, str | list[str]] = {**_values("atlas"), **dict.fromkeys(NAMES, SOME_ID)}
    known["deployments"] = [f"prefect.deployment.{SOME_ID}"]
    if block is not None:
        known["block"] = block
    found: list[dict[str, Any]] = fill(read_yaml(DEPLOYMENTS / "automations.yaml")["automations"], known)
    return found


def test_the_automations_fit_prefects_own_model():
    """Prefect itself reads them, so a misspelled trigger is found here."""
    made = [AutomationCore.model_validate(automation) for automation in _automations()]

    assert all(automation.name.startswith("goldassay atlas: ") for automation in made)
    assert len({automation.name for automation in made}) == len(made) == 7


def test_automations_as_they_are_shipped_are_refused():
    """Placeholders that Prefect takes for real ids would be created, and never do anything."""
    content = yaml.safe_load((DEPLOYMENTS / "automations.yaml").read_text(encoding="utf-8"))
    for automation in content["automations"]:
        action = automation["actions"][0]
        if action["type"] in {"send-notification", "run-deployment"}:
            with pytest.raises(ValueError, match="UUID"):
                AutomationCore.model_validate(automation)


def test_without_a_block_only_what_notifies_is_left_out():
    """Dead runs are noticed and gone on with, whether or not somebody is told."""
    left_out = [one for one in _automations(None) if unfilled(one)]

    assert len(left_out) == 4
    assert all(one["actions"][0]["type"] == "send-notification" for one in left_out)


def test_the_server_itself_notices_that_nothing_completes():
    """A watch that runs on the worker it watches is silent when that worker is dead."""
    (watch,) = (one for one in _automations() if one["name"].endswith("nothing has completed"))

    assert watch["trigger"]["posture"] == "Proactive"
    assert watch["trigger"]["within"] == 26 * 3600
    assert "goldassay.run.completed" in watch["trigger"]["expect"]


def test_a_missing_heartbeat_is_waited_for_longer_than_it_takes_to_come():
    """A run whose heartbeat is late by some beats is not dead."""
    (dead,) = (one for one in _automations() if one["name"].endswith("process died is crashed"))
    (beat,) = {
        int(one["work_pool"]["job_variables"]["env"]["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"])
        for one in _deployed("atlas")["deployments"]
    }

    assert dead["trigger"]["within"] >= 4 * beat


def test_the_deployments_of_another_folder_are_not_taken_over():
    """The message names the folder they belong to; the own ones and those in an image may be updated."""
    refuse_foreign({"a-nightly": Deployed("1", "/srv/a"), "a-golden": Deployed("2", "/opt/goldassay")}, "/srv/a")
    refuse_foreign({"a-nightly": Deployed("1", "/srv/b")}, "/opt/goldassay")

    with pytest.raises(ConfigError, match="belongs to the project in '/srv/b'"):
        refuse_foreign({"a-nightly": Deployed("1", "/srv/b")}, "/srv/a")


@pytest.mark.parametrize("text", ["- a list", "deployments: [{}]", "definitions: {pools: {}}", "a: [", ""])
def test_a_file_of_another_shape_is_one_message(tmp_path: Path, text):
    """Nothing reaches the server before the file has been read."""
    (tmp_path / "prefect.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match="Compare it with the one goldassay init writes"):
        prefect_file(tmp_path / "prefect.yaml", "process", _values("atlas"), folder="x")


def test_what_was_deployed_says_when_it_runs():
    """One line each, the zone among it."""
    lines = list(schedule_lines(_deployed("atlas")))

    assert any("atlas-nightly" in line and "30 2 * * * (UTC)" in line for line in lines)
    assert any("atlas-golden" in line and "goldassay.model.changed" in line for line in lines)
    assert any("atlas-backfill" in line and "by hand" in line for line in lines)
