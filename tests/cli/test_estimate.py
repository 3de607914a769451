"""``--estimate`` says what the run then asks; nobody is asked for it, and nothing of the project is changed by it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.plain_night import plain_night
from config.settings import load_settings
from goldassay.cli import main
from goldassay.cli.estimating import settings_digest
from goldassay.cli.project import Where, open_project
from goldassay.judging.scripted import ScriptedJudge
from goldassay.sources import read_golden
from goldassay.stages.check import check_shard
from goldassay.stages.judge import judge_shard
from goldassay.stages.plan import RunPlan, golden_intent, golden_versions, night_intent, write_plan
from goldassay.stages.pull import pull_answers
from goldassay.stages.select import select_records
from goldassay.store import RunManifest, open_store
from tests.cli.conftest import ROOT, SETTINGS

NIGHT = ["--since", "2026-11-28", "--until", "2026-11-29"]
VERSION = golden_versions("2026.11.0", None, None, None)


@pytest.fixture
def judge() -> Iterator[ScriptedJudge]:
    """A judge over real HTTP."""
    with ScriptedJudge() as running:
        yield running


@pytest.fixture
def one_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judge: ScriptedJudge) -> Path:
    """A project whose first night is done; the current folder of the test."""
    shutil.copytree(ROOT / "examples" / "data" / "logs", tmp_path / "logs")
    shutil.copy(ROOT / "examples" / "data" / "golden.yaml", tmp_path / "golden.yaml")
    settings = SETTINGS.format(url=judge.base_url).replace("nightly = 10", "nightly = 40")
    (tmp_path / "goldassay.toml").write_text(settings, encoding="utf-8")
    plain_night(tmp_path, until="2026-11-28")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _figures(text: str) -> dict[str, int]:
    patterns = {
        "calls": r"([\d,]+) calls to make",
        "reused": r"([\d,]+) by a reply that an earlier run",
        "shared": r"([\d,]+) by the reply to another call",
        "resumed": r"([\d,]+) already, before the run",
    }
    found = {name: re.search(pattern, text) for name, pattern in patterns.items()}
    return {name: int(match[1].replace(",", "")) if match else 0 for name, match in found.items()}


def _estimate(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, int]:
    assert main(list(words)) == 0
    told = capsys.readouterr().out
    assert " to make" in told
    return _figures(told)


def test_a_night_asks_what_the_estimate_said(one_night, judge, capsys) -> None:
    """The second night shares questions with the first: what that one paid for is told apart, to the call."""
    before, files = judge.calls, sorted(one_night.rglob("*"))

    told = _estimate(capsys, "run", "--estimate", *NIGHT)

    assert judge.calls == before
    assert sorted(one_night.rglob("*")) == files
    run = plain_night(one_night, since="2026-11-28", until="2026-11-29")
    assert judge.calls - before == run.calls == told["calls"] > 0
    assert run.counts.reused == told["reused"] + told["shared"] > 0


def test_fresh_asks_all_of_it(one_night, capsys) -> None:
    """Nothing is spared that was paid for before."""
    usual = _estimate(capsys, "run", "--estimate", *NIGHT)
    fresh = _estimate(capsys, "run", "--estimate", "--fresh", *NIGHT)

    assert fresh["reused"] == fresh["shared"] == 0
    assert fresh["calls"] == sum(usual.values())


def test_a_sample_is_that_of_the_night(one_night, capsys) -> None:
    """Fewer answers, fewer calls."""
    some = _estimate(capsys, "run", "--estimate", "--sample", "20", *NIGHT)
    full = _estimate(capsys, "run", "--estimate", "--full", *NIGHT)

    assert 0 < some["calls"] < full["calls"]


def test_an_interrupted_run_is_gone_on_with(one_night, judge, capsys) -> None:
    """What stands in its journal is not counted again, and the journal is left as it is."""
    plan = _interrupted_night(one_night, judge)
    journal = open_store(one_night / "store").staging(plan.run_id).path("journal", 0, suffix=".jsonl")
    before = journal.read_bytes()

    assert main(["run", "--estimate", *NIGHT]) == 0
    text = capsys.readouterr().out

    assert text.startswith(f"going on with {plan.run_id}: ")
    assert _figures(text)["resumed"] > 0
    assert journal.read_bytes() == before
    assert main(["run", "--estimate", "--resume", plan.run_id]) == 0
    assert capsys.readouterr().out == text


def _interrupted_night(folder: Path, judge: ScriptedJudge) -> RunPlan:
    """A night whose judge ended half-way: here by its budget, which leaves the same journal as a kill does."""
    settings, store = load_settings(folder), open_store(folder / "store")
    digest = settings_digest(open_project(Where(project=folder)))
    plan = RunPlan(
        run_id="20261130-000000-nightly-abcd", run_kind="nightly", run_at=datetime.now(UTC), app="atlas",
        project=str(folder), store=store.address, settings=settings.model_dump(mode="json", exclude_unset=True),
        window_start=datetime(2026, 11, 28, tzinfo=UTC), window_end=datetime(2026, 11, 29, tzinfo=UTC),
        intent=night_intent(since="2026-11-28", until="2026-11-29", settings=digest),
    )  # fmt: skip
    write_plan(plan, store.work_dir)
    staging = store.staging(plan.run_id)
    golden = read_golden(folder / "golden.yaml")
    pull_answers(plan, staging, settings.answers, golden, shard_size=10_000, environ=os.environ)
    check_shard(plan, staging, 0, settings.rules)
    select_records(plan, staging, settings.sampling, shards=1, shard_size=1_000)
    limited = settings.judge.model_copy(update={"max_calls": 20})
    asyncio.run(judge_shard(plan, staging, store, 0, limited, settings.rules, environ=os.environ))
    staging.path("judge", 0).unlink()
    return plan


def test_a_golden_run_is_told_too(project, capsys) -> None:
    """The nights judged some of its answers; with other settings of the judge, nothing of that counts."""
    told = _estimate(capsys, "golden", "--estimate", "--app-version", "2026.11.0")
    other = _estimate(capsys, "golden", "--estimate", "--app-version", "2026.11.0", "--set", "judge.seed=7")

    assert told["reused"] > 0
    assert other["reused"] == 0
    assert other["calls"] + other["shared"] == told["calls"] + told["reused"] + told["shared"]


def test_questions_for_the_assistant_are_told_apart(project, capsys) -> None:
    """Their answers are not known yet, so their number of calls is about right at best."""
    settings = (project / "goldassay.toml").read_text(encoding="utf-8")
    asked = '[assistant]\nkind = "python"\nfunction = "mine.py:ask"\n'
    (project / "goldassay.toml").write_text(settings + asked, encoding="utf-8")

    assert main(["golden", "--estimate", "--app-version", "2027.1"]) == 0

    told = capsys.readouterr().out
    assert "0 records, 0 for the judge: no call to make. 42 golden questions" in told
    assert "golden questions have no answer in the log and are put to the assistant first" in told
    assert "about 126 calls more" in told


def test_a_change_that_was_graded_costs_nothing(project, capsys) -> None:
    """The command would end at once, so the estimate says so; --again has a price."""
    store, golden = open_store(project / "store"), read_golden(project / "golden.yaml")
    intent = golden_intent(VERSION, settings=settings_digest(open_project(Where())))
    run = RunManifest(run_id="g1", run_kind="golden", run_at=datetime.now(UTC), app="atlas", intent=intent,
                      golden_digest=golden.digest)  # fmt: skip
    store.publish("g1", run)
    asked = ["golden", "--estimate", "--app-version", "2026.11.0"]

    assert main(asked) == 0
    assert "already graded by g1: nothing would be asked" in capsys.readouterr().out
    assert _estimate(capsys, *asked, "--again")["calls"] > 0


def test_without_a_model_there_is_nothing_to_pay(project, capsys) -> None:
    """Word overlap costs nothing."""
    lexical = ["--set", "judge.provider=lexical", "--app-version", "2026.11.0"]

    assert main(["golden", "--estimate", *lexical]) == 0

    assert capsys.readouterr().out == "42 records, 42 graded without a model: no cost.\n"
