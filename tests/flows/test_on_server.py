"""What deploy asks of a server and changes there, against a stand-in that notes it."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.exceptions import ObjectNotFound

from goldassay.cli.on_server import block_id, ensure_pool, left_over, place_automations, switched_off
from goldassay.errors import ConfigError

ID = "0199d3c4-0000-7000-8000-000000000001"
NOTHING = {
    "name": "goldassay atlas: x",
    "trigger": {"type": "event", "posture": "Reactive", "expect": ["a.b"], "threshold": 1, "within": 0},
    "actions": [{"type": "do-nothing"}],
}


class Client:
    """Notes what was made, updated and deleted."""

    def __init__(self, *, pool: Any = None, automations: Any = ()):
        self.pool, self.there = pool, list(automations)
        self.made: list[Any] = []
        self.updated: list[Any] = []
        self.deleted: list[Any] = []

    async def read_work_pool(self, name):
        if self.pool is None:
            raise ObjectNotFound(LookupError(name))
        return self.pool

    async def create_work_pool(self, pool):
        self.made.append(pool)

    async def read_block_document_by_name(self, name, kind, *, include_secrets):
        assert not include_secrets
        if (kind, name) != ("slack-webhook", "ops"):
            raise ObjectNotFound(LookupError(name))
        return SimpleNamespace(id=ID)

    async def read_automations_by_name(self, name):
        return [one for one in self.there if one.name == name]

    async def read_automations(self):
        return self.there

    async def create_automation(self, automation):
        self.made.append(automation)

    async def update_automation(self, automation_id, automation):
        self.updated.append((automation_id, automation))

    async def delete_automation(self, automation_id):
        self.deleted.append(automation_id)


async def test_a_missing_pool_is_made_and_one_that_is_there_stays():
    """No overwrite: limits, description and job template are the operator's."""
    new, old = Client(), Client(pool=SimpleNamespace(type="process"))

    assert await ensure_pool(new, "goldassay-process", "process")  # type: ignore[arg-type]  # a stand-in
    assert not await ensure_pool(old, "goldassay-process", "process")  # type: ignore[arg-type]  # a stand-in

    assert [pool.name for pool in new.made] == ["goldassay-process"]
    assert old.made == []


async def test_a_pool_of_another_kind_is_refused():
    """Its worker could not start the runs."""
    with pytest.raises(ConfigError, match="of type 'docker', not 'process'"):
        await ensure_pool(Client(pool=SimpleNamespace(type="docker")), "mine", "process")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("template", "made"), [({"job_configuration": {"job_manifest": {}}}, True), (None, False)], ids=["known", "unknown"]
)
async def test_a_kind_of_pool_that_is_not_installed_is_told(monkeypatch, template, made):
    """The message names the package."""

    async def known(_kind):
        return template

    monkeypatch.setattr(
        sys.modules["prefect.workers.utilities"], "get_default_base_job_template_for_infrastructure_type", known
    )
    client = Client()
    if made:
        assert await ensure_pool(client, "goldassay-kubernetes", "kubernetes")  # type: ignore[arg-type]
        return
    with pytest.raises(ConfigError, match="Install prefect-kubernetes"):
        await ensure_pool(client, "goldassay-kubernetes", "kubernetes")  # type: ignore[arg-type]


async def test_a_block_is_found_by_type_and_name():
    """One that is not there is told before anything is deployed."""
    assert await block_id(Client(), "slack-webhook/ops") == ID  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="prefect block ls"):
        await block_id(Client(), "slack-webhook/gone")  # type: ignore[arg-type]


async def test_an_automation_that_was_switched_off_stays_off():
    """It is brought up to date all the same, and a double of it goes."""
    old = [SimpleNamespace(id=number, name=NOTHING["name"], enabled=False) for number in (1, 2)]
    client = Client(automations=old)

    await place_automations(client, [NOTHING, {**NOTHING, "name": "goldassay atlas: new"}])  # type: ignore[arg-type]

    assert [(number, one.enabled) for number, one in client.updated] == [(1, False)]
    assert client.deleted == [2]
    assert [one.name for one in client.made] == ["goldassay atlas: new"]


async def test_an_automation_that_prefect_refuses_is_one_message():
    """With its name, as it stands in the file."""
    with pytest.raises(ConfigError, match="Prefect refuses 'goldassay atlas: x'"):
        await place_automations(Client(), [{**NOTHING, "trigger": {"type": "odd"}}])  # type: ignore[arg-type]


async def test_what_somebody_switched_off_is_found():
    """Prefect's deploy makes triggers anew each time, and would switch them on."""
    there = [SimpleNamespace(name=name, enabled=name == "b") for name in ("a", "b")]

    assert await switched_off(Client(automations=there), ["a", "b", "new"]) == {"a"}  # type: ignore[arg-type]


async def test_an_automation_that_the_file_names_no_more_is_told():
    """Renamed in the file, it stays on the server: two would begin a crashed night."""
    names = ["goldassay a: old", "goldassay a: new", "goldassay b: x", "mine"]
    there = [SimpleNamespace(name=name, enabled=True) for name in names]

    assert await left_over(Client(automations=there), "a", {"goldassay a: new"}) == ["goldassay a: old"]  # type: ignore[arg-type]
