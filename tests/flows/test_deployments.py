import importlib
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOYMENTS = ROOT / "deployments"


def _deployments() -> list[dict[str, Any]]:
    content = yaml.safe_load((DEPLOYMENTS / "prefect.yaml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = content["deployments"]
    return found


def _flow(entrypoint: str) -> Any:
    place, _, name = entrypoint.partition(":")
    folder = str(ROOT / "flows")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return getattr(importlib.import_module(Path(place).stem), name)


@pytest.mark.parametrize("deployment", _deployments(), ids=lambda deployment: deployment["name"])
def test_every_deployment_names_a_flow_and_parameters_that_the_flow_has(deployment):
    """A renamed parameter would only be noticed at two in the morning."""
    flow = _flow(deployment["entrypoint"])
    known = set(inspect.signature(flow.fn).parameters)
    given = set(deployment.get("parameters", {}))
    for trigger in deployment.get("triggers", []):
        given |= set(trigger["parameters"])

    assert given <= known
    flow.validate_parameters({**_required(flow), **deployment.get("parameters", {})})


@pytest.mark.parametrize("deployment", _deployments(), ids=lambda deployment: deployment["name"])
def test_every_parameter_is_described_on_prefects_own_page(deployment):
    """The page documents itself from the flow's signature."""
    schema = _flow(deployment["entrypoint"]).parameters.model_dump()

    for name, described in schema["properties"].items():
        assert described.get("description"), f"{deployment['name']}: {name}"


def _required(flow: Any) -> dict[str, str]:
    return {name: "2026-11-01" for name in ("since", "until") if name in flow.parameters.required}


def test_every_schedule_has_a_time_zone_and_every_long_run_a_limit():
    """Without a zone a cron line follows UTC; without a limit nights overlap, or all that is late begins at once."""
    for deployment in _deployments():
        for schedule in deployment.get("schedules", []):
            assert schedule["timezone"], deployment["name"]
    limits = {deployment["name"]: deployment["concurrency_limit"] for deployment in _deployments()}

    assert {name for name, limit in limits.items() if limit["limit"] == 1} == set(limits) - {"freshness"}
    assert limits["freshness"] == {"limit": 2, "collision_strategy": "CANCEL_NEW"}  # one that hangs leaves room
    assert limits["nightly"]["collision_strategy"] == limits["golden"]["collision_strategy"] == "ENQUEUE"


def test_flow_files_define_no_classes_and_stay_short():
    """Prefect loads them under their bare name, where a class could not be pickled; and they only say when."""
    for path in sorted((ROOT / "flows").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^class ", text, re.MULTILINE), path.name
        assert len(text.splitlines()) <= 80, path.name
        assert path.stem not in sys.stdlib_module_names, path.name


def test_the_parameters_of_a_run_stay_small():
    """Paths and counts, never records: what crosses the server is a few hundred bytes."""
    for deployment in _deployments():
        assert len(json.dumps(deployment.get("parameters", {}))) < 500
