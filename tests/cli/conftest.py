"""A project folder with sample logs and one published night, made by the stages in plain Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.plain_night import plain_night
from goldassay.judging.scripted import ScriptedJudge

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = """
app = "atlas"
[answers]
path = "logs/*.jsonl*"
[golden]
path = "golden.yaml"
[judge]
provider = "openai"
base_url = "{url}"
model = "scripted-judge"
max_in_flight = 8
[sampling]
nightly = 10
"""


@pytest.fixture(scope="session")
def _nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nights")
    shutil.copytree(ROOT / "examples" / "data" / "logs", folder / "logs", dirs_exist_ok=True)
    shutil.copy(ROOT / "examples" / "data" / "golden.yaml", folder / "golden.yaml")
    with ScriptedJudge() as judge:
        (folder / "goldassay.toml").write_text(SETTINGS.format(url=judge.base_url), encoding="utf-8")
        plain_night(folder, until="2026-11-28")
        plain_night(folder, since="2026-11-28", until="2026-11-29")
    return folder


@pytest.fixture
def project(_nights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project with its two nights; the current folder of the test."""
    folder = tmp_path / "project"
    shutil.copytree(_nights, folder)
    monkeypatch.chdir(folder)
    return folder
