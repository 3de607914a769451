"""The weekly calibration: what the task posts, without a server."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from goldassay.review.opening import open_session
from goldassay.store import open_store
from tasks import calibrate as module
from tests.review.review_store import write_night


@pytest.fixture
def posted(monkeypatch) -> dict[str, str]:
    """Artifacts by key, instead of Prefect's."""
    found: dict[str, str] = {}

    async def post(markdown: str, *, key: str, description: str) -> None:
        assert description
        found[key] = markdown

    monkeypatch.setattr(module, "acreate_markdown_artifact", post)
    monkeypatch.setattr(module, "get_run_logger", lambda: logging.getLogger("test"))
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one judged night of forty answers."""
    (tmp_path / "goldassay.toml").write_text('app = "atlas"\nstore = "store"\n', encoding="utf-8")
    write_night(open_store(tmp_path / "store"), range(40))
    return tmp_path


def label_all(project: Path, labeller: str) -> None:
    """A person who agrees with the judge on all but every fifth answer."""
    session = open_session(open_store(project / "store"), "last", app="atlas", number=40, labeller=labeller)
    for place, item in enumerate(session.items):
        passes = (item.verdict.outcome.value == "pass") == bool(place % 5)
        session.label(place, "pass" if passes else "fail")


async def test_without_labels_the_page_says_how_to_begin(project, posted):
    """And the flow returns nothing to wait for."""
    assert await module.calibrate.fn(str(project), None) == {}

    assert "No answer has been labelled yet" in posted["goldassay-atlas-calibration"]


async def test_judges_and_people_stand_on_the_page(project, posted):
    """Names are shown as text: a labeller cannot put markup into Prefect's page."""
    label_all(project, "<b>ann|bob</b>")
    label_all(project, "kim")

    assert await module.calibrate.fn(str(project), "faithful") == {"faithful / judge-large / rag / 1": 0}

    page = posted["goldassay-atlas-calibration"]
    assert "| faithful | judge-large, rag 1 | 38 |" in page
    assert "**faithful** by judge-large, rag 1: calibrated." in page
    assert "People among each other" in page
    assert "38/38" in page
    assert "<b>" not in page
    widths = {line.count("|") - line.count("\\|") for line in page.splitlines() if line.startswith("| faithful")}
    assert widths == {11, 6}


async def test_too_few_labels_are_counted(project, posted):
    """The number missing is what the flow returns."""
    session = open_session(open_store(project / "store"), "last", app="atlas", number=6)
    for place in range(6):
        session.label(place, "pass")

    assert await module.calibrate.fn(str(project), None) == {"faithful / judge-large / rag / 1": 14}

    assert "too few labels, 14 more needed" in posted["goldassay-atlas-calibration"]


async def test_a_judge_no_better_than_a_coin_is_called_so(project, posted):
    """Every answer passes with people: nothing is known of what they would fail."""
    session = open_session(open_store(project / "store"), "last", app="atlas", number=40)
    for place in range(len(session.items)):
        session.label(place, "pass")

    await module.calibrate.fn(str(project), None)

    assert "cannot tell this judge from a coin" in posted["goldassay-atlas-calibration"]
