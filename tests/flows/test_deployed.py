"""What deploy tells of the deployments that the server holds, against a stand-in."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.client.schemas.schedules import CronSchedule, IntervalSchedule, RRuleSchedule

from goldassay.cli.deployed import Deployed, deployment_lines, read_deployments, refuse_foreign
from goldassay.errors import ConfigError

STEP = {"prefect.deployments.steps.set_working_directory": {"directory": "/srv/a"}}
NIGHT = CronSchedule(cron="30 2 * * *", timezone="Europe/Berlin")


def _there(name: str, *schedules: Any, steps: Any = (STEP,), paused: bool = False, active: bool = True) -> Any:
    made = [SimpleNamespace(schedule=one, active=active) for one in schedules]
    return SimpleNamespace(id=f"id-{name}", name=name, pull_steps=steps, schedules=made, paused=paused)


class Client:
    """Hands out what it holds, two at a time."""

    def __init__(self, *deployments: Any) -> None:
        self.deployments = deployments

    async def read_deployments(self, *, deployment_filter, limit, offset):
        assert deployment_filter.operator.value == "or_"
        return list(self.deployments[offset : offset + limit])


async def _read(*deployments: Any) -> dict[str, Deployed]:
    return await read_deployments(Client(*deployments), ["a-nightly"])  # type: ignore[arg-type]  # a stand-in


async def test_a_deployment_tells_where_its_runs_find_the_project():
    """One without such a step belongs to nobody's folder."""
    found = await _read(_there("a-nightly", steps=[{"other": {}}, STEP]), _there("a-golden", steps=None))

    assert {name: one.folder for name, one in found.items()} == {"a-nightly": "/srv/a", "a-golden": None}


async def test_a_server_with_more_deployments_than_a_page_is_read_whole():
    """A namesake on the second page would be taken over unasked."""
    assert len(await _read(*[_there(f"a-{number}") for number in range(450)])) == 450
    assert await _read() == {}


async def test_when_a_deployment_runs_is_what_the_server_says():
    """A paused schedule is told as paused, whatever the file says; so is one by the switch of the deployment's page."""
    found = await _read(
        _there("a-nightly", NIGHT),
        _there("a-paused", NIGHT, active=False),
        _there("a-stopped", IntervalSchedule(interval=timedelta(hours=1), timezone="UTC"), paused=True),
        _there("a-rule", RRuleSchedule(rrule="FREQ=DAILY")),
        _there("a-hand"),
    )
    content = {"deployments": [{"name": name, "schedules": [{}]} for name in found]}
    content["deployments"][-1]["triggers"] = [
        {"expect": ["goldassay.model.changed"]},
        {"expect": ["x"], "enabled": False},
        {"type": "compound"},
    ]

    assert [line.split(maxsplit=1)[1] for line in deployment_lines(content, found, "/srv/a")] == [
        "30 2 * * * (Europe/Berlin)",
        "30 2 * * * (Europe/Berlin), paused",
        "every 1:00:00 (UTC), paused",
        "FREQ=DAILY (UTC)",
        "on goldassay.model.changed; on x, switched off",
    ]
    assert found["a-stopped"].is_paused


async def test_a_deployment_that_runs_by_hand_says_so_and_a_schedule_too_many_is_told():
    """Prefect keeps a schedule that was taken out of the file."""
    found = await _read(_there("a-backfill"), _there("a-nightly", NIGHT))
    content = {"deployments": [{"name": "a-backfill"}, {"name": "a-nightly", "schedules": []}]}

    lines = list(deployment_lines(content, found, "/srv/a"))

    assert lines[0].endswith("by hand")
    assert "remove those that are too many" in lines[2]


async def test_deployments_that_an_app_left_behind_are_told():
    """After `app` was renamed, the old night still runs in this folder, beside the new one."""
    elsewhere = {"prefect.deployments.steps.set_working_directory": {"directory": "/srv/b"}}
    found = await _read(_there("b-nightly"), _there("a-nightly", NIGHT), _there("c-nightly", steps=[elsewhere]))

    *_, last = deployment_lines({"deployments": [{"name": "b-nightly"}]}, found, "/srv/a")

    assert "running in this folder too" in last
    assert ": a-nightly. Remove them" in last


def test_the_deployments_of_another_folder_are_not_taken_over():
    """The message names the folder they belong to; the own ones and those in an image may be updated."""
    names = ["a-nightly", "a-golden"]
    refuse_foreign({"a-nightly": Deployed("1", "/srv/a"), "a-golden": Deployed("2", "/opt/goldassay")}, names, "/srv/a")
    refuse_foreign({"a-nightly": Deployed("1", "/srv/b")}, names, "/opt/goldassay")
    refuse_foreign({"other": Deployed("1", "/srv/b")}, names, "/srv/a")

    with pytest.raises(ConfigError, match="belongs to the project in '/srv/b'"):
        refuse_foreign({"a-nightly": Deployed("1", "/srv/b")}, names, "/srv/a")
