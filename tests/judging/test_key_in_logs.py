"""A key stands in no log, however much is logged: that of goldassay, of its HTTP libraries, of HTTP/2's packer."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldassay.judging.engine import judge_shard
from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.transport import open_transport
from tests.judging.judge_wire import STAMP, item, one_criterion

KEY = "sk-proj-TESTTESTTEST"


@pytest.fixture
def packer() -> Iterator[logging.Logger]:
    """The logger of HTTP/2's header packer, as nobody set it."""
    logger = logging.getLogger("hpack")
    before = logger.level
    logger.setLevel(logging.NOTSET)
    yield logger
    logger.setLevel(before)


@pytest.mark.parametrize("http2", [False, True])
@pytest.mark.parametrize("fault", ["500", "reset", "html"])
def test_a_key_is_in_no_log_of_a_run(
    caplog: pytest.LogCaptureFixture, tmp_path: Path, fault: str, *, http2: bool
) -> None:
    """Neither when calls go well nor when they fail, with all loggers at DEBUG; nor in the journal."""
    caplog.set_level(logging.DEBUG)
    journal = tmp_path / "journal.jsonl"

    with ScriptedJudge(faults={fault: 0.5}) as judge:
        config = JudgeConfig(
            base_url=judge.base_url, api_key_env="K", http2=http2, base_delay_s=0.0, max_attempts=3, give_up_after=50
        )
        items = [item(number) for number in range(8)]
        judge_shard(items, rubric=one_criterion(), config=config, journal=journal, environ={"K": KEY}, stamp=STAMP)

    assert KEY not in caplog.text
    assert KEY not in journal.read_text(encoding="utf-8")


def test_the_packer_of_http2_does_not_log_headers(caplog: pytest.LogCaptureFixture, packer: logging.Logger) -> None:
    """It would write 'authorization' with its value; a level that somebody set for it stays."""
    hpack = pytest.importorskip("hpack")
    caplog.set_level(logging.DEBUG)

    open_transport(JudgeConfig(http2=True))
    hpack.Encoder().encode([(b"authorization", f"Bearer {KEY}".encode())])

    assert KEY not in caplog.text
    packer.setLevel(logging.DEBUG)
    open_transport(JudgeConfig(http2=True))
    assert packer.level == logging.DEBUG
