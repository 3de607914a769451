from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from goldassay.stages.zones import zone_of
from tasks import naming
from tasks.naming import artifact_key, backfill_name, golden_name, rejudge_name


def test_names_follow_the_clock_of_the_schedules(tmp_path: Path):
    """A night of 02:30 in Berlin is named 02:30, not 01:30; without a zone, or with an unknown one, UTC holds."""
    (tmp_path / "deployments").mkdir()
    where = tmp_path / "deployments" / "prefect.yaml"

    assert str(zone_of(tmp_path)) == "UTC"
    where.write_text("definitions: {zone: Europe/Berlin}\n", encoding="utf-8")
    assert zone_of(tmp_path) == ZoneInfo("Europe/Berlin")
    where.write_text("definitions: {zone: Europe/Nowhere}\n", encoding="utf-8")
    assert str(zone_of(tmp_path)) == "UTC"


@pytest.mark.parametrize(("one", "other"), [("atlas", "Atlas"), ("a b", "a-b"), ("é", "è")])
def test_two_apps_never_share_an_artifact(one: str, other: str):
    """A key takes small letters, digits and dashes; what had to be changed is told apart."""
    assert artifact_key(one) != artifact_key(other)
    assert artifact_key("atlas") == "goldassay-atlas"
    assert all(sign.isalnum() or sign == "-" for sign in artifact_key(one))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (golden_name, {"model": "x" * 5000}),
        (golden_name, {"app_version": "a\nb" * 900}),
        (backfill_name, {"since": "x" * 5000, "until": "\n" * 50}),
        (rejudge_name, {"run": "x" * 5000}),
    ],
)
def test_a_name_stays_one_short_line(monkeypatch, name, parameters):
    """An event may hold any text; the page of runs shows names in one column."""
    monkeypatch.setattr(naming, "flow_run", SimpleNamespace(parameters=parameters))

    assert name().startswith("app ")
    assert len(name()) < 180
    assert "\n" not in name()
