import subprocess
import sys

import pytest

from tests.flows.conftest import ROOT

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect"), pytest.mark.timeout(200)]

CODE = """
import asyncio, os
from pathlib import Path
from prefect.blocks.system import Secret
from config.settings import load_settings
from goldassay.errors import ConfigError
from tasks.keys import environment_of

async def main():
    await Secret(value="sk-from-block").save("judge-key", overwrite=True)
    named = lambda block: load_settings(Path("."), overrides=[f'run.secrets={{JUDGE_KEY = "{block}"}}'], environ={})
    print((await environment_of(named("judge-key")))["JUDGE_KEY"] == "sk-from-block")
    os.environ["JUDGE_KEY"] = "sk-of-the-worker"
    print((await environment_of(named("judge-key")))["JUDGE_KEY"] == "sk-of-the-worker")
    del os.environ["JUDGE_KEY"]
    try:
        await environment_of(named("no-such-block"))
    except ConfigError as error:
        print("no-such-block" in str(error) and "JUDGE_KEY" in str(error))

asyncio.run(main())
"""


def test_a_key_comes_from_its_secret_block_unless_the_worker_has_one(prefect_server):
    """The block's value, the worker's own, and a clear message where there is neither."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, env=prefect_server.environment,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert done.stdout.split() == ["True", "True", "True"], done.stderr[-3000:]
    assert "sk-from-block" not in done.stdout + done.stderr
