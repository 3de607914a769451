"""The built wheel, installed where no checkout is in reach."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(600)]


def run(*words: str, cwd: Path, **environment: str) -> str:
    """Runs a command without anything of this checkout in its environment."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "GOLDASSAY_", "PYTHON", "COV_"))}
    done = subprocess.run(
        words, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-5000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, without a network."""
    out = tmp_path_factory.mktemp("dist")
    run(
        sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index",
        "-w", str(out), str(ROOT), cwd=out,
    )  # fmt: skip
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds the wheel; third-party packages are lent from this one, which needs no network."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    site = Path(run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    run(
        sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel),
        cwd=folder,
    )  # fmt: skip
    # A path in a .pth is added as it is: the editable install of the checkout, itself a .pth, is not followed.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "venv" / "bin"


def test_the_wheel_puts_one_name_into_site_packages(wheel):
    """`flows`, `tasks` and `config` are data inside goldassay, never packages of their own."""
    names = zipfile.ZipFile(wheel).namelist()

    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"goldassay"}
    for part in (
        "flows/nightly.py",
        "tasks/judge.py",
        "config/rubrics/rag.toml",
        "deployments/prefect.yaml",
        "deployments/dockerignore",
        "constraints/image.txt",
    ):
        assert f"goldassay/_project/{part}" in names
    assert "goldassay/py.typed" in names
    assert not [name for name in names if "__pycache__" in name]


def test_the_installed_wheel_runs_the_demo_from_an_empty_folder(installed, tmp_path):
    """A stranger's first command: two nights, and the report of the second."""
    where = run(str(installed / "python"), "-c", "import goldassay; print(goldassay.__file__)", cwd=tmp_path)
    printed = run(str(installed / "goldassay"), "demo", "--keep", "demo-out", cwd=tmp_path, HOME=str(tmp_path))

    assert Path(where.strip()).is_relative_to(installed.parent)
    assert "CHECKS" in printed
    assert "WHY ANSWERS FAILED" in printed
    assert "WHAT CHANGED" in printed


def test_the_installed_wheel_writes_a_project_that_stands_by_itself(installed, tmp_path):
    """`goldassay init` from the wheel: the folder owns its flows, and its settings are valid."""
    run(str(installed / "goldassay"), "init", "mine", "--app", "mine", cwd=tmp_path)

    assert (tmp_path / "mine" / "flows" / "nightly.py").is_file()
    assert (tmp_path / "mine" / "config" / "rubrics" / "rag.toml").is_file()
    for needed in (".dockerignore", "constraints/image.txt", "wheels/README.md", "goldassay-template.json"):
        assert (tmp_path / "mine" / needed).is_file(), needed
    text = (tmp_path / "mine" / "goldassay.toml").read_text(encoding="utf-8")
    assert 'app = "mine"' in text
    answer = '{"id": "1", "question": "How large?", "answer": "20 MB [1].", "sources": ["It may have 20 MB."]}\n'
    (tmp_path / "mine" / "logs" / "a.jsonl").write_text(answer, encoding="utf-8")
    assert "1 of 1" in run(str(installed / "goldassay"), "check", cwd=tmp_path / "mine")
