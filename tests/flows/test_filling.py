"""deployments/*.yaml filled in for one app, without a server."""

from __future__ import annotations

import copy
import importlib
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.events.schemas.automations import AutomationCore
from prefect.server.events.actions import RunDeployment
from prefect.utilities.schema_tools.hydration import HydrationContext, hydrate

from goldassay.cli.filling import app_name, fill, prefect_file, read_yaml, unfilled
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


def _rendered(parameters: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Parameters of a started run, as the server's own action makes them."""
    made = copy.deepcopy(parameters)
    RunDeployment._upgrade_v1_templates(made)
    found: dict[str, Any] = hydrate(
        made, HydrationContext(raise_on_error=True, render_jinja=True, jinja_context=context)
    )
    return found


def _flow(name: str) -> Any:
    return getattr(importlib.import_module(f"flows.{name}"), name)


@pytest.mark.parametrize(
    ("payload", "version"),
    [
        ({}, ""),
        ({"app_version": "2026.10"}, "2026.10"),
        ({"app_version": 2026.11}, "2026.11"),
        ({"app_version": 12}, "12"),
        ({"app_version": None}, ""),
        ({"app_version": 'a"b\n{{ 7 * 7 }}'}, 'a"b\n{{ 7 * 7 }}'),
    ],
)
def test_no_event_is_lost_for_what_it_lacks_or_for_a_number(payload, version):
    """Prefect drops an event whose parameters do not fit, in silence: a model change would go ungraded."""
    (golden,) = (one for one in _deployed("atlas")["deployments"] if one["name"] == "atlas-golden")

    given = _rendered(golden["triggers"][0]["parameters"], event={"payload": payload})

    assert given["app_version"] == version
    assert given["model"] == ""
    _flow("golden").validate_parameters(given)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("nightly", {}),
        ("nightly", {"since": "2026-11-28", "sample": 200, "settings": ["judge.model=x"], "resume": "2026"}),
        ("golden", {"app_version": "2026.11", "again": True, "model": "", "index_version": "5"}),
    ],
)
def test_a_crashed_run_is_begun_again_as_it_was_asked_for(name, asked):
    """Texts stay texts: '2026.11' is neither a number nor broken JSON."""
    (again,) = (
        one["actions"][0]["parameters"]
        for one in _automations()
        if one["name"].endswith("goes on") and ("golden" in one["name"]) == (name == "golden")
    )
    begun = _flow(name).validate_parameters(asked)

    given = _rendered(again, flow_run={"parameters": begun})

    assert given == {**begun, "project": ".", "crashes": 1}
    _flow(name).validate_parameters(given)


@pytest.mark.parametrize("name", ["nightly", "golden"])
def test_a_run_that_crashes_each_time_is_not_begun_for_ever(name):
    """A flow that does not load crashes before its first line: only the server can stop counting, by the schema."""
    schema = _flow(name).parameters.model_dump()

    assert schema["properties"]["crashes"]["maximum"] == 5


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


@pytest.mark.parametrize("text", ["- a list", "deployments: [{}]", "definitions: {pools: {}}", "a: [", ""])
def test_a_file_of_another_shape_is_one_message(tmp_path: Path, text):
    """Nothing reaches the server before the file has been read."""
    (tmp_path / "prefect.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match="Compare it with the one goldassay init writes"):
        prefect_file(tmp_path / "prefect.yaml", "process", _values("atlas"), folder="x")


def test_prefect_deploy_alone_is_refused_and_the_projects_own_steps_stay(tmp_path):
    """Taken as it stands, the file would make deployments named by nobody, and a second night at the same hour."""
    text = (DEPLOYMENTS / "prefect.yaml").read_text(encoding="utf-8")
    (step,) = yaml.safe_load(text)["build"]
    (tmp_path / "prefect.yaml").write_text(text.replace("build:\n", "build:\n  - my.step: {a: b}\n"), encoding="utf-8")

    done = subprocess.run(
        shlex.split(step["prefect.deployments.steps.run_shell_script"]["script"]),
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert "Deploy it with goldassay deploy" in done.stderr
    content = prefect_file(tmp_path / "prefect.yaml", "process", _values("atlas"), folder="x")
    assert content["build"] == [{"my.step": {"a": "b"}}]
    assert _deployed("atlas")["build"] == []
