import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from httpx import ConnectError

from goldassay.cli.embedded import prepare_prefect, uses_own_server
from goldassay.cli.flows import _broke
from tests.flows.conftest import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(400)]


def test_a_run_without_a_server_is_quiet_and_leaves_the_home_alone(tmp_path, judge):
    """No PREFECT_API_URL: its state lies in the project, and nothing it says reaches the terminal."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    shutil.copytree(ROOT / "examples" / "data" / "logs", project / "logs")
    (project / "goldassay.toml").write_text(
        SETTINGS.format(app="atlas", url=judge.base_url).replace('[golden]\npath = "golden.yaml"\n', ""),
        encoding="utf-8",
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "GOLDASSAY_"))}

    done = subprocess.run(
        [sys.executable, "-m", "goldassay", "run", "--until", "2026-11-28"],
        cwd=project, env={**environment, "HOME": str(home), "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "CHECKS" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert len(done.stderr.splitlines()) <= 3, done.stderr
    assert not (home / ".prefect").exists()
    assert (project / ".goldassay" / "prefect").is_dir()


def test_a_named_server_is_used_and_nothing_else_is_set(tmp_path):
    """With PREFECT_API_URL set, the given server is used."""
    environment = {"PREFECT_API_URL": "http://127.0.0.1:4200/api"}

    assert not prepare_prefect(tmp_path, environment)
    assert environment == {"PREFECT_API_URL": "http://127.0.0.1:4200/api"}


def test_a_server_of_the_active_profile_counts_as_named(tmp_path):
    """`prefect config set` works as its users know it."""
    (tmp_path / "profiles.toml").write_text(
        'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "http://127.0.0.1:4200/api"\n', encoding="utf-8"
    )

    assert uses_own_server({"PREFECT_HOME": str(tmp_path)})


def test_what_the_operator_set_is_kept(tmp_path):
    """Defaults for embedded use never override a variable that is set."""
    environment = {"PREFECT_HOME": str(tmp_path / "mine"), "PREFECT_LOGGING_LEVEL": "DEBUG"}

    assert prepare_prefect(tmp_path, environment)
    assert environment["PREFECT_HOME"] == str(tmp_path / "mine")
    assert environment["PREFECT_LOGGING_LEVEL"] == "DEBUG"
    assert environment["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert int(environment["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"]) >= 90


@pytest.mark.parametrize(
    "error", [RuntimeError("Failed to reach API at http://127.0.0.1:9/api/"), ConnectError("gone")]
)
def test_a_server_that_is_away_is_named_with_what_to_do(monkeypatch, error):
    """Whether it was never there or went in the middle of the run; any other fault of the flow is told as such."""
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")

    told = _broke("nightly", error)

    assert told.startswith("the Prefect server at 'http://127.0.0.1:9/api' cannot be reached")
    assert "correct PREFECT_API_URL" in told
    assert "the same command goes on" in told
    assert _broke("nightly", KeyError("shards")).startswith("the flow 'nightly' broke: KeyError")
