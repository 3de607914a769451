"""Planning: what could never be graded is refused before the night's work, and parameters mean what they say."""

from __future__ import annotations

import pytest

from config.settings import load_settings
from goldassay.errors import ConfigError, RunError
from goldassay.stages.plan import read_plan
from goldassay.store import open_store
from tasks.calibrate import calibrate
from tasks.plan import _plan, plan_golden, plan_nightly, plan_rejudge
from tasks.watch import look_for_change, raise_when_stale


@pytest.mark.parametrize(("rubric", "refusal"), [("pairwise", "compares two answers"), ("mine", "no rubric 'mine'")])
def test_a_rubric_that_cannot_grade_a_run_is_refused(tmp_path, rubric, refusal):
    """One for two answers, and one that is not there."""
    chosen = ["judge.provider=openai", f"judge.rubric={rubric}"]
    settings = load_settings(tmp_path, overrides=chosen)

    with pytest.raises(ConfigError, match=refusal):
        _plan(settings, tmp_path, open_store(tmp_path / "store"), "nightly", "intent")


def test_without_a_model_no_rubric_is_needed(tmp_path):
    """The lexical judge reads none."""
    settings = load_settings(tmp_path, overrides=["judge.provider=lexical", "judge.rubric=pairwise"])

    assert _plan(settings, tmp_path, open_store(tmp_path / "store"), "nightly", "intent").run_kind == "nightly"


async def test_a_field_that_was_emptied_asks_for_nothing(tmp_path):
    """Prefect's page hands over '' for it: the same night as without it, and no unfinished run is taken for meant."""
    (tmp_path / "goldassay.toml").write_text('app = "atlas"\n', encoding="utf-8")
    emptied = read_plan(await plan_nightly.fn(str(tmp_path), "", "", "", "", []))
    left_out = read_plan(await plan_nightly.fn(str(tmp_path), None, None, None, None, []))

    assert emptied.run_id != left_out.run_id
    assert emptied.intent == left_out.intent
    assert emptied.window_end == emptied.run_at


async def test_a_run_of_another_kind_is_not_gone_on_with(tmp_path):
    """A golden run's plan in the nightly flow would be published without its gate."""
    (tmp_path / "goldassay.toml").write_text('app = "atlas"\n', encoding="utf-8")
    golden = read_plan(await plan_golden.fn(str(tmp_path), "v2", None, None, None, None, []))
    night = read_plan(await plan_nightly.fn(str(tmp_path), None, None, None, None, []))

    with pytest.raises(RunError, match=f"no single unfinished backfill or nightly run.*{night.run_id}"):
        await plan_nightly.fn(str(tmp_path), None, None, None, golden.run_id, [])
    with pytest.raises(RunError, match=f"no single unfinished golden run.*{golden.run_id}"):
        await plan_golden.fn(str(tmp_path), None, None, None, None, night.run_id, [])
    assert read_plan(await plan_nightly.fn(str(tmp_path), None, None, None, night.run_id, [])) == night


PLANS = {
    "night": lambda place: plan_nightly.fn(place, None, None, None, None, []),
    "golden": lambda place: plan_golden.fn(place, None, None, None, None, None, []),
    "rejudge": lambda place: plan_rejudge.fn(place, "last", []),
    "watch": look_for_change.fn,
    "freshness": raise_when_stale.fn,
    "calibration": lambda place: calibrate.fn(place, None),
}


@pytest.mark.parametrize("task", PLANS.values(), ids=PLANS)
async def test_a_project_folder_that_is_not_there_is_told_and_not_made(tmp_path, task):
    """A typing mistake on Prefect's page made a folder with a store, and complained of `answers.path`."""
    with pytest.raises(ConfigError, match="no such folder: project"):
        await task(str(tmp_path / "nowhere"))

    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "plan",
    [
        lambda settings: plan_nightly.fn(".", None, None, None, None, settings),
        lambda settings: plan_golden.fn(".", None, None, None, None, None, settings),
        lambda settings: plan_rejudge.fn(".", "last", settings),
    ],
    ids=["night", "golden", "rejudge"],
)
async def test_the_address_of_a_database_is_no_parameter_of_a_run(plan):
    """Whoever may see runs would see its password; from Prefect's page as from the command line."""
    with pytest.raises(ConfigError, match=r"answers\.url_env=RAG_LOG_URL") as caught:
        await plan(["answers.url=postgresql://u:secret@h/db"])

    assert "secret@" not in str(caught.value)
